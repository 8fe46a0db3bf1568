import type { TablePage } from './table-types.ts'

/** How a table's beginning, read anew, differs from what it shows: rows that would come, and rows that would go. */
export interface Ahead {
  came: number
  left: number
}

/**
 * Compares rows that are shown with the beginning as it is now. Which rows have gone is known only when the beginning is
 * all there is: a row beyond it may stand further down.
 */
export function aheadOf<Row>(
  shown: readonly Row[],
  fresh: TablePage<Row>,
  idOf: (row: Row) => string,
): Ahead {
  const known = new Set(shown.map(idOf))
  const there = new Set(fresh.items.map(idOf))
  const came = fresh.items.filter((row) => !known.has(idOf(row))).length
  const left = fresh.next === null ? shown.filter((row) => !there.has(idOf(row))).length : 0
  return { came, left }
}
