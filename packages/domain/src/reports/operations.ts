import type { Booking } from '../bookings/booking.ts'
import { cancellers, noDriverFound } from '../bookings/status.ts'
import type { LatLng } from '../geo/point.ts'

/** The longest period of the operator's figures, in days. */
export const maxOperationDays = 92

/** How a booking ended: driven, or cancelled by someone; `no_driver` when nobody took it. */
export const outcomes = ['completed', 'no_driver', ...cancellers] as const
export type Outcome = (typeof outcomes)[number]

/** The outcome of an ended booking; null while it is open. */
export function outcomeOf({
  status,
  cancelledBy,
  reason,
}: Pick<Booking, 'status' | 'cancelledBy' | 'reason'>): Outcome | null {
  if (status === 'PENDING' || status === 'PAID' || status === 'COMPLETE') return 'completed'
  if (status !== 'CANCELLED') return null
  return cancelledBy === 'system' && reason === noDriverFound ? 'no_driver' : cancelledBy
}

/** The shares and times of some ended bookings. */
export interface OperationFigures {
  /** Ended bookings. */
  bookings: number
  outcomes: Record<Outcome, number>
  /** Requests to drivers, bookings with at least one of them, and those of these bookings that were accepted. */
  offers: number
  offered: number
  accepted: number
}

const share = (part: number, of: number) => (of === 0 ? null : part / of)

/** The rates of some figures, from 0 to 1; null when nothing was counted. */
export function ratesOf({ bookings, outcomes: ended, offers, offered, accepted }: OperationFigures) {
  return {
    completed: share(ended.completed, bookings),
    cancelled: share(ended.rider + ended.driver + ended.admin + ended.system, bookings),
    noDriver: share(ended.no_driver, bookings),
    /** Of the requests to drivers, and of the bookings with requests. */
    acceptedOffers: share(accepted, offers),
    acceptedBookings: share(accepted, offered),
  }
}

const cellsPerDegree = 100
const columns = 360 * cellsPerDegree

/** The cell of a point in a grid of 0.01 degrees (about 1 km), as a number. */
export function areaOf({ lat, lng }: LatLng): number {
  return (
    (Math.floor(lat * cellsPerDegree) + 90 * cellsPerDegree) * columns +
    Math.floor(lng * cellsPerDegree) +
    180 * cellsPerDegree
  )
}

/** The center of a cell. */
export function areaCenter(area: number): LatLng {
  return {
    lat: (Math.floor(area / columns) + 0.5) / cellsPerDegree - 90,
    lng: ((area % columns) + 0.5) / cellsPerDegree - 180,
  }
}
