import type { TablePage } from './table-types.ts'

/** All rows of the pages that were read, each once. */
export interface FlatRows<Row> {
  pages: readonly TablePage<Row>[]
  rows: readonly Row[]
  ids: Set<string>
}

/**
 * Puts pages into one list. Pages that came behind known ones are appended, so that the thousandth page costs as much
 * as the first. A row that was met already is left out: it has moved in the order while pages were read.
 */
export function flatRows<Row>(
  known: FlatRows<Row> | null,
  pages: readonly TablePage<Row>[],
  idOf: (row: Row) => string,
): FlatRows<Row> {
  const goesOn = known !== null && known.pages.every((page, index) => pages[index] === page)
  if (goesOn && known.pages.length === pages.length) return known
  const ids = goesOn ? known.ids : new Set<string>()
  const rows = goesOn ? [...known.rows] : []
  for (const { items } of pages.slice(goesOn ? known.pages.length : 0)) {
    for (const row of items) {
      const id = idOf(row)
      if (ids.has(id)) continue
      ids.add(id)
      rows.push(row)
    }
  }
  return { pages, rows, ids }
}
