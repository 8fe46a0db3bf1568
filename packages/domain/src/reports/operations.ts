import type { Booking } from '../bookings/booking.ts'
import { cancellers, noDriverFound } from '../bookings/status.ts'
import type { LatLng } from '../geo/point.ts'

/** The longest period of the operator's figures, in days. */
export const maxOperationDays = 92

/** How a booking ended: driven, or cancelled by someone; `no_driver` when no driver took it. */
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
  /** Requests to drivers, and those accepted, also by drivers who were withdrawn later. */
  offers: number
  acceptances: number
  /** Bookings with requests, and those of them that a driver accepted. */
  offered: number
  accepted: number
}

const share = (part: number, of: number) => (of === 0 ? null : part / of)

/** The rates of some figures, from 0 to 1; null when nothing was counted. */
export function ratesOf({
  bookings,
  outcomes: ended,
  offers,
  acceptances,
  offered,
  accepted,
}: OperationFigures) {
  return {
    completed: share(ended.completed, bookings),
    cancelled: share(ended.rider + ended.driver + ended.admin + ended.system, bookings),
    noDriver: share(ended.no_driver, bookings),
    /** Of the requests to drivers, and of the bookings with requests. */
    acceptedOffers: share(acceptances, offers),
    acceptedBookings: share(accepted, offered),
  }
}

/** The figures of a period that list their bookings. */
export const figureNames = [
  'bookings',
  'completion',
  'acceptance',
  'accept',
  'pickup',
  'cancelled',
  'no_driver',
] as const
export type FigureName = (typeof figureNames)[number]

const cancelledOutcomes = outcomes.filter((one) => one !== 'completed' && one !== 'no_driver')

/** The filters of the bookings table that list exactly the bookings of a figure, besides those of period and group. */
export const figureFilters: Readonly<Record<FigureName, Readonly<Record<string, string>>>> = {
  bookings: { outcome: outcomes.join() },
  completion: { outcome: 'completed' },
  acceptance: { offered: 'true', accepted: 'true' },
  accept: { accepted: 'true', bookLater: 'false' },
  pickup: { arrived: 'true', bookLater: 'false' },
  cancelled: { outcome: cancelledOutcomes.join() },
  no_driver: { outcome: 'no_driver' },
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
