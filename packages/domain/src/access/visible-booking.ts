import type { Booking } from '../bookings/booking.ts'
import { mayCancelNow } from '../bookings/critical-edits.ts'
import { mayObject } from '../bookings/objection.ts'
import type { BookingStatus } from '../bookings/status.ts'
import { type BookingCommand, commandsFor } from '../bookings/transitions.ts'
import type { FareParts } from '../fare/fare-rule.ts'
import type { Amount } from '../money/amount.ts'
import type { Settings } from '../settings/settings.ts'
import { bookingFields, type FieldRule, type VisibleField } from './booking-fields.ts'
import { actorOf, type Relation } from './relation.ts'
import { hiddenForDemo } from './mask-contacts.ts'

/** Never null: fields that every relation sees in every status, and amounts, which are 0 where hidden. */
type Always =
  | 'id'
  | 'booking_id'
  | 'version'
  | 'status'
  | 'car_type_id'
  | 'carType'
  | 'decimal'
  | 'convert_to_mile'
  | 'currency'
  | 'pickup'
  | 'drop'
  | 'route'
  | 'estimate'
  | 'estimateDistance'
  | 'estimateTime'
  | 'tripdate'
  | 'bookingDate'
  | 'bookLater'
  | 'booking_type_admin'
  | 'trip_cost'
  | 'fare_parts'
  | 'payment_mode'
  | 'prepaid'
  | 'promo_applied'
  | 'cancellation_fee'
  | 'discount_amount'
  | 'customer_paid'
  | 'cashPaymentAmount'
  | 'cardPaymentAmount'
  | 'usedWalletMoney'
  | 'payableAmount'
  | 'outstanding_collected'

/** A booking as one viewer sees it: hidden fields are null, or 0 for amounts. */
export type VisibleBooking = Omit<Pick<Booking, Always>, 'fare_parts'> & {
  [F in Exclude<VisibleField, Always>]: Booking[F] | null
} & { fare_parts: VisibleFare }

/** The parts of a fare; the driver's share is null for viewers who do not see `driver_share`. */
export type VisibleFare = Omit<FareParts, 'driver_share'> & { driver_share: number | null }

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
  for (const field of Object.keys(bookingFields) as VisibleField[]) {
    const rule: FieldRule = bookingFields[field]
    const shown = isVisible(rule, viewer, booking.status) ? booking[field] : rule.hidden
    view[field] = shown !== null && covered.includes(field) ? hiddenForDemo : shown
  }
  if (!isVisible(bookingFields.driver_share, viewer, booking.status)) {
    view['fare_parts'] = fareForRiders(booking.fare_parts)
  }
  return view as unknown as VisibleBooking
}

/** True when the rule shows its field to this viewer in this status. */
export function isVisible(rule: FieldRule, viewer: Relation, status: BookingStatus): boolean {
  return rule.to.includes(viewer) && (rule.in === null || rule.in.includes(status))
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
