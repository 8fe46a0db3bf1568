import type { TableCount, TableSpec } from '@hansom/contract/tables'
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { queryClient } from '../../lib/query-client.ts'
import type { DataTableProps, TableFilterQuery, TablePage, TableQuery } from './table-types.ts'
import { countKey, refreshedPages, refreshes, rowsKey, scrolledPage } from './table-updates.ts'

interface Asked<Row, O extends TableSpec> {
  table: Pick<DataTableProps<Row, O>, 'name' | 'spec' | 'page' | 'count' | 'rowId' | 'pageSize'>
  sort: string
  narrowing: TableFilterQuery<O>
}

export interface TableRows<Row> {
  rows: readonly Row[]
  /** Total number of rows, as far as counted. */
  count: TableCount | null
  /** There are no rows beside these. */
  complete: boolean
  pending: boolean
  /** Still shows the previous query's rows. */
  stale: boolean
  /** The query waits for the connection to return. */
  paused: boolean
  error: unknown
  hasMore: boolean
  loadingMore: boolean
  loadMore: () => void
  retry: () => void
}

/** The rows of a table, page by page, with their count. The query cache is the single source of truth. */
export function useTableRows<Row, O extends TableSpec>({
  table,
  sort,
  narrowing,
}: Asked<Row, O>): TableRows<Row> {
  const { name, spec, page, count, rowId, pageSize } = table
  const list = useInfiniteQuery({
    queryKey: [...rowsKey(name), sort, narrowing],
    queryFn: ({ pageParam }) =>
      page({
        ...narrowing,
        sort,
        limit: pageSize ?? scrolledPage,
        ...(pageParam ? { cursor: pageParam } : {}),
      } as TableQuery<O>),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    // Comparing a thousand pages on every new one would block scrolling.
    structuralSharing: false,
    placeholderData: keepPreviousData,
    refetchOnMount: refreshes,
    refetchOnWindowFocus: refreshes,
    refetchOnReconnect: refreshes,
  })
  const counted = useQuery({
    queryKey: [...countKey(name), narrowing],
    queryFn: () => count?.({ ...narrowing, ...(spec.sums && { sums: 'true' }) }) ?? null,
    enabled: count !== undefined,
    placeholderData: keepPreviousData,
  })

  useEffect(
    () => () => {
      queryClient.setQueriesData<InfiniteData<TablePage<Row>, string | undefined>>(
        { queryKey: rowsKey(name) },
        (data) =>
          data && data.pages.length > refreshedPages
            ? {
                pages: data.pages.slice(0, refreshedPages),
                pageParams: data.pageParams.slice(0, refreshedPages),
              }
            : data,
      )
    },
    [name],
  )

  const flat = useRef<FlatRows<Row> | null>(null)
  flat.current = flatRows(flat.current, list.data?.pages ?? [], rowId)
  return {
    rows: flat.current.rows,
    count: counted.data ?? null,
    complete: list.isSuccess && !list.hasNextPage,
    pending: list.isPending,
    stale: list.isPlaceholderData,
    paused: list.isPaused,
    error: list.error,
    hasMore: list.hasNextPage,
    loadingMore: list.isFetchingNextPage,
    loadMore: () => {
      if (list.hasNextPage && !list.isFetchingNextPage && !list.isFetchNextPageError)
        void list.fetchNextPage()
    },
    retry: () => void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch()),
  }
}

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
