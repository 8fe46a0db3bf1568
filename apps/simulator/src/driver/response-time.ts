import type { BookingView } from '@hansom/contract/bookings'

/** Range of the time before a simulated driver responds to a request, s. */
const reactionS = [1.5, 5] as const
/** Time to the pickup from which a driver is slowest, s, so that the rider gets the promised car. */
const farS = 600
/** Range of the time a rider needs to get in, s. */
const boardingS = [6, 15] as const
/** Range of the time before expiry at which a simulated driver accepts after all, s. */
const lastMomentS = [0.5, 1.5] as const

/** Returns the seconds until a driver reacts to a request: the nearer the pickup, the sooner. `luck` is from 0 to 1. */
export function reactionTime({ request }: Pick<BookingView, 'request'>, luck: number): number {
  const [soonest, latest] = reactionS
  const share = Math.min(1, (request?.pickupS ?? farS) / farS)
  return (0.9 + 0.1 * luck) * (soonest + share * (latest - soonest))
}

/**
 * Returns the seconds that a request is left to a real driver who was also asked: the rest of the time their screen
 * promises. An admin's assignment does not expire and has no wait.
 */
export function courtesyTime({ request }: Pick<BookingView, 'request'>, now: number, luck: number): number {
  if (request?.expires_at == null) return 0
  const [latest, soonest] = lastMomentS
  return Math.max(0, (request.expires_at - now) / 1000 - latest - luck * (soonest - latest))
}

/** Returns the seconds from the car's arrival until the rider has got in: no rider comes before the booked time. */
export function boardingTime(
  { bookLater, tripdate }: Pick<BookingView, 'bookLater' | 'tripdate'>,
  now: number,
  luck: number,
): number {
  const [soonest, latest] = boardingS
  const early = bookLater ? Math.max(0, tripdate - now) / 1000 : 0
  return early + soonest + luck * (latest - soonest)
}
