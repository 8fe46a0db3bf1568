import type { BookingView } from '@hansom/contract/bookings'
import { can } from '@hansom/domain/access/permissions'
import { type BookingPeople, type Person, type Relation, relationTo } from '@hansom/domain/access/relation'
import { commandsOf, visibleBooking } from '@hansom/domain/access/visible-booking'
import type { Booking } from '@hansom/domain/booking/booking'
import { derivedFields } from '@hansom/domain/booking/derived-fields'
import { askedAt } from '@hansom/domain/dispatch/timing'
import type { Settings } from '@hansom/domain/settings/settings'
import type { RequestRow } from './store/rows.ts'

/** A booking with what stands beside it in the database: enough to show it to anybody. */
export interface WholeBooking {
  booking: Booking
  /** The drivers who are asked now. */
  requests: readonly RequestRow[]
  /** The rider's average rating, or null while there is none. */
  riderRating: number | null
}

const raters: readonly Relation[] = ['driver', 'requested', 'fleetadmin', 'admin']

/** Who a booking belongs to, and who is asked for it. */
export function peopleOf({ booking, requests }: WholeBooking): BookingPeople & Pick<Booking, 'status'> {
  const { customer, driver, fleetadmin, status } = booking
  return { customer, driver, fleetadmin, status, requested: requests.map((request) => request.driver_id) }
}

/**
 * A booking as one person sees it, over HTTP and live alike; null for a stranger. What the person may not see is
 * null, or 0 for amounts.
 */
export function viewBooking(
  whole: WholeBooking,
  person: Person | null,
  settings: Pick<Settings, 'autoDispatch' | 'AllowCriticalEditsAdmin' | 'dispatch' | 'category'>,
): BookingView | null {
  const people = peopleOf(whole)
  const relation = relationTo(people, person)
  if (relation === null) return null
  const { booking } = whole
  const shown = visibleBooking(booking, relation, settings)
  const { convert_to_mile: _unit, ...visible } = shown
  return {
    ...visible,
    ...derivedFields(shown, relation, settings.category),
    viewer: relation,
    commands: commandsOf(booking, relation, settings),
    customerRating: raters.includes(relation) ? whole.riderRating : null,
    pickupAddress: booking.pickup.add,
    dropAddress: booking.drop.add,
    drivers_asked_at: askedAt(booking, settings),
    otp_needed: booking.otp !== null,
    promo_name: shown.promo_details?.promo_name ?? null,
    request: relation === 'requested' ? requestOf(whole, person) : null,
    requestedDrivers:
      relation === 'admin' ? Object.fromEntries(people.requested.map((id) => [id, true as const])) : null,
    tracked: can(person, 'booking.track', people),
  }
}

function requestOf({ requests }: WholeBooking, person: Person | null): BookingView['request'] {
  const request = requests.find((one) => one.driver_id === person?.id)
  if (!request) return null
  const { requested_at, expires_at, pickupKm, pickupS } = request
  return { requested_at, expires_at, pickupKm, pickupS }
}
