import { fareToPay, isByCard, toCollect } from '../bookings/amounts.ts'
import type { Booking } from '../bookings/booking.ts'
import { senderStop, shownNumber } from '../bookings/call-number.ts'
import { mayCancelNow } from '../bookings/cancel.ts'
import {
  bookingFields,
  isVisible,
  type ViewFields,
  type VisibleField,
  type visibleFare,
  visibleFields,
} from '../bookings/fields.ts'
import { objectionTo } from '../bookings/objection.ts'
import { type BookingCommand, commandsFor } from '../bookings/transitions.ts'
import type { Delivery } from '../deliveries/delivery.ts'
import { viewDelivery } from '../deliveries/view-delivery.ts'
import { askedAt } from '../dispatch/timing.ts'
import type { FareParts } from '../fare/fare.ts'
import { decodePolyline } from '../geo/polyline.ts'
import type { Amount } from '../money/amount.ts'
import type { Settings } from '../settings/settings.ts'
import type { TypeOf } from '../shape.ts'
import { hiddenForDemo } from './mask-contacts.ts'
import { can } from './permissions.ts'
import { type Actor, actorOf, type BookingParties, type Relation, relationTo } from './relation.ts'

const raters: readonly Relation[] = ['driver', 'requested', 'fleetadmin', 'admin']

/** An active request to a driver. */
type DriverRequest = Omit<NonNullable<ViewFields['request']>, 'asked'> & { driver_id: string }

/** A booking with everything that its views show. */
export interface RequestedBooking {
  booking: Booking
  /** Null in the taxi category. */
  delivery: Delivery | null
  requests: readonly DriverRequest[]
  /** The rider's outstanding amount apart from this booking. */
  outstanding: Amount
  /** The rider's average rating, or null if not rated. */
  riderRating: number | null
}

/** The parties of a booking, including the drivers asked for it. */
export function partiesOf({ booking, requests }: RequestedBooking): BookingParties & Pick<Booking, 'status'> {
  const { customer, driver, fleetadmin, status } = booking
  return { customer, driver, fleetadmin, status, requested: requests.map((request) => request.driver_id) }
}

/**
 * A booking as one person sees it, in HTTP responses and live updates; null for a stranger. Hidden fields are null, or
 * 0 for amounts.
 */
export function viewBooking(
  record: RequestedBooking,
  actor: Actor | null,
  settings: Pick<Settings, 'AllowCriticalEditsAdmin' | 'dispatch' | 'category'>,
): ViewFields | null {
  const parties = partiesOf(record)
  const relation = relationTo(parties, actor)
  if (relation === null) return null
  const { booking } = record
  const visible = visibleBooking(booking, relation, settings, record.delivery !== null)
  const commands = commandsOf(booking, relation, settings, record.outstanding, parties.requested.length)
  return {
    ...visible,
    ...(commands.includes('object') && { objection_to: objectionTo(booking, record.outstanding) }),
    ...derivedFields(visible, relation, settings.category),
    ...viewDelivery(booking, record.delivery, relation, settings),
    viewer: relation,
    commands,
    customerRating: raters.includes(relation) ? record.riderRating : null,
    pickupAddress: booking.pickup.add,
    dropAddress: booking.drop.add,
    drivers_asked_at: askedAt(booking, settings),
    otp_needed: booking.otp !== null,
    promo_name: visible.promo_details?.promo_name ?? null,
    request: relation === 'requested' ? requestOf(record, actor) : null,
    requestedDrivers:
      relation === 'admin' ? Object.fromEntries(parties.requested.map((id) => [id, true as const])) : null,
    collect: collectOf(record, relation),
    tracked: can(actor, 'booking.track', parties),
  }
}

/**
 * The amounts to pay or collect. The driver sees a rider's outstanding amount only when it is to be collected in cash
 * at the end of the trip.
 */
function collectOf(
  { booking, delivery, outstanding }: RequestedBooking,
  relation: Relation,
): ViewFields['collect'] {
  if (relation === 'rider' || relation === 'admin') {
    // A courier collects the fee alone, at one of the stops.
    const isAlone = delivery !== null && booking.payment_mode === 'cash'
    return toCollect(booking, isAlone ? 0 : outstanding)
  }
  if (relation !== 'driver') return null
  const isCash = booking.payment_mode === 'cash' && !booking.prepaid
  if (booking.status === 'REACHED') {
    return isCash ? toCollect(booking, 0) : { trip: 0, outstanding: 0, total: 0 }
  }
  return { ...toCollect({ ...booking, payment_mode: 'wallet' }, 0), outstanding: 0 }
}

function requestOf({ requests }: RequestedBooking, actor: Actor | null): ViewFields['request'] {
  const request = requests.find((one) => one.driver_id === actor?.id)
  if (!request) return null
  const { requested_at, expires_at, pickupKm, pickupS } = request
  return { requested_at, expires_at, pickupKm, pickupS, asked: requests.length }
}

/** A booking as one viewer sees it: hidden fields are null, or 0 for amounts. */
export type VisibleBooking = Pick<ViewFields, VisibleField>

/** The parts of a fare; the driver's share is null for viewers who do not see `driver_share`. */
export type VisibleFare = TypeOf<typeof visibleFare>

/** A fare as riders and visitors see it. */
export function fareForRiders(fare: FareParts): VisibleFare {
  return { ...fare, return_leg: fare.return_leg ?? 0, driver_share: null }
}

const contacts: readonly VisibleField[] = ['customer_contact', 'customer_email', 'driver_contact']
const masked: readonly VisibleField[] = ['customer_contact', 'driver_contact']
const backOffice: readonly Relation[] = ['fleetadmin', 'admin']

/**
 * A booking as seen by a `viewer`. Rider and driver see masked numbers if calls are masked, couriers the sender's as that of a
 * stop. A demo that blocks critical edits hides contacts from admins; rider and driver can still reach each other.
 */
export function visibleBooking(
  booking: Booking,
  viewer: Relation,
  settings: Pick<Settings, 'AllowCriticalEditsAdmin'>,
  isDelivery = false,
): VisibleBooking {
  const stop = isDelivery && viewer === 'driver' ? senderStop : undefined
  const view: Record<string, unknown> = {}
  const covered = !settings.AllowCriticalEditsAdmin && backOffice.includes(viewer) ? contacts : []
  for (const field of visibleFields) {
    const stored = isVisible(field, viewer, booking) ? booking[field] : bookingFields[field].hidden
    const shown =
      masked.includes(field) && !backOffice.includes(viewer)
        ? shownNumber(booking, stored as string | null, stop)
        : stored
    view[field] = shown !== null && covered.includes(field) ? hiddenForDemo : shown
  }
  const fare = fareForRiders(booking.fare_parts)
  const { driver_share } = booking.fare_parts
  view['fare_parts'] = isVisible('driver_share', viewer, booking) ? { ...fare, driver_share } : fare
  return view as unknown as VisibleBooking
}

/**
 * The commands a `viewer` may give now: the buttons of a screen. `outstanding` is the rider's other debt, `requested` the
 * number of drivers asked.
 */
export function commandsOf(
  booking: Booking,
  viewer: Relation,
  settings: Pick<Settings, 'AllowCriticalEditsAdmin' | 'category'>,
  outstanding: Amount,
  requested = 0,
): BookingCommand[] {
  const actor = actorOf(viewer)
  return commandsFor(actor, booking.status).filter((command) => {
    if (command === 'accept' || command === 'decline') return viewer === 'requested'
    if (viewer === 'requested') return false
    if (command === 'cancel') return mayCancelNow(actor, settings)
    if (command === 'choose_payment') return !booking.prepaid
    if (command === 'withdraw_driver') return booking.driver !== null || requested > 0
    if (command === 'object') return objectionTo(booking, outstanding) !== null
    if (command === 'decide_objection') return booking.objection === 'open'
    if (command === 'rate_rider') return booking.rider_rating === null
    if (command === 'deliver' || command === 'fail_drop') return settings.category === 'delivery'
    return true
  })
}

/** Fields of the public record that are derived from stored fields. */
export type DerivedFields = Pick<
  ViewFields,
  'startTime' | 'endTime' | 'coords' | 'discount' | 'paymentPacket'
>

/** Most waypoints of a route in the public record. */
export const maxCoords = 25

const payers: readonly Relation[] = ['rider', 'admin']

/** Derives the fields from the view of `viewer`, so that hidden values do not reappear under another name. */
export function derivedFields(
  visible: VisibleBooking,
  viewer: Relation,
  category: Settings['category'],
): DerivedFields {
  return {
    startTime: visible.trip_start_time,
    endTime: visible.trip_end_time,
    coords: waypoints(visible.route),
    discount: visible.discount_amount,
    paymentPacket:
      payers.includes(viewer) && isByCard(visible.payment_mode) ? paymentPacket(visible, category) : null,
  }
}

function paymentPacket(
  visible: VisibleBooking,
  category: Settings['category'],
): DerivedFields['paymentPacket'] {
  const { discount_amount, cardPaymentAmount, payableAmount } = visible
  return {
    appcat: category,
    payment_mode: 'card',
    customer_paid: fareToPay(visible),
    discount_amount,
    usedWalletMoney: visible.usedWalletMoney,
    cardPaymentAmount: cardPaymentAmount || payableAmount,
    cashPaymentAmount: 0,
    payableAmount,
    promo_applied: visible.promo_applied,
    promo_details: visible.promo_details,
  }
}

/** Every n-th point of an encoded route, with both ends. */
function waypoints(route: string): DerivedFields['coords'] {
  const path = decodePolyline(route)
  const last = path.length - 1
  const count = Math.min(path.length, maxCoords)
  return Array.from({ length: count }, (_, index) => {
    const at = count === 1 ? 0 : Math.round((index * last) / (count - 1))
    const { lat, lng } = path[at] ?? { lat: 0, lng: 0 }
    return { latitude: lat, longitude: lng }
  })
}
