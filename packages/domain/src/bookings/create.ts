import { fareForRiders } from '../access/visible-booking.ts'
import type { Delivery } from '../deliveries/delivery.ts'
import { dropsRefusal, missingDetails, unreachableStop } from '../deliveries/delivery-request.ts'
import { newDelivery, type ParcelChoices, parcelChoices, parcelExtras } from '../deliveries/new-delivery.ts'
import { dispatchAt, laterTimeRefusal } from '../dispatch/timing.ts'
import { type ErrorKey, Refusal } from '../error-keys.ts'
import { fareFor } from '../fare/fare.ts'
import { promoRefusal } from '../fare/promo.ts'
import { isSamePlace } from '../geo/point.ts'
import type { Amount } from '../money/amount.ts'
import type { Entry } from '../wallet/ledger.ts'
import { canPay, walletPayment } from '../wallet/trip-entries.ts'
import { dueOf, isByCard, mayPayByCard, walletPart } from './amounts.ts'
import type { Booking } from './booking.ts'
import type { BookingEvent, Effect } from './decision.ts'
import type { BookingIdentity, BookingSettings } from './facts.ts'
import { type CreateFacts, newBooking, openLimitRefusal } from './new-booking.ts'
import type { BookingStatus } from './status.ts'

/** Deadline of an advance payment; after it the booking is cancelled, ms. */
export const paymentTimeMs = 15 * 60_000

export interface Created {
  booking: Booking
  /** Null in the taxi category. */
  delivery: Delivery | null
  entries: Entry[]
  effects: Effect[]
  event: BookingEvent
}

/** Creates a booking, or returns the refusal. */
export function createBooking(facts: CreateFacts, now: number): Created | Refusal {
  const { by, settings, customer, carType, pickup, drop, route } = facts
  const wrong = refusalOf(facts, now)
  if (wrong === 'too_many_passengers') return fieldRefusal(wrong, 'passengers')
  if (wrong) return wrong instanceof Refusal ? wrong : new Refusal(wrong)
  if (!customer || !carType || !pickup || !drop) return new Refusal('select_proper')
  if (!route) return new Refusal('place_to_coords_error')
  const choices = facts.delivery?.request ? parcelChoices(carType, facts.delivery.request) : null
  if (choices instanceof Refusal) return choices

  const extras = choices ? parcelExtras(choices) : 0
  const fare = fareFor(carType.fare_rule, route.distanceKm, route.durationS, extras, settings)
  if (facts.agreed !== null && facts.agreed !== fare.trip_cost) {
    return new Refusal('fare_changed', { data: { fare: fareForRiders(fare) } })
  }
  const { promo } = facts
  const noPromo = promo && promoRefusal(promo, fare.trip_cost, now)
  if (noPromo) return noPromo

  const status = firstStatus(facts)
  const booking = newBooking({ facts, customer, carType, pickup, drop, route, fare, status, now })
  const payable = dueOf(booking)
  const { walletBalance } = customer
  if (booking.payment_mode === 'wallet' && !canPay(walletBalance, payable)) {
    return new Refusal('low_wallet')
  }
  const held = heldInAdvance(booking, walletBalance, payable)
  booking.usedWalletMoney = held
  booking.payableAmount = payable - held

  return {
    booking,
    delivery: choices && deliveryOf(facts, booking, choices),
    entries: walletPayment(booking.id, customer.id, held, 'checkout:1'),
    effects: firstEffects(booking, settings, now),
    event: { at: now, by, command: 'create', from: null, to: status, reason: null },
  }
}

/** Bookings made by one request: several cars, and their return trips. */
export interface BookingGroup {
  /** One for each car; the first booking has the identity in the facts. */
  others: readonly BookingIdentity[]
  /** The trips back, one for each car. */
  back: {
    cars: readonly BookingIdentity[]
    /** Epoch ms. */
    tripdate: number
    route: CreateFacts['route']
  } | null
}

/** Most cars of one request. */
export const maxCars = 5

/** Creates all bookings of a request, or returns the refusal and creates none. */
export function createBookings(facts: CreateFacts, group: BookingGroup, now: number): Created[] | Refusal {
  const { others, back } = group
  const outward = [facts.identity, ...others].map((identity, index) =>
    createBooking({ ...facts, identity, promo: index === 0 ? facts.promo : null }, now),
  )
  const tripdate = facts.bookLater ? (facts.tripdate ?? now) : now
  if (back && back.tripdate <= tripdate) return fieldRefusal('return_before_trip', 'returnAt')
  const { pickup, drop } = facts
  const inward = (back?.cars ?? []).map((identity) =>
    createBooking(
      {
        ...facts,
        identity,
        pickup: drop,
        drop: pickup,
        route: back?.route ?? null,
        bookLater: true,
        tripdate: back?.tripdate ?? null,
        promo: null,
        agreed: null,
      },
      now,
    ),
  )
  const made: Created[] = []
  for (const one of [...outward, ...inward]) {
    if (one instanceof Refusal) return one
    made.push(one)
  }
  const total = made.reduce((sum, { booking }) => sum + dueOf(booking), 0)
  const isByWallet = facts.payment_mode === 'wallet'
  if (isByWallet && !canPay(facts.customer?.walletBalance ?? 0, total)) return new Refusal('low_wallet')
  return made
}

const fieldRefusal = (key: ErrorKey, field: string) => new Refusal(key, { fields: [{ field, error: key }] })

/** The part of an advance payment that the wallet pays: it is held from the start. */
function heldInAdvance({ status, payment_mode }: Booking, balance: Amount, payable: Amount): Amount {
  if (status !== 'PAYMENT_PENDING') return 0
  if (payment_mode === 'wallet') return payable
  return payment_mode === 'wallet_card' ? walletPart(balance, payable) : 0
}

function deliveryOf({ delivery, pickup, settings }: CreateFacts, booking: Booking, choices: ParcelChoices) {
  if (!delivery?.request || !delivery.plan || !pickup) return null
  return newDelivery({
    request: delivery.request,
    plan: delivery.plan,
    choices,
    pickup,
    sender: { name: booking.customer_name, contact: booking.customer_contact, email: booking.customer_email },
    trip_cost: booking.trip_cost,
    fare_rule: booking.fare_rule,
    units: settings,
    inCash: booking.payment_mode === 'cash',
    codes: settings.deliveryCode ? delivery.codes : null,
  })
}

function refusalOf(facts: CreateFacts, now: number): ErrorKey | Refusal | null {
  const { by, customer, delivery } = facts
  if (by.id === null) return 'must_login'
  if (by.role !== 'rider' && by.role !== 'admin') return 'user_issue_contact_admin'
  if (!customer || !facts.carType || !facts.pickup || !facts.drop) return 'select_proper'
  if (customer.usertype !== 'rider' || (by.role === 'rider' && customer.id !== by.id)) {
    return 'user_issue_contact_admin'
  }
  if (!customer.approved) return 'rider_not_approved'
  if (facts.bookLater && facts.tripdate === null) return 'select_proper'
  const noDetails = delivery && missingDetails(delivery.request)
  if (noDetails) return noDetails
  if (isSamePlace(facts.pickup, facts.drop)) return 'same_place'
  const wrongDrop =
    delivery?.request && dropsRefusal(delivery.request.drops, facts.pickup, delivery.leaveAt, now)
  if (wrongDrop) return wrongDrop
  const wrongTime = facts.bookLater ? laterTimeRefusal(facts.tripdate ?? Number.NaN, now) : null
  if (wrongTime) return wrongTime
  const full =
    by.role === 'rider' && openLimitRefusal(facts.open, { ...facts.settings, bookLater: facts.bookLater })
  if (full) return full
  if (delivery && !delivery.plan) {
    const drops = delivery.request?.drops.length ?? 0
    return unreachableStop('place_to_coords_error', delivery.unreachable ?? null, drops)
  }
  if (!facts.route) return 'place_to_coords_error'
  if (!facts.bookLater && !facts.driverNear) return 'no_driver_found_alert_messege'
  if ((facts.passengers ?? 0) > facts.carType.seats) return 'too_many_passengers'
  const payer = { cardAvailable: facts.cardAvailable, email: customer.email }
  if (isByCard(facts.payment_mode) && !mayPayByCard(payer)) return 'payment_unavailable'
  // A delivery is paid in advance, unless the platform lets couriers collect the fee.
  const mayCollect = delivery === null || facts.settings.deliveryCash || by.role === 'admin'
  return facts.payment_mode === 'cash' && !mayCollect ? 'cash_unavailable' : null
}

function firstStatus({ settings, by, payment_mode, inAdvance }: CreateFacts): BookingStatus {
  if (inAdvance && isByCard(payment_mode)) return 'PAYMENT_PENDING'
  const isTaxi = settings.category === 'taxi'
  return isTaxi || by.role === 'admin' || payment_mode === 'cash' ? 'NEW' : 'PAYMENT_PENDING'
}

function firstEffects(booking: Booking, settings: BookingSettings, now: number): Effect[] {
  const effects: Effect[] = []
  if (booking.promo_id !== null) effects.push({ kind: 'reserve_promo', promo: booking.promo_id })
  if (booking.status === 'PAYMENT_PENDING') {
    const nothingToPay = booking.payableAmount === 0
    effects.push(
      nothingToPay
        ? { kind: 'schedule', job: 'capture_payment', at: now }
        : { kind: 'schedule', job: 'expire_payment', at: now + paymentTimeMs },
    )
  } else if (settings.autoDispatch) {
    effects.push({ kind: 'dispatch', booking: booking.id, at: dispatchAt(booking, settings, now) })
  }
  return effects
}
