import { isByCard } from '../bookings/amounts.ts'
import type { Booking } from '../bookings/booking.ts'
import { mayCancelNow } from '../bookings/cancel.ts'
import {
  bookingFields,
  isVisible,
  type ViewFields,
  type VisibleField,
  viewShape,
  type visibleFare,
  visibleFields,
} from '../bookings/fields.ts'
import { mayObject } from '../bookings/objection.ts'
import { type BookingStatus, isOneOf } from '../bookings/status.ts'
import { type BookingCommand, commandsFor } from '../bookings/transitions.ts'
import type { FareParts } from '../fare/fare.ts'
import { decodePolyline } from '../geo/polyline.ts'
import type { Amount } from '../money/amount.ts'
import type { Settings } from '../settings/settings.ts'
import { choice, type TypeOf } from '../shape.ts'
import { hiddenForDemo } from './mask-contacts.ts'
import { actorOf, type Relation } from './relation.ts'

/** A booking as one viewer sees it: hidden fields are null, or 0 for amounts. */
export type VisibleBooking = Pick<ViewFields, VisibleField>

/** The parts of a fare; the driver's share is null for viewers who do not see `driver_share`. */
export type VisibleFare = TypeOf<typeof visibleFare>

/** A fare as riders and visitors see it. */
export function fareForRiders(fare: FareParts): VisibleFare {
  return { ...fare, driver_share: null }
}

const contacts: readonly VisibleField[] = ['customer_contact', 'customer_email', 'driver_contact']
const backOffice: readonly Relation[] = ['fleetadmin', 'admin']

/**
 * A booking as seen by a `viewer`. A demo that blocks critical edits hides contacts from admins; rider and driver can
 * still reach each other.
 */
export function visibleBooking(
  booking: Booking,
  viewer: Relation,
  settings: Pick<Settings, 'AllowCriticalEditsAdmin'>,
): VisibleBooking {
  const view: Record<string, unknown> = {}
  const covered = !settings.AllowCriticalEditsAdmin && backOffice.includes(viewer) ? contacts : []
  for (const field of visibleFields) {
    const shown = isVisible(field, viewer, booking.status) ? booking[field] : bookingFields[field].hidden
    view[field] = shown !== null && covered.includes(field) ? hiddenForDemo : shown
  }
  if (!isVisible('driver_share', viewer, booking.status)) {
    view['fare_parts'] = fareForRiders(booking.fare_parts)
  }
  return view as unknown as VisibleBooking
}

/** The commands a `viewer` may give now: the buttons of a screen. `outstanding` is the rider's other debt. */
export function commandsOf(
  booking: Booking,
  viewer: Relation,
  settings: Pick<Settings, 'autoDispatch' | 'AllowCriticalEditsAdmin'>,
  outstanding: Amount,
): BookingCommand[] {
  const actor = actorOf(viewer)
  return commandsFor(actor, booking.status).filter((command) => {
    if (command === 'accept' || command === 'decline') return viewer === 'requested'
    if (viewer === 'requested') return false
    if (command === 'cancel') return mayCancelNow(actor, settings)
    if (command === 'choose_payment') return !booking.prepaid
    if (command === 'assign_driver') return !settings.autoDispatch
    if (command === 'object') return mayObject(booking, outstanding)
    if (command === 'decide_objection') return booking.objection === 'open'
    if (command === 'rate_rider') return booking.rider_rating === null
    return true
  })
}

/** The statuses in which a trip link works; the link ends with the trip. */
export const sharedStatuses = [
  'NEW',
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
] as const satisfies readonly BookingStatus[]

/** The fields a trip link shows to anyone who has it: the route and the car, no person and no contact. */
export const sharedFields = [
  'status',
  'tripdate',
  'carType',
  'vehicle_number',
  'vehicle_make',
  'vehicle_model',
  'pickup',
  'drop',
  'route',
  'estimateTime',
  'promised_arrival',
  'trip_start_time',
] as const satisfies readonly VisibleField[]

type SharedField = (typeof sharedFields)[number]

export const sharedShape = {
  ...(Object.fromEntries(sharedFields.map((field) => [field, viewShape[field]])) as Pick<
    typeof viewShape,
    SharedField
  >),
  status: choice(sharedStatuses),
}
type SharedTrip = Pick<Booking, SharedField> & { status: (typeof sharedStatuses)[number] }

/** The view of a booking by its trip link; null once the trip has ended, and before it is paid for. */
export function sharedTrip(booking: Booking): SharedTrip | null {
  if (!isOneOf(sharedStatuses, booking.status)) return null
  return Object.fromEntries(sharedFields.map((field) => [field, booking[field]])) as unknown as SharedTrip
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
  const { trip_cost, discount_amount, cardPaymentAmount, payableAmount } = visible
  return {
    appcat: category,
    payment_mode: 'card',
    customer_paid: trip_cost - discount_amount,
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
