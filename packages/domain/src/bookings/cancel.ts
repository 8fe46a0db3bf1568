import { isCancelReason } from '../cancel-reasons/reasons.ts'
import { Refusal } from '../error-keys.ts'
import { cancellationFee, isDriverLate, nextCancellationFee } from '../fare/cancellation-fee.ts'
import type { LatLng } from '../geo/point.ts'
import type { Amount } from '../money/amount.ts'
import type { ActorRole } from '../users/roles.ts'
import { type Booking, riderNoShow } from './booking.ts'
import { cancelled, rebook } from './cancelled.ts'
import { mayCancelNow } from './critical-edits.ts'
import type { Effect, Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { farAway } from './far-away.ts'
import { notify } from './notices.ts'
import { incompleteBooking } from './pay.ts'

/** How long a driver waits before the rider counts as a no-show, ms. */
const noShowWaitMs = 5 * 60_000

/**
 * A rider, an admin or the driver cancels. After acceptance a rider pays the fee of `feeForRider`, but never more than
 * they were shown. When a driver cancels, a replacement booking is made for the rider, except for a no-show: then the
 * rider pays the fee.
 */
export function cancel(facts: Facts, input: InputOf<'cancel'>, now: number): Outcome | Refusal {
  const { booking, by } = facts
  if (!mayCancelNow(by.role, facts.settings)) return new Refusal('demo_mode')
  const reason = input.reason.trim() || (booking.status === 'PAYMENT_PENDING' ? incompleteBooking : '')
  if (!reason) return new Refusal('reason_needed')
  const isOwn = booking.status === 'PAYMENT_PENDING' && reason === incompleteBooking
  if (!isOwn && !isCancelReason(reason, by.role, input.listed ?? [])) return new Refusal('reason_needed')
  if (by.role === 'driver') return byDriver(facts, { ...input, reason }, now)
  const isRider = by.role === 'rider'
  const fee = isRider ? feeForRider(booking, now) : 0
  if (fee > (input.fee ?? fee)) return new Refusal('cancellation_fee_changed', { data: { fee } })
  const outcome = cancelled(booking, { by: isRider ? 'rider' : 'admin', reason, fee })
  return withNotices(booking, outcome, !isRider)
}

/** The fee for the rider to cancel now, shown before they confirm. */
function feeForRider(booking: Booking, now: number): number {
  return booking.driver === null ? 0 : cancellationFee(booking.cancel_slab, { ...booking, now })
}

/**
 * When a rider who has not come counts as a no-show, epoch ms: the wait starts when the server received the driver's
 * arrival, for Book Later not before the booked time. Null until the driver has arrived.
 */
function noShowFrom({
  status,
  arrival_received_at,
  bookLater,
  tripdate,
}: Pick<Booking, 'status' | 'arrival_received_at' | 'bookLater' | 'tripdate'>): number | null {
  if (status !== 'ARRIVED' || arrival_received_at === null) return null
  return Math.max(arrival_received_at, bookLater ? tripdate : 0) + noShowWaitMs
}

/**
 * True when the stored positions show that the driver waited long enough near the pickup: a minute counts if one of its
 * positions is there.
 */
function hasWaited(
  { pickup }: Pick<Booking, 'pickup'>,
  waited: readonly (LatLng & { at: number })[],
  since: number,
): boolean {
  const minutes = new Set(
    waited
      .filter((place) => place.at >= since && farAway(pickup, place) === null)
      .map((place) => Math.floor((place.at - since) / 60_000)),
  )
  return minutes.size >= noShowWaitMs / 60_000
}

function byDriver(facts: Facts, input: InputOf<'cancel'>, now: number): Outcome | Refusal {
  const { booking, settings } = facts
  if (input.reason === riderNoShow) {
    const from = noShowFrom(booking)
    if (from === null || now < from) return new Refusal('too_early', { data: { from } })
    if (!hasWaited(booking, input.waited ?? [], from - noShowWaitMs)) return new Refusal('not_at_pickup')
    return withNotices(
      booking,
      cancelled(booking, { by: 'driver', reason: input.reason, fee: feeForRider(booking, now) }),
    )
  }
  if (settings.autoDispatch) return rebook(facts, input, now)
  const outcome = cancelled(booking, { by: 'driver', reason: input.reason, fee: 0 })
  return {
    ...outcome,
    effects: [...(outcome.effects ?? []), notify(booking, booking.customer, 'search_again', 'BookingCab')],
  }
}

/** Notifies both people of an accepted trip; the rider also when someone else cancels before acceptance. */
function withNotices(booking: Booking, outcome: Outcome, alwaysRider = false): Outcome {
  const effects: Effect[] = [...(outcome.effects ?? [])]
  if (booking.driver !== null || alwaysRider) {
    effects.push(notify(booking, booking.customer, 'booking_cancelled', 'BookedCab'))
  }
  if (booking.driver !== null)
    effects.push(notify(booking, booking.driver, 'booking_cancelled', 'DriverTrips'))
  return { ...outcome, effects }
}

/** The viewer's fee for cancelling, and its reason. */
export interface CancellationQuote {
  fee: Amount
  free: boolean
  why: 'not_accepted' | 'driver_late' | 'free' | 'slab'
  /** The next higher fee and its start, epoch ms; null while the fee does not rise. */
  next: { fee: Amount; from: number } | null
}

/** The quote shown before cancelling at `now`; the same rule charges it. Only a rider pays. */
export function cancellationQuote(booking: Booking, actor: ActorRole, now: number): CancellationQuote {
  if (booking.driver === null) return { fee: 0, free: true, why: 'not_accepted', next: null }
  if (actor !== 'rider') return { fee: 0, free: true, why: 'free', next: null }
  const fee = feeForRider(booking, now)
  const next = nextCancellationFee(booking.cancel_slab, { ...booking, now })
  if (fee > 0) return { fee, free: false, why: 'slab', next }
  return { fee, free: true, why: isDriverLate({ ...booking, now }) ? 'driver_late' : 'free', next }
}
