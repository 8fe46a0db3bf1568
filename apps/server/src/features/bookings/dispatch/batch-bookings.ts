import { maySearch } from '@hansom/domain/bookings/new-booking'
import type { CurrentSettings } from '../../settings/service.ts'
import { strategyAt, type WaveDeps } from './ask-drivers.ts'
import type { WaitingBooking } from './dispatch-facts.ts'
import { nextBatchAt, othersSearching } from './wave.ts'

/** Bookings of one batch; the others wait for the next. */
const mostBookings = 2_000
/** Readings of that many, because most may be of other strategies. */
const mostPages = 10
/** Batches that a booking which fails again and again is left out of, at most. */
const mostLeftOut = 64

/** When the next batch is due, null if no one waits for it; and bookings whose strategy is another one by now. */
export interface BatchOutcome {
  next: number | null
  others: { booking: string; wave: number }[]
}

/** The bookings whose last commands failed: how often, and when they are matched again. A server keeps its own. */
export type BatchFailures = Map<string, { count: number; until: number }>

export interface BatchOptions {
  most?: number
  failures?: BatchFailures
}

/** Counts a failure. The first is tried again in the next batch; after more, the booking takes no driver for ever longer. */
export function noteFailure(
  failures: BatchFailures,
  booking: string,
  now: number,
  batchSeconds: number,
): void {
  const count = (failures.get(booking)?.count ?? 0) + 1
  const leftOut = count === 1 ? 0 : Math.min(mostLeftOut, 2 ** (count - 1))
  failures.set(booking, { count, until: now + leftOut * batchSeconds * 1000 })
}

/** The bookings to match now, with their figures; and when the next batch is due for those that are left out. */
export async function bookingsOfBatch(
  deps: WaveDeps,
  settings: CurrentSettings,
  { most = mostBookings, failures }: BatchOptions,
): Promise<BatchOutcome & { waiting: Chosen[] }> {
  const now = deps.clock.now()
  const waiting: Chosen[] = []
  const others: BatchOutcome['others'] = []
  const seen = new Set<string>()
  let isLeftOut = false
  // Those of other strategies, which have jobs of their own, take no one's place.
  for (let page = 0, isLast = false; !isLast && waiting.length < most; page++) {
    if (page === mostPages) {
      isLeftOut = true
      break
    }
    const read = await deps.dispatchFacts.waiting(now, settings.dispatch.leadMinutes, most, page * most)
    isLast = read.length < most
    for (const booking of read) {
      if (seen.has(booking.id)) continue
      seen.add(booking.id)
      const chosen = { booking, ...(await strategyAt(deps, booking.pickup, settings, now)) }
      if (chosen.figures.strategy !== 'batch') others.push({ booking: booking.id, wave: booking.wave })
      else if (waiting.length >= most || (failures?.get(booking.id)?.until ?? 0) > now) isLeftOut = true
      // Its own job waits for its turn.
      else if (
        booking.wave > 0 ||
        maySearch(await othersSearching(deps, booking), booking, settings.category)
      )
        waiting.push(chosen)
    }
    // Pages shift when bookings leave the list meanwhile: one may have been missed.
    if (page > 0 || (!isLast && waiting.length >= most)) isLeftOut = true
  }
  if (!isLeftOut) for (const id of failures?.keys() ?? []) if (!seen.has(id)) failures?.delete(id)
  const next = isLeftOut ? nextBatchAt(now + 1, settings.dispatch.batchSeconds) : null
  return { waiting, others, next }
}

type Chosen = { booking: WaitingBooking } & Awaited<ReturnType<typeof strategyAt>>
