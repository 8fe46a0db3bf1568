import { type BookingStatus, isOneOf } from '../bookings/status.ts'
import { greatCircleKm, type LatLng } from '../geo/point.ts'
import { askedAt, soonFreeS } from './timing.ts'

/** The statuses on the dispatch screen; in the last two, the driver will soon be free. */
export const boardStatuses = [
  'NEW',
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
  'REACHED',
] as const satisfies readonly BookingStatus[]

/** The statuses in which a driver can be assigned, replaced or withdrawn. */
export const assignableStatuses = ['NEW', 'ACCEPTED', 'ARRIVED'] as const satisfies readonly BookingStatus[]

/** How long a dispatcher's hold on a booking lasts without a renewal, ms. */
export const holdMs = 30_000
/** How often an open booking's hold is renewed, ms. */
export const holdRenewMs = 10_000

/** Scheduled trips of this period are in the queue, ms. */
export const plannedAheadMs = 24 * 3_600_000

/** Rules of the dispatch screen that admins can change. */
export interface BoardRules {
  /** Minutes of searching after which a booking raises the alarm; 0 never does. */
  alarmAfter: number
  /** Minutes before a scheduled trip at which its search begins. */
  leadMinutes: number
}

/** What the queue needs to know about a booking. Times are epoch ms. */
export interface QueuedBooking {
  id: string
  status: BookingStatus
  bookLater: boolean
  bookingDate: number
  tripdate: number
}

/** The parts of the queue, in order. */
export const queueParts = ['searching', 'planned', 'assigned'] as const
export type QueuePart = (typeof queueParts)[number]

/** The part of the queue a booking is in at `now`; null if there is nothing to dispatch. */
export function queuePart(booking: QueuedBooking, rules: BoardRules, now: number): QueuePart | null {
  if (isOneOf(assignableStatuses, booking.status) && booking.status !== 'NEW') return 'assigned'
  if (booking.status !== 'NEW') return null
  if (waitingSince(booking, rules) <= now) return 'searching'
  return booking.tripdate <= now + plannedAheadMs ? 'planned' : null
}

/** When the search for a driver began or will begin: for scheduled trips `leadMinutes` ahead, never before booking. */
export function waitingSince(
  booking: Pick<QueuedBooking, 'bookLater' | 'bookingDate' | 'tripdate'>,
  { leadMinutes }: Pick<BoardRules, 'leadMinutes'>,
): number {
  const asked = askedAt(booking, { dispatch: { leadMinutes } })
  return Math.max(booking.bookingDate, asked ?? booking.bookingDate)
}

/** True when a booking has been searching for longer than `alarmAfter`. */
export function isAlarm(booking: QueuedBooking, rules: BoardRules, now: number): boolean {
  if (rules.alarmAfter === 0 || queuePart(booking, rules, now) !== 'searching') return false
  return now - waitingSince(booking, rules) >= rules.alarmAfter * 60_000
}

/** True when an assigned driver has not arrived a minute after the promised time. */
export function isLate(
  { status, promised_arrival }: { status: BookingStatus; promised_arrival: number | null },
  now: number,
): boolean {
  return status === 'ACCEPTED' && promised_arrival !== null && now - promised_arrival >= 60_000
}

/** Sorts the queue: the longest search first, then scheduled and assigned trips by time; ties by id. */
export function sortQueue<B extends QueuedBooking>(
  bookings: readonly B[],
  rules: BoardRules,
  now: number,
): { part: QueuePart; booking: B }[] {
  return bookings
    .flatMap((booking) => {
      const part = queuePart(booking, rules, now)
      if (part === null) return []
      const at = part === 'searching' ? waitingSince(booking, rules) : booking.tripdate
      return [{ part, booking, at }]
    })
    .sort(
      (a, b) =>
        queueParts.indexOf(a.part) - queueParts.indexOf(b.part) ||
        a.at - b.at ||
        (a.booking.id < b.booking.id ? -1 : 1),
    )
    .map(({ part, booking }) => ({ part, booking }))
}

/** Typical city speed in a straight line, km/h, where no route is known. */
export const straightKmh = 20

/** The trips after which a driver can get the next one. */
export const endingStatuses = ['STARTED', 'REACHED'] as const satisfies readonly BookingStatus[]

/** Estimates by the straight line whether a car on a trip is free soon; at the drop it always is. */
export function isSoonFree(status: BookingStatus, car: LatLng, drop: LatLng): boolean {
  if (status === 'REACHED') return true
  return status === 'STARTED' && (greatCircleKm(car, drop) / straightKmh) * 3600 <= soonFreeS
}

/** Why a driver should not get a booking, although free. */
export type CandidateBlock = 'declined' | 'debt'

/** A driver who may get a booking. Times are in seconds. */
export interface RankedCandidate {
  id: string
  /** Until the driver is free; 0 for a free one. */
  freeS: number
  /** Until the driver is at the pickup, including `freeS`. */
  arrivalS: number
  blocked: CandidateBlock | null
}

/** Sorts candidates: the first at the pickup first, those blocked last; ties by id. */
export function rankCandidates<C extends RankedCandidate>(candidates: readonly C[]): C[] {
  return candidates.toSorted(
    (a, b) =>
      Number(a.blocked !== null) - Number(b.blocked !== null) ||
      a.arrivalS - b.arrivalS ||
      (a.id < b.id ? -1 : 1),
  )
}

/** The candidate to preselect: the first free one, otherwise the first who is free soon. */
export function bestCandidate<C extends RankedCandidate>(ranked: readonly C[]): C | undefined {
  const open = ranked.filter(({ blocked }) => blocked === null)
  return open.find(({ freeS }) => freeS === 0) ?? open[0]
}
