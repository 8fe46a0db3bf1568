import { discountFields, dueOf, fareToPay } from '../bookings/amounts.ts'
import type { Booking } from '../bookings/booking.ts'
import type { Outcome } from '../bookings/decision.ts'
import type { BookingSettings } from '../bookings/facts.ts'
import { notify } from '../bookings/notices.ts'
import { apportion, type FareParts } from '../fare/fare.ts'
import { type Amount, moneyText, roundTo } from '../money/amount.ts'
import { promoPayment } from '../wallet/trip-entries.ts'
import { type Delivery, dropsOf } from './delivery.ts'

/** The parts of a fare that add up to the courier's share. */
const shareParts = ['base', 'distance', 'time', 'extras', 'minimum_top_up'] as const

/**
 * An admin ends a delivery with open stops, because its courier cannot: they get the outcome `not_done` at `at`, epoch ms.
 * The shares of open drops and an open return leg are not charged, and the discount shrinks with the fare. What was paid
 * in advance returns when the booking is closed. The sender is notified. Null when no stop is open.
 */
export function endUnfinished(
  booking: Booking,
  delivery: Delivery,
  at: number,
  settings: BookingSettings,
): Pick<Outcome, 'changes' | 'stops' | 'entries' | 'effects'> | null {
  const open = delivery.stops.filter(({ outcome }) => outcome === null)
  if (open.length === 0) return null
  const fare = chargedFare(booking, delivery)
  const before = booking.trip_cost - returnCostIn(delivery)
  const after = fare.trip_cost - (isReturned(delivery) ? delivery.return_leg.cost : 0)
  const discount_amount =
    before > 0 ? roundTo((booking.discount_amount * after) / before, booking.decimal) : 0
  const isLost = booking.promo_id !== null && discount_amount === 0
  const discount = isLost ? discountFields(fare.trip_cost, null, booking.decimal) : { discount_amount }
  const { trip_cost, driver_share } = fare
  const convenience_fees = trip_cost - driver_share
  const priced = { trip_cost, convenience_fees, driver_share, fare_parts: fare, ...discount }
  return {
    stops: open.map((stop) => ({ ...stop, outcome: 'not_done', done_at: at })),
    changes: { ...priced, payableAmount: Math.max(0, dueOf({ ...booking, ...priced })) },
    entries: booking.prepaid
      ? promoPayment(booking.id, discount_amount - booking.discount_amount, 'promo_unfinished')
      : [],
    effects: [
      notify(booking, booking.customer, 'delivery_ended', 'BookedCab', {
        stops: String(open.length),
        amount: moneyText(fareToPay({ ...booking, ...priced }), booking.decimal, settings),
      }),
      ...(isLost && booking.promo_id ? [{ kind: 'release_promo' as const, promo: booking.promo_id }] : []),
    ],
  }
}

/** True once an admin has ended the delivery with open stops. */
export const wasEndedUnfinished = (delivery: Delivery | null): boolean =>
  delivery?.stops.some(({ outcome }) => outcome === 'not_done') ?? false

const returnStopOf = ({ stops }: Delivery) => stops.find(({ kind }) => kind === 'return')
const isReturned = (delivery: Delivery) => returnStopOf(delivery)?.outcome === 'returned'
/** What a failed drop has added to the price. */
const returnCostIn = (delivery: Delivery): Amount => (returnStopOf(delivery) ? delivery.return_leg.cost : 0)

/** The fare of the drops that have an outcome, and of a return leg that was driven. */
function chargedFare(booking: Booking, delivery: Delivery): FareParts {
  const { decimal, fare_parts } = booking
  const { return_leg } = delivery
  const isOpened = returnStopOf(delivery) !== undefined
  const without = {
    trip_cost: booking.trip_cost - (isOpened ? return_leg.cost : 0),
    convenience_fees: booking.convenience_fees - (isOpened ? return_leg.convenience_fees : 0),
  }
  const drops = dropsOf(delivery)
  const shares = sumOf(drops.map(({ share }) => share))
  const open = sumOf(drops.map(({ share, outcome }) => (outcome === null ? share : 0)))
  const part = shares > 0 ? (shares - open) / shares : drops.every(({ outcome }) => outcome !== null) ? 1 : 0
  const trip_cost = roundTo(without.trip_cost * part, decimal)
  const convenience_fees = roundTo(without.convenience_fees * part, decimal)
  const driver_share = trip_cost - convenience_fees
  const lines = apportion(
    shareParts.map((name) => fare_parts[name] * part),
    driver_share,
    decimal,
  )
  const [base = 0, distance = 0, time = 0, extras = 0, minimum_top_up = 0] = lines
  const back = isReturned(delivery) ? return_leg : { cost: 0, driver_share: 0 }
  return {
    base,
    distance,
    time,
    extras,
    minimum_top_up,
    return_leg: back.cost,
    trip_cost: trip_cost + back.cost,
    convenience_fees,
    driver_share: driver_share + back.driver_share,
  }
}

const sumOf = (amounts: readonly Amount[]): Amount => amounts.reduce((sum, amount) => sum + amount, 0)
