import type { BookingEvent, BookingView } from '@hansom/contract/bookings'

/** One point of a trip's timeline: when, the key of its words, and why if a reason was given. */
export interface Moment {
  at: number
  key: string
  /** `you` is whoever reads it. */
  actor: BookingEvent['actor'] | 'you' | null
  name: string | null
  reason: string | null
  /** How the booking stood before and stands since; null when it did not change, or is not told. */
  step: { from: BookingEvent['from']; to: BookingEvent['to'] } | null
  /** What people were told of it. */
  sent: BookingEvent['sent']
}

/** The timeline that the parties read off the booking itself. */
export function momentsOf(view: BookingView): Moment[] {
  const isCancelled = view.status === 'CANCELLED'
  const known: [string, number | null][] = [
    ['booked', view.bookingDate],
    ['accepted', view.accepted_at],
    ['arrived', view.driver_arrive_time],
    ['started', view.trip_start_time],
    ['reached', view.trip_end_time],
    [isCancelled ? 'cancelled' : 'closed', view.closed_at],
  ]
  return known
    .filter((pair): pair is [string, number] => pair[1] !== null)
    .map(([name, at]) => ({
      at,
      key: `trip.moment_${name}`,
      actor: name !== 'cancelled' ? null : view.cancelledBy === view.viewer ? 'you' : view.cancelledBy,
      name: null,
      reason: name === 'cancelled' ? view.reason : null,
      step: null,
      sent: [],
    }))
}

/** The timeline that the office reads: every change, by whom and why. */
export function momentsFrom(events: readonly BookingEvent[]): Moment[] {
  return events.map(({ at, command, actor, name, reason, from, to, sent }) => ({
    at,
    key: `trip.event_${command}`,
    actor,
    name,
    reason,
    step: from === to ? null : { from, to },
    sent,
  }))
}
