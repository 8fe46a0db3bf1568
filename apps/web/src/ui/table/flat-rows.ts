import type { TablePage } from './table-types.ts'

/** All rows of the loaded pages, without duplicates. */
export interface FlatRows<Row> {
  pages: readonly TablePage<Row>[]
  rows: readonly Row[]
  ids: Set<string>
}

/**
 * Flattens pages into one list. Pages after known ones are appended, so that the thousandth page costs as much as the
 * first. Duplicates are skipped: a row may move in the order between two reads.
 */
export function flatRows<Row>(
  known: FlatRows<Row> | null,
  pages: readonly TablePage<Row>[],
  idOf: (row: Row) => string,
): FlatRows<Row> {
  const isExtension = known !== null && known.pages.every((page, index) => pages[index] === page)
  if (isExtension && known.pages.length === pages.length) return known
  const ids = isExtension ? known.ids : new Set<string>()
  const rows = isExtension ? [...known.rows] : []
  for (const { items } of pages.slice(isExtension ? known.pages.length : 0)) {
    for (const row of items) {
      const id = idOf(row)
      if (ids.has(id)) continue
      ids.add(id)
      rows.push(row)
    }
  }
  return { pages, rows, ids }
}
