import type { DispatchBooking } from '@hansom/contract/dispatch'
import type { QueuePart } from '@hansom/domain/dispatch/board'

/** A row of the queue. */
export interface QueueRow {
  part: QueuePart
  booking: DispatchBooking
  /** Has left the queue, and stays in place until the pointer leaves. */
  gone?: true
}

/**
 * The rows to show while the pointer is over the queue, so that none moves under it: known ones keep their places, those
 * that left are marked as gone, and new ones wait.
 */
export function steadyRows(shown: readonly QueueRow[], next: readonly QueueRow[]): QueueRow[] {
  const current = new Map(next.map((row) => [row.booking.id, row]))
  return shown.map((row): QueueRow => {
    const now = current.get(row.booking.id)
    return now ? { part: row.part, booking: now.booking } : { ...row, gone: true }
  })
}

/** The items of `next` in the order of `shown`; new ones follow. */
export function keepOrder<T extends { id: string }>(shown: readonly string[], next: readonly T[]): T[] {
  const place = new Map(shown.map((id, index) => [id, index]))
  const placeOf = ({ id }: T) => place.get(id) ?? shown.length
  return next.toSorted((a, b) => placeOf(a) - placeOf(b))
}
