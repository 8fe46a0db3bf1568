import type { BookingView } from '@hansom/contract/bookings'

/** How long a request rests before a simulated driver answers it, s. */
const reactionS = [1.5, 5] as const
/** Whoever is so far from the pickup takes the longest, so that the rider gets the car that was promised. */
const farS = 600
/** A rider needs so long to get in, s. */
const boardingS = [6, 15] as const
/** So long before a request lapses a simulated driver takes it after all, s. */
const lastMomentS = [0.5, 1.5] as const

/** Seconds until a driver looks at a request: the nearer the pickup, the sooner. `luck` is from 0 to 1. */
export function reactionTime({ request }: Pick<BookingView, 'request'>, luck: number): number {
  const [soonest, latest] = reactionS
  const share = Math.min(1, (request?.pickupS ?? farS) / farS)
  return (0.9 + 0.1 * luck) * (soonest + share * (latest - soonest))
}

/**
 * Seconds that a request is left to a person who was asked too: what is left of the time that the person's screen
 * promises. Nobody simulated waits for an admin's assignment, which does not lapse.
 */
export function courtesyTime({ request }: Pick<BookingView, 'request'>, now: number, luck: number): number {
  if (request?.expires_at == null) return 0
  const [latest, soonest] = lastMomentS
  return Math.max(0, (request.expires_at - now) / 1000 - latest - luck * (soonest - latest))
}

/** Seconds until a rider has got in, from the car's arrival: nobody comes earlier than they booked for. */
export function boardingTime(
  { bookLater, tripdate }: Pick<BookingView, 'bookLater' | 'tripdate'>,
  now: number,
  luck: number,
): number {
  const [soonest, latest] = boardingS
  const early = bookLater ? Math.max(0, tripdate - now) / 1000 : 0
  return early + soonest + luck * (latest - soonest)
}
