import { dueOf } from '../bookings/amounts.ts'
import type { Booking } from '../bookings/booking.ts'
import type { Outcome } from '../bookings/decision.ts'
import { effectiveTime } from '../bookings/effective-time.ts'
import type { Facts, InputOf } from '../bookings/facts.ts'
import { notify } from '../bookings/notices.ts'
import { Refusal } from '../error-keys.ts'
import { greatCircleKm, type LatLng } from '../geo/point.ts'
import { moneyText } from '../money/amount.ts'
import { farAwayKm, farNotice, isOwnProof, openStop } from './courier-steps.ts'
import { type Delivery, dropFailures, type ReturnLeg, type StopWithProofs } from './delivery.ts'
import { returnStop } from './new-delivery.ts'

/** A stop is not further from the courier than another one if the difference is within this, km: positions are not exact. */
const inexactKm = 0.05

/**
 * Minutes that the stored positions show the courier at a stop, up to `until`: since they left the last settled one, and
 * nearer to this stop than to any other. A minute counts if one of its positions is there.
 */
function minutesAt(
  { n, place }: StopWithProofs,
  { stops }: Delivery,
  seen: readonly (LatLng & { at: number })[],
  until: number,
): number {
  const others = stops.filter((other) => other.n !== n)
  const settledAt = Math.max(0, ...others.map(({ done_at }) => done_at ?? 0))
  const near = seen.filter((one) => {
    const km = greatCircleKm(one, place)
    const isNearest = others.every((other) => km <= greatCircleKm(one, other.place) + inexactKm)
    return settledAt < one.at && one.at <= until && km <= farAwayKm && isNearest
  })
  const since = near[0]?.at ?? until
  const minutes = new Set(near.map(({ at }) => Math.floor((at - since) / 60_000)))
  return Math.min(minutes.size, Math.floor((until - since) / 60_000))
}

/** What a courier still owes before a drop counts as failed: a photo of the place, and a wait where no one is there. */
function evidenceRefusal(
  { booking, settings }: Facts,
  delivery: Delivery,
  stop: StopWithProofs,
  { reason, seen = [] }: Pick<InputOf<'fail_drop'>, 'reason' | 'seen'>,
  at: number,
): Refusal | null {
  if (settings.AllowFinalDeliveryImageCapture && !isOwnProof(booking, stop.photo)) {
    return new Refusal('proof_needed', { data: { missing: ['photo'] } })
  }
  if (reason !== 'no_one_there') return null
  const minutes = settings.deliveryWaitMinutes - minutesAt(stop, delivery, seen, at)
  return minutes > 0 ? new Refusal('wait_at_stop', { data: { minutes } }) : null
}

/**
 * A parcel could not be handed over. The first failure opens the return leg, whose price was shown at booking and is due
 * from the sender. Refused with proof_needed or wait_at_stop.
 */
export function failDrop(facts: Facts, input: InputOf<'fail_drop'>, now: number): Outcome | Refusal {
  const { booking, settings, delivery, silence } = facts
  const stop = openStop(facts, input.stop)
  if (stop instanceof Refusal) return stop
  if (stop.kind !== 'drop' || !delivery || !dropFailures.includes(input.reason))
    return new Refusal('wrong_status')
  const at = effectiveTime(booking, input.at, now, silence)
  const lacking = evidenceRefusal(facts, delivery, stop, input, at)
  if (lacking) return lacking
  const back = returnStop(delivery, at)
  const priced = back && withReturnLeg(booking, delivery.return_leg)
  return {
    stops: [
      {
        ...stop,
        outcome: 'failed',
        failure: input.reason,
        done_at: at,
        done_location: input.location,
        unseen: input.location === null || greatCircleKm(input.location, stop.place) > farAwayKm,
      },
      ...(back ? [back] : []),
    ],
    changes: priced ?? {},
    effects: [
      notify(booking, booking.customer, back ? 'drop_failed' : 'drop_failed_too', 'BookedCab', {
        stop: String(stop.n),
        amount: moneyText(delivery.return_leg.cost, booking.decimal, settings),
      }),
      ...farNotice(facts, stop, input.location, true),
    ],
    reason: input.reason,
  }
}

/** The booking with the return leg added to its price: all of it is due, a promo does not apply to it. */
function withReturnLeg(
  booking: Booking,
  { cost, convenience_fees, driver_share }: ReturnLeg,
): Partial<Booking> {
  const { fare_parts } = booking
  const priced = {
    trip_cost: booking.trip_cost + cost,
    convenience_fees: booking.convenience_fees + convenience_fees,
    driver_share: booking.driver_share + driver_share,
  }
  return {
    ...priced,
    // One line of the receipt, with its fee.
    fare_parts: {
      ...fare_parts,
      trip_cost: priced.trip_cost,
      driver_share: priced.driver_share,
      return_leg: cost,
    },
    payableAmount: Math.max(0, dueOf({ ...booking, ...priced })),
  }
}
