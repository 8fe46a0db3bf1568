import type { InfiniteData } from '@tanstack/react-query'
import { queryClient } from '../../lib/query-client.ts'
import type { TablePage } from './table-types.ts'

type Pages = InfiniteData<TablePage<unknown>, string | undefined>

/** Key prefix of all cached pages of a table, with any filters. */
export function rowsKey(name: string): readonly unknown[] {
  return ['table', name, 'rows']
}

/** Key prefix of all cached counts of a table. */
export function countKey(name: string): readonly unknown[] {
  return ['table', name, 'count']
}

function versionOf(row: unknown): number | null {
  const version = (row as { version?: unknown } | null)?.version
  return typeof version === 'number' ? version : null
}

/** Whether `next` may replace `old`: an older version never does. */
export function isNewer(old: unknown, next: unknown): boolean {
  const [before, after] = [versionOf(old), versionOf(next)]
  return before === null || after === null || after >= before
}

function changePages(name: string, change: (pages: Pages['pages']) => Pages['pages']): void {
  queryClient.setQueriesData<Pages>({ queryKey: rowsKey(name) }, (data) => {
    if (!data) return data
    const pages = change(data.pages)
    return pages === data.pages ? data : { ...data, pages }
  })
}

/** Replaces a row wherever the table shows it. For responses and live events. */
export function putTableRow<Row>(name: string, row: Row, idOf: (row: Row) => string): void {
  const id = idOf(row)
  changePages(name, (pages) => {
    let touched = false
    const next = pages.map((page) => {
      const at = page.items.findIndex((item) => idOf(item as Row) === id)
      if (at < 0 || !isNewer(page.items[at], row)) return page
      touched = true
      return { ...page, items: page.items.with(at, row) }
    })
    return touched ? next : pages
  })
}

/** Like putTableRow, for many rows. */
export function putTableRows<Row>(name: string, rows: readonly Row[], idOf: (row: Row) => string): void {
  const byId = new Map(rows.map((row) => [idOf(row), row]))
  changePages(name, (pages) =>
    pages.map((page) => {
      const newer = (item: unknown) => {
        const row = byId.get(idOf(item as Row))
        return row !== undefined && isNewer(item, row) ? row : item
      }
      const items = page.items.map(newer)
      return items.some((item, at) => item !== page.items[at]) ? { ...page, items } : page
    }),
  )
}

/** Adds a new row on top until the table is reloaded. */
export function addTableRow<Row>(name: string, row: Row): void {
  changePages(name, ([first, ...rest]) =>
    first ? [{ ...first, items: [row, ...first.items] }, ...rest] : [{ items: [row], next: null }],
  )
  void queryClient.invalidateQueries({ queryKey: countKey(name) })
}

/** Removes rows from the cached pages. */
export function dropTableRows<Row>(name: string, ids: ReadonlySet<string>, idOf: (row: Row) => string): void {
  changePages(name, (pages) =>
    pages.map((page) => {
      const items = page.items.filter((item) => !ids.has(idOf(item as Row)))
      return items.length === page.items.length ? page : { ...page, items }
    }),
  )
  void queryClient.invalidateQueries({ queryKey: countKey(name) })
}

/** Reloads a table from the first page. */
export function reloadTable(name: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: countKey(name) })
  return queryClient.resetQueries({ queryKey: rowsKey(name) })
}
