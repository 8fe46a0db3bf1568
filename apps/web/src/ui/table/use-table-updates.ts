import type { TableChanges } from '@hansom/contract/live'
import type { TableSpec } from '@hansom/contract/tables'
import type { WatchedTable } from '@hansom/domain/access/watched-tables'
import { useEffect, useMemo, useRef, useState } from 'react'
import { live } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { comparePages, type PendingChanges } from './pending-changes.ts'
import { countKey, putTableRows, rowsKey } from './row-cache.ts'
import { onTableChanged } from './table-events.ts'
import type { DataTableProps, TableFilterQuery, TablePage, TableQuery } from './table-types.ts'
import { scrolledPage } from './use-table-rows.ts'

/**
 * Minimum interval between reloads for changes, ms. The first reload waits a random time up to half of it, so that open
 * pages do not all send requests at once.
 */
export const reloadIntervalMs = 2_000

interface Options<Row, O extends TableSpec> {
  table: Pick<DataTableProps<Row, O>, 'name' | 'page' | 'rowId' | 'pageSize' | 'news'>
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
  const { name, news } = table
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
    if (news === undefined) return
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
      if (tables.includes(news as WatchedTable)) scheduleReload()
    }
    const unsubscribes = [
      onTableChanged(name, scheduleReload),
      ...(news === 'noticed'
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
  }, [name, news])

  const { rowId } = table
  const fresh = read?.key === key ? read.fresh : null
  const ahead = useMemo(
    () => (fresh === null ? { added: 0, removed: 0 } : comparePages(rows, fresh, rowId)),
    [fresh, rows, rowId],
  )
  return { ...ahead, show: () => fresh && show(fresh) }
}
