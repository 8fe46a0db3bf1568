import type { Amount } from '../money/amount.ts'
import type { CancelSlab } from './fare.ts'

/** A driver who is later than promised by more than this has no claim to a cancellation fee. */
export const lateGraceMs = 5 * 60_000

/** When the driver accepted, promised to arrive and arrived, and the current time. Epoch ms. */
export interface CancellationTimes {
  accepted_at: number | null
  promised_arrival: number | null
  driver_arrive_time?: number | null
  now: number
}

/**
 * The rider's fee for cancelling now: the slab with the greatest `minsDelayed` not above the minutes since acceptance.
 * 0 before acceptance, and 0 when the driver is more than 5 minutes later than promised. Book Later needs no separate
 * rule: no driver can accept before the trip is due for dispatch, and from then on the driver keeps the time free.
 */
export function cancellationFee(slabs: readonly CancelSlab[], times: CancellationTimes): Amount {
  if (times.accepted_at === null || isDriverLate(times)) return 0
  const minutes = (times.now - times.accepted_at) / 60_000
  let due: CancelSlab | undefined
  for (const slab of slabs) {
    if (slab.minsDelayed <= minutes && (!due || slab.minsDelayed >= due.minsDelayed)) due = slab
  }
  return due?.amount ?? 0
}

/** The next higher fee and its start, epoch ms; null when the fee does not rise or no fee can be due. */
export function nextCancellationFee(
  slabs: readonly CancelSlab[],
  times: CancellationTimes,
): { fee: Amount; from: number } | null {
  const { accepted_at } = times
  if (accepted_at === null || isDriverLate(times)) return null
  const fee = cancellationFee(slabs, times)
  const rises = slabs
    .map(({ minsDelayed, amount }) => ({ fee: amount, from: accepted_at + minsDelayed * 60_000 }))
    .filter((slab) => slab.from > times.now && slab.fee > fee)
  return rises.sort((a, b) => a.from - b.from)[0] ?? null
}

/** True when the driver arrived, or still has not arrived, more than 5 minutes after the promised time. */
export function isDriverLate(times: CancellationTimes): boolean {
  if (times.promised_arrival === null) return false
  return (times.driver_arrive_time ?? times.now) > times.promised_arrival + lateGraceMs
}
