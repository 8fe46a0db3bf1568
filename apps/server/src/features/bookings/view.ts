import type { BookingView } from '@hansom/contract/bookings'
import { can } from '@hansom/domain/access/permissions'
import { type Actor, type BookingPeople, type Relation, relationTo } from '@hansom/domain/access/relation'
import { commandsOf, derivedFields, visibleBooking } from '@hansom/domain/access/visible-booking'
import { toCollect } from '@hansom/domain/bookings/amounts'
import type { Booking } from '@hansom/domain/bookings/booking'
import { askedAt } from '@hansom/domain/dispatch/timing'
import type { Settings } from '@hansom/domain/settings/settings'
import type { BookingWithRequests } from './store/read-bookings.ts'

const raters: readonly Relation[] = ['driver', 'requested', 'fleetadmin', 'admin']

/** The people of a booking, including the drivers asked for it. */
export function peopleOf({
  booking,
  requests,
}: BookingWithRequests): BookingPeople & Pick<Booking, 'status'> {
  const { customer, driver, fleetadmin, status } = booking
  return { customer, driver, fleetadmin, status, requested: requests.map((request) => request.driver_id) }
}

/**
 * A booking as one person sees it, in HTTP responses and live updates; null for a stranger. Hidden fields are null, or
 * 0 for amounts.
 */
export function viewBooking(
  record: BookingWithRequests,
  person: Actor | null,
  settings: Pick<Settings, 'autoDispatch' | 'AllowCriticalEditsAdmin' | 'dispatch' | 'category'>,
): BookingView | null {
  const people = peopleOf(record)
  const relation = relationTo(people, person)
  if (relation === null) return null
  const { booking } = record
  const visible = visibleBooking(booking, relation, settings)
  return {
    ...visible,
    ...derivedFields(visible, relation, settings.category),
    viewer: relation,
    commands: commandsOf(booking, relation, settings, record.outstanding),
    customerRating: raters.includes(relation) ? record.riderRating : null,
    pickupAddress: booking.pickup.add,
    dropAddress: booking.drop.add,
    drivers_asked_at: askedAt(booking, settings),
    otp_needed: booking.otp !== null,
    promo_name: visible.promo_details?.promo_name ?? null,
    request: relation === 'requested' ? requestOf(record, person) : null,
    requestedDrivers:
      relation === 'admin' ? Object.fromEntries(people.requested.map((id) => [id, true as const])) : null,
    collect: collectOf(record, relation),
    tracked: can(person, 'booking.track', people),
  }
}

/**
 * The amounts to pay or collect. The driver sees a rider's outstanding amount only when it is to be collected in cash
 * at the end of the trip.
 */
function collectOf(
  { booking, outstanding }: BookingWithRequests,
  relation: Relation,
): BookingView['collect'] {
  if (relation === 'rider' || relation === 'admin') return toCollect(booking, outstanding)
  if (relation !== 'driver') return null
  const isCash = booking.payment_mode === 'cash' && !booking.prepaid
  if (booking.status === 'REACHED') {
    return isCash ? toCollect(booking, 0) : { trip: 0, outstanding: 0, total: 0 }
  }
  return { ...toCollect({ ...booking, payment_mode: 'wallet' }, 0), outstanding: 0 }
}

function requestOf({ requests }: BookingWithRequests, person: Actor | null): BookingView['request'] {
  const request = requests.find((one) => one.driver_id === person?.id)
  if (!request) return null
  const { requested_at, expires_at, pickupKm, pickupS } = request
  return { requested_at, expires_at, pickupKm, pickupS, asked: requests.length }
}
