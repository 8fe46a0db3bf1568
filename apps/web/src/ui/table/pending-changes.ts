import type { TablePage } from './table-types.ts'

/** Differences between the first page on the server and the rows shown. */
export interface PendingChanges {
  added: number
  removed: number
}

/**
 * Compares the shown rows with the current first page. Removed rows are known only if that page is complete, because a
 * missing row may be on a later page.
 */
export function comparePages<Row>(
  shown: readonly Row[],
  fresh: TablePage<Row>,
  idOf: (row: Row) => string,
): PendingChanges {
  const known = new Set(shown.map(idOf))
  const there = new Set(fresh.items.map(idOf))
  const added = fresh.items.filter((row) => !known.has(idOf(row))).length
  const removed = fresh.next === null ? shown.filter((row) => !there.has(idOf(row))).length : 0
  return { added, removed }
}
