import { isCancelReason } from '../cancel-reasons/reasons.ts'
import { freshDelivery } from '../deliveries/new-delivery.ts'
import { dispatchAt, noShowWaitMs } from '../dispatch/timing.ts'
import { Refusal } from '../error-keys.ts'
import { cancellationFee, isDriverLate, nextCancellationFee } from '../fare/cancellation-fee.ts'
import type { LatLng } from '../geo/point.ts'
import type { Amount } from '../money/amount.ts'
import type { Settings } from '../settings/settings.ts'
import type { ActorRole } from '../users/roles.ts'
import { cancellation, escrowInherited } from '../wallet/trip-entries.ts'
import { escrowOf } from './amounts.ts'
import { type Booking, riderNoShow } from './booking.ts'
import type { Effect, Outcome } from './decision.ts'
import type { BookingIdentity, BookingSettings, Facts, InputOf } from './facts.ts'
import { initialFields } from './fields.ts'
import { notify } from './notices.ts'
import { farAway } from './reach.ts'
import { type Canceller } from './status.ts'

/**
 * A rider, an admin or the driver cancels. After acceptance a rider pays the fee of `feeForRider`, but never more than
 * was shown; also when an admin cancels for a rider whose driver waits at the pickup. When a driver cancels, a
 * replacement booking is made for the rider, except for a no-show: then the rider pays the fee.
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
  const fee = paysFee(booking, by.role) ? feeForRider(booking, now) : 0
  if (fee > (input.fee ?? fee)) return new Refusal('cancellation_fee_changed', { data: { fee } })
  const outcome = cancelled(booking, { by: isRider ? 'rider' : 'admin', reason, fee })
  return withNotices(booking, outcome, !isRider)
}

/** True if the rider pays when `actor` cancels: at the pickup an admin cancels in the rider's name. */
const paysFee = ({ status }: Pick<Booking, 'status'>, actor: ActorRole): boolean =>
  actor === 'rider' || (actor === 'admin' && status === 'ARRIVED')

/** The fee for the rider to cancel now, shown before the confirmation. */
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

/** The quote shown before cancelling at `now`; the same rule charges it. */
export function cancellationQuote(booking: Booking, actor: ActorRole, now: number): CancellationQuote {
  if (booking.driver === null) return { fee: 0, free: true, why: 'not_accepted', next: null }
  if (!paysFee(booking, actor)) return { fee: 0, free: true, why: 'free', next: null }
  const fee = feeForRider(booking, now)
  const next = nextCancellationFee(booking.cancel_slab, { ...booking, now })
  if (fee > 0) return { fee, free: false, why: 'slab', next }
  return { fee, free: true, why: isDriverLate({ ...booking, now }) ? 'driver_late' : 'free', next }
}

/** False for riders and admins while critical edits are off. Drivers may always cancel. */
export function mayCancelNow(actor: ActorRole, settings: Pick<Settings, 'AllowCriticalEditsAdmin'>): boolean {
  return settings.AllowCriticalEditsAdmin || (actor !== 'rider' && actor !== 'admin')
}

/** The canceller, reason and fee of a booking that ends unpaid. */
interface Cancelling {
  by: Canceller
  reason: string
  fee: Amount
}

/**
 * Ends the booking: empties the escrow (the fee to the driver, the rest back), releases the promo and the driver, and
 * withdraws the requests.
 */
export function cancelled(booking: Booking, { by, reason, fee }: Cancelling): Outcome {
  const { id, customer, driver } = booking
  return {
    to: 'CANCELLED',
    changes: { ...endedFields(by, reason), cancellation_fee: driver === null ? 0 : fee },
    entries: cancellation({ booking: id, rider: customer, driver, fee, ...escrowOf(booking) }),
    effects: [
      ...releaseEffects(booking),
      ...(booking.promo_id === null ? [] : [{ kind: 'release_promo' as const, promo: booking.promo_id }]),
    ],
    reason,
  }
}

/** Fields set on every cancelled booking. */
function endedFields(
  by: Canceller,
  reason: string,
): Pick<Booking, 'reason' | 'cancelledBy' | 'customer_paid' | 'payableAmount'> {
  return { reason, cancelledBy: by, customer_paid: 0, payableAmount: 0 }
}

/** Frees the driver, or withdraws the requests. */
function releaseEffects(booking: Booking): Effect[] {
  return booking.driver === null
    ? [{ kind: 'remove_requests' }]
    : [{ kind: 'free_driver', driver: booking.driver }]
}

/**
 * A driver has cancelled: the booking ends and a replacement is made for the rider, with its price, payment, escrow and
 * promo, and without the drivers excluded so far. Throws when `next` is missing.
 */
function rebook({ booking, delivery, settings }: Facts, input: InputOf<'cancel'>, now: number): Outcome {
  const { next } = input
  if (!next) throw new Error('a replacement booking needs an identity')
  const { paid, promo } = escrowOf(booking)
  return {
    to: 'CANCELLED',
    changes: {
      ...endedFields('driver', input.reason),
      cancellation_fee: 0,
      rebooked_as: next.id,
    },
    entries: escrowInherited(booking.id, next.id, paid + promo),
    effects: [
      ...releaseEffects(booking),
      {
        kind: 'rebook',
        booking: replacement(booking, next, settings),
        delivery: delivery && freshDelivery(delivery),
      },
      { kind: 'dispatch', booking: next.id, at: dispatchAt(booking, settings, now) },
      notify(booking, booking.customer, 'looking_again', 'BookedCab', { next_booking_id: next.booking_id }),
      ...(booking.driver === null
        ? []
        : [notify(booking, booking.driver, 'booking_cancelled', 'DriverTrips')]),
    ],
    reason: input.reason,
  }
}

function replacement(booking: Booking, next: BookingIdentity, settings: BookingSettings): Booking {
  const { driver, excluded_drivers } = booking
  return {
    ...booking,
    ...initialFields,
    id: next.id,
    booking_id: next.booking_id,
    status: 'NEW',
    otp: settings.otp_secure ? next.otp : null,
    rebooked_from: booking.id,
    excluded_drivers: driver === null ? [...excluded_drivers] : [...excluded_drivers, driver],
  }
}

/** Reason of a booking that is cancelled because it was never paid for. */
export const incompleteBooking = 'cancelled incomplete booking'

/** True for a booking that was cancelled because it was never paid for. */
export function isIncomplete({ status, reason }: Pick<Booking, 'status' | 'reason'>): boolean {
  return status === 'CANCELLED' && reason === incompleteBooking
}
