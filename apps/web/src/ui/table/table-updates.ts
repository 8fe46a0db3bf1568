import type { TableChanges } from '@hansom/contract/live'
import type { TableSpec } from '@hansom/contract/tables'
import type { WatchedTable } from '@hansom/domain/audit/record-kinds'
import type { InfiniteData } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { live } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import type { DataTableProps, TableFilterQuery, TablePage, TableQuery } from './table-types.ts'

type Pages = InfiniteData<TablePage<unknown>, string | undefined>

/** Page size of a scrolled table. */
export const scrolledPage = 100

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
function isNewer(old: unknown, next: unknown): boolean {
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

/**
 * Replaces a row wherever the table shows it. For responses and live events; fields that these lack stay as they were.
 */
export function putTableRow<Row>(name: string, row: Row, idOf: (row: Row) => string): void {
  const id = idOf(row)
  changePages(name, (pages) => {
    let touched = false
    const next = pages.map((page) => {
      const at = page.items.findIndex((item) => idOf(item as Row) === id)
      if (at < 0 || !isNewer(page.items[at], row)) return page
      touched = true
      return { ...page, items: page.items.with(at, Object.assign({}, page.items[at], row)) }
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

/** Pages that are read again; a table that was scrolled further keeps what it has. */
export const refreshedPages = 3

/** Whether a table is read again without being asked: not if the user has scrolled far. */
export function refreshes(query: { state: { data?: unknown } }): boolean {
  const data = query.state.data as { pages?: readonly unknown[] } | undefined
  return (data?.pages?.length ?? 0) <= refreshedPages
}

/**
 * Adds a new row: on top at once, then where the sort puts it. It stays on top until the table is reloaded if its place
 * is on a page that is not loaded or if the filters exclude it.
 */
export async function addTableRow<Row>(name: string, row: Row, idOf: (row: Row) => string): Promise<void> {
  const id = idOf(row)
  const addOnTop = () =>
    changePages(name, (pages) => {
      if (pages.some(({ items }) => items.some((item) => idOf(item as Row) === id))) return pages
      const [first, ...rest] = pages
      return first ? [{ ...first, items: [row, ...first.items] }, ...rest] : [{ items: [row], next: null }]
    })
  addOnTop()
  void queryClient.invalidateQueries({ queryKey: countKey(name) })
  await queryClient.invalidateQueries({ queryKey: rowsKey(name), predicate: refreshes })
  addOnTop()
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

const listeners = new Map<string, Set<() => void>>()

/** Notifies an open table that its rows have changed, from any source. */
export function notifyTable(name: string): void {
  for (const listener of listeners.get(name) ?? []) listener()
}

/** Calls `listener` on every notice to a table. Returns an unsubscribe function. */
export function onTableChanged(name: string, listener: () => void): () => void {
  const all = listeners.get(name) ?? new Set()
  listeners.set(name, all.add(listener))
  return () => {
    all.delete(listener)
  }
}

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

/**
 * Minimum interval between reloads for changes, ms. The first reload waits a random time up to half of it, so that open
 * pages do not all send requests at once.
 */
export const reloadIntervalMs = 2_000

interface Options<Row, O extends TableSpec> {
  table: Pick<DataTableProps<Row, O>, 'name' | 'page' | 'rowId' | 'pageSize' | 'changeEvents'>
  sort: string
  narrowing: TableFilterQuery<O>
  rows: readonly Row[]
  /** Whether new rows may be shown immediately, because they would not shift anything in use. */
  canShowNow: () => boolean
}

export interface TableUpdates extends PendingChanges {
  show: () => void
}

/**
 * Tracks changes by others to an open table. Rereads the first page with the current sort and filters: shown rows
 * update in place, added and removed rows are counted until the user asks for them.
 */
export function useTableUpdates<Row, O extends TableSpec>(options: Options<Row, O>): TableUpdates {
  const { table, sort, narrowing, rows } = options
  const { name, changeEvents } = table
  const key = JSON.stringify([sort, narrowing])
  const [read, setRead] = useState<{ key: string; fresh: TablePage<Row> } | null>(null)
  const latest = useRef({ ...options, key })
  latest.current = { ...options, key }

  const show = (fresh: TablePage<Row>) => {
    const { table, sort, narrowing } = latest.current
    queryClient.setQueryData([...rowsKey(table.name), sort, narrowing], {
      pages: [fresh],
      pageParams: [undefined],
    })
    void queryClient.invalidateQueries({ queryKey: countKey(table.name) })
    setRead(null)
  }

  useEffect(() => {
    if (changeEvents === undefined) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let nextAt = 0
    let waiting = false
    let isDisposed = false
    const reload = async () => {
      const { table, sort, narrowing, key } = latest.current
      const query = { ...narrowing, sort, limit: table.pageSize ?? scrolledPage } as TableQuery<O>
      const fresh = await table.page(query).catch(() => null)
      if (fresh === null || isDisposed || latest.current.key !== key) return
      putTableRows(name, fresh.items, table.rowId)
      const { added, removed } = comparePages(latest.current.rows, fresh, table.rowId)
      if (latest.current.canShowNow()) show(fresh)
      else {
        // The count stays that of the rows shown; a change on a later page only changes the count.
        if (added + removed === 0) void queryClient.invalidateQueries({ queryKey: countKey(name) })
        setRead({ key, fresh })
      }
    }
    const reloadIfDue = () => {
      timer = undefined
      if (!waiting || document.visibilityState === 'hidden') return
      waiting = false
      nextAt = performance.now() + reloadIntervalMs
      void reload()
    }
    const scheduleReload = () => {
      waiting = true
      timer ??= setTimeout(
        reloadIfDue,
        Math.max(nextAt - performance.now(), (Math.random() * reloadIntervalMs) / 2),
      )
    }
    const onVisible = () => {
      if (waiting && timer === undefined) reloadIfDue()
    }
    let isCurrent = false
    const onChange = ({ tables }: TableChanges) => {
      if (tables.includes(changeEvents as WatchedTable)) scheduleReload()
    }
    const unsubscribes = [
      onTableChanged(name, scheduleReload),
      ...(changeEvents === 'noticed'
        ? []
        : [
            live.subscribe('office', {
              // The first snapshot describes changes that the table already contains.
              snapshot: (data) => isCurrent && onChange(data),
              event: onChange,
              volatile: onChange,
              current: (current) => {
                isCurrent ||= current
              },
            }),
          ]),
    ]
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      isDisposed = true
      clearTimeout(timer)
      for (const unsubscribe of unsubscribes) unsubscribe()
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [name, changeEvents])

  const { rowId } = table
  const fresh = read?.key === key ? read.fresh : null
  const ahead = useMemo(
    () => (fresh === null ? { added: 0, removed: 0 } : comparePages(rows, fresh, rowId)),
    [fresh, rows, rowId],
  )
  return { ...ahead, show: () => fresh && show(fresh) }
}
