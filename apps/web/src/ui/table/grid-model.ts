import {
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  createColumnHelper,
  type ReactTable,
  type Row as TableRowModel,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import type { Translate } from '../../lib/i18n.ts'
import type { TableColumn } from './table-types.ts'

export const features = tableFeatures({
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSelectionFeature,
  rowSortingFeature,
})
export type GridRow<Row> = TableRowModel<typeof features, Row & object>
export type GridTable<Row> = ReactTable<typeof features, Row & object>

export const defaultWidth = 160

interface Options<Row> {
  columns: readonly TableColumn<Row>[]
  /** Only the visible rows, so that scrolling costs the same for any table length. */
  rows: readonly Row[]
  rowId: (row: Row) => string
  sort: string
  shown: Readonly<Record<string, boolean>>
  selection: Record<string, true>
  selectable: boolean
  t: Translate
}

/** Columns and visible rows as TanStack Table models. The server sorts and filters. */
export function useGridModel<Row>(options: Options<Row>): GridTable<Row> {
  const { columns, rows, rowId, sort, shown, selection, selectable, t } = options
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row & object>()
    return columns.map((column) =>
      helper.display({
        id: column.id,
        header: () => t(column.header),
        cell: ({ row }) => column.cell(row.original),
        size: column.width ?? defaultWidth,
        enableSorting: column.sort !== undefined,
        enableHiding: column.hideable !== false && column !== columns[0],
      }),
    )
  }, [columns, t])
  const sorting = useMemo(() => {
    const name = sort.replace(/^-/, '')
    const column = columns.find((one) => one.sort === name)
    return column ? [{ id: column.id, desc: sort.startsWith('-') }] : []
  }, [columns, sort])
  const pinning = useMemo(() => ({ start: columns[0] ? [columns[0].id] : [], end: [] }), [columns])
  const visibility = useMemo(
    () => ({
      ...Object.fromEntries(columns.filter(({ hidden }) => hidden).map(({ id }) => [id, false])),
      ...shown,
      ...(columns[0] ? { [columns[0].id]: true } : {}),
    }),
    [columns, shown],
  )
  return useTable({
    features,
    columns: definitions,
    data: rows as readonly (Row & object)[],
    getRowId: rowId,
    manualSorting: true,
    enableRowSelection: selectable,
    state: { sorting, columnPinning: pinning, columnVisibility: visibility, rowSelection: selection },
  })
}
