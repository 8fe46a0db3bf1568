import type { BookingView } from '@hansom/contract/bookings'
import { isUpcoming, noDriverFound } from '@hansom/domain/bookings/status'

/** The status line of a trip and its next step, as text keys. */
export interface StatusWords {
  line: string
  next: string | null
}

type Facts = Pick<
  BookingView,
  | 'status'
  | 'viewer'
  | 'otp_needed'
  | 'bookLater'
  | 'cancelledBy'
  | 'reason'
  | 'rebooked_from'
  | 'rebooked_as'
  | 'tripdate'
  | 'drivers_asked_at'
  | 'cancellation_fee'
  | 'prepaid'
  | 'objection'
> &
  Partial<Pick<BookingView, 'delivery' | 'objection_to'>>

/** The viewer; `admin` is an admin or fleet admin. */
type Reader = 'rider' | 'driver' | 'requested' | 'admin'

const readers: Record<BookingView['viewer'], Reader> = {
  rider: 'rider',
  driver: 'driver',
  requested: 'requested',
  fleetadmin: 'admin',
  admin: 'admin',
}

/** From this long before its time, an assigned trip is described as later, ms. */
const laterMs = 20 * 60_000

/** The status line and the next step for a viewer at `now` (epoch ms on the server's clock). */
export function statusWords(trip: Facts, now: number): StatusWords {
  const reader = readers[trip.viewer]
  if (trip.status === 'CANCELLED') return cancelledWords(trip, reader)
  const hasFailed = trip.delivery?.stops.some(({ outcome }) => outcome === 'failed' || outcome === 'not_done')
  if (trip.status === 'REACHED' && reader === 'rider' && hasFailed) {
    return { line: 'delivery.ended_failed', next: nextKey(reader, trip.status) }
  }
  if (isReturnChecked(trip) && reader === 'rider') {
    return { line: 'delivery.return_checked', next: 'delivery.return_open' }
  }
  const shade = shadeOf(trip, reader, now)
  const name = shade ? `${trip.status}_${shade}` : trip.status
  return { line: `trip.${reader}_${name}`, next: nextKey(reader, name) }
}

const isReturnChecked = ({ status, objection, objection_to }: Facts) =>
  status === 'PENDING' && objection === 'open' && objection_to === 'return_leg'

function shadeOf(trip: Facts, reader: Reader, now: number): string | null {
  if (isUpcoming(trip, now) && reader !== 'requested') return 'later'
  if (trip.status === 'NEW' && reader === 'rider' && trip.rebooked_from !== null) return 'again'
  if (trip.status === 'PENDING' && reader === 'rider' && trip.objection === 'open') return 'checked'
  const isLater = trip.bookLater && trip.tripdate - now > laterMs
  if (trip.status === 'ACCEPTED' && isLater && reader !== 'requested') return 'later'
  if (trip.status === 'ARRIVED' && trip.otp_needed && (reader === 'rider' || reader === 'driver'))
    return 'code'
  return null
}

/** Empty if there is no next step. */
function nextKey(reader: Reader, name: string): string | null {
  const silent: Record<Reader, readonly string[]> = {
    rider: ['COMPLETE'],
    driver: ['NEW', 'NEW_later', 'COMPLETE'],
    requested: bookingOver,
    admin: ['PAID', 'COMPLETE'],
  }
  if (silent[reader].includes(name)) return null
  return `trip.${reader}_next_${name}`
}

const bookingOver = [
  'PAYMENT_PENDING',
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
  'REACHED',
  'PENDING',
  'PAID',
  'COMPLETE',
]

function cancelledWords(trip: Facts, reader: Reader): StatusWords {
  if (reader === 'driver') return { line: driverCancelled(trip.cancelledBy), next: null }
  if (reader !== 'rider') return { line: `trip.${reader}_CANCELLED`, next: null }
  // For a prepaid trip the page shows the returned amount.
  const isFree = trip.cancellation_fee === 0 && !trip.prepaid
  const free = isFree ? 'trip.rider_next_CANCELLED_free' : null
  const next = trip.rebooked_as ? 'trip.rider_next_CANCELLED_rebooked' : free
  if (trip.cancelledBy === 'system') {
    const none = trip.reason === noDriverFound
    return none
      ? {
          line: 'trip.rider_CANCELLED_none',
          next: trip.prepaid ? 'trip.rider_next_CANCELLED_none_prepaid' : 'trip.rider_next_CANCELLED_none',
        }
      : { line: 'trip.rider_CANCELLED_unpaid', next: 'trip.rider_next_CANCELLED_unpaid' }
  }
  if (trip.cancelledBy === 'driver') return { line: 'trip.rider_CANCELLED_driver', next }
  return { line: trip.cancelledBy === 'admin' ? 'trip.rider_CANCELLED_admin' : 'trip.rider_CANCELLED', next }
}

function driverCancelled(by: Facts['cancelledBy']): string {
  return by === null || by === 'system' ? 'trip.driver_CANCELLED' : `trip.driver_CANCELLED_${by}`
}

/** The amount the rider paid before the end of the trip, by card and from the wallet. */
export function paidInAdvance(trip: Pick<BookingView, 'cardPaymentAmount' | 'usedWalletMoney'>): number {
  return trip.cardPaymentAmount + trip.usedWalletMoney
}
