import type { TableSpec } from '@hansom/contract/tables'
import { cityDay } from '@hansom/domain/time/city-time'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { serverNow } from '../../lib/clock.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { announce } from '../announcer.tsx'
import type { MenuItem } from '../menu.tsx'
import { useDemoGuard } from '../use-demo-guard.tsx'
import { useUndoRemove } from '../use-undo-remove.ts'
import { editable } from './table-row.tsx'
import { filterQuery, resolveDays, useTableState } from './table-state.ts'
import { type Failure, useUndoToast } from './table-toasts.tsx'
import type { DataTableProps } from './table-types.ts'
import { addTableRow, dropTableRows, putTableRow, useTableUpdates } from './table-updates.ts'
import { useCellEdits, useRowEdits } from './use-edits.ts'
import { useTableRows } from './use-table-rows.ts'

const noFixed = {}

/** The dialog that is open on a table. */
export type TableDialog<Row> = { kind: 'edit' | 'remove'; row: Row } | { kind: 'create' }

/** State and actions of a `DataTable`: its rows, their edits and removal, the selection, menus and dialogs. */
export function useDataTable<Row, O extends TableSpec>(props: DataTableProps<Row, O>) {
  const { name, spec, columns, rowId, rowName, remove, pageSize, routes } = props
  const { t } = useText()
  const fixed: Readonly<Record<string, string | undefined>> = props.fixedFilters ?? noFixed
  const [state, change, invalid] = useTableState(spec)
  const { timezone } = useSettings()
  const today = cityDay(serverNow(), timezone)
  const narrowing = useMemo(
    () => filterQuery<O>(resolveDays(state, spec, today), fixed),
    [state, spec, today, fixed],
  )
  const list = useTableRows<Row, O>({ table: props, sort: state.sort, narrowing })
  const section = useRef<HTMLElement>(null)
  const scroller = () => section.current?.querySelector('[data-scroller]')
  const updates = useTableUpdates<Row, O>({
    table: props,
    sort: state.sort,
    narrowing,
    rows: list.rows,
    canShowNow: () =>
      list.rows.length === 0 ||
      (props.watched === true &&
        window.scrollY === 0 &&
        (scroller()?.scrollTop ?? 0) === 0 &&
        !section.current?.querySelector('[role="grid"], [role="list"]')?.contains(document.activeElement)),
  })
  const [failure, setFailure] = useState<Failure | null>(null)
  const undoToast = useUndoToast()
  const [menu, setMenu] = useState<{ row: Row; anchor: HTMLElement } | null>(null)
  const [dialog, setDialog] = useState<TableDialog<Row> | null>(null)

  const put = (row: Row) => putTableRow(name, row, rowId)
  const drop = (row: Row) => dropTableRows(name, new Set([rowId(row)]), rowId)
  const offerUndo = (row: Row, before: Row, changes: Partial<Row>, isUndo: boolean) => {
    setFailure(null)
    // Without the question of the column: undoing is a deliberate act that restores what was there before, and a
    // question would delay taking back a wrong fare.
    const undo = () => edits.edit(row, pick(before, Object.keys(changes) as (keyof Row)[]), true)
    // A value that could not be entered, such as a plate that was missing, cannot be restored either.
    const isRestorable = columns.every(
      ({ edit }) =>
        !edit || edit.value(before) === edit.value(row) || !edit.validate?.(edit.value(before), before),
    )
    undoToast.show(
      t(isUndo ? 'table.undone' : 'table.saved', { name: rowName(row) }),
      isRestorable ? undo : null,
    )
  }
  const edits = useRowEdits<Row>({
    rowId,
    save: (row, changes) => (props.save ? props.save(row, changes) : Promise.resolve(row)),
    current: put,
    saved: offerUndo,
    failed: (error, row, changes) => {
      cells.refuse(error, row, changes)
      setFailure({ message: t('table.not_saved', { name: rowName(row) }), error })
    },
  })
  const cells = useCellEdits<Row>(edits, columns, rowId)
  const removal = useUndoRemove<Row>({
    rowId,
    call: (row) => remove?.call(row) ?? Promise.resolve(),
    removed: drop,
    failed: (error, row) => setFailure({ message: t('table.not_removed', { name: rowName(row) }), error }),
  })

  const { hidden } = removal
  const all = useMemo(
    () => (hidden.size === 0 ? list.rows : list.rows.filter((row) => !hidden.has(rowId(row)))),
    [list.rows, hidden, rowId],
  )
  const paging = usePaging(all, pageSize, `${state.sort} ${JSON.stringify(narrowing)}`, list)
  const { rows } = paging
  // While a removal can be undone, the server still counts its row.
  const exact = list.count && !list.count.more ? list.count : null
  const count = exact && list.complete ? { ...exact, count: all.length } : list.count
  const total = exact && count ? count.count : null

  const { guard, closed, refused } = useDemoGuard()
  const mayEdit = props.save !== undefined && columns.some(({ edit }) => edit)
  const hasEdit = (row: Row) =>
    props.editDialog !== undefined || (mayEdit && columns.some((column) => editable(column, row)))
  const openEdit = (row: Row) => guard(routes?.save, () => setDialog({ kind: 'edit', row }))
  const itemsOf = (row: Row): MenuItem[] => [
    ...(hasEdit(row)
      ? [
          {
            id: 'edit',
            label: t('table.edit'),
            icon: <IconPencil size={18} aria-hidden />,
            onSelect: () => openEdit(row),
          },
        ]
      : []),
    ...(props.rowActions?.(row).map((action) => ({ ...action, onSelect: () => action.onSelect(row) })) ?? []),
    ...(remove && (remove.when?.(row) ?? true)
      ? [
          {
            id: 'remove',
            label: t('table.remove'),
            icon: <IconTrash size={18} aria-hidden />,
            danger: true,
            onSelect: () =>
              guard(routes?.remove, () =>
                remove.safety === 'undo' ? removal.remove(row) : setDialog({ kind: 'remove', row }),
              ),
          },
        ]
      : []),
  ]
  const { selection, toggle, toggleAll, choose } = useSelection(() => rows.map(rowId))
  const chosen = useMemo(
    () => (Object.keys(selection).length === 0 ? [] : all.filter((row) => selection[rowId(row)])),
    [all, selection, rowId],
  )

  const showUpdates = () => {
    updates.show()
    paging.goTo(0)
    scroller()?.scrollTo?.({ top: 0 })
    // The button no longer exists: moves the keyboard focus to the rows.
    section.current?.querySelector<HTMLElement>('[role="grid"], [role="listitem"] button')?.focus()
  }
  const announceSaved = (key: 'table.created' | 'table.saved' | 'table.removed', row: Row) => {
    announce(t(key, { name: rowName(row) }))
    setDialog(null)
  }
  return {
    state,
    change,
    invalid,
    fixed,
    narrowing,
    list,
    section,
    updates: { ...updates, show: showUpdates },
    all,
    rows,
    count,
    total,
    paging,
    edits,
    cells,
    canEdit: mayEdit && !closed(routes?.save),
    hasEdit,
    openEdit,
    hasMenu:
      mayEdit || props.editDialog !== undefined || props.rowActions !== undefined || remove !== undefined,
    itemsOf,
    menu,
    setMenu,
    dialog,
    setDialog,
    openCreate: () => guard(routes?.create, () => setDialog({ kind: 'create' })),
    created: (row: Row) => {
      void addTableRow(name, row, rowId)
      announceSaved('table.created', row)
    },
    saved: (row: Row) => {
      put(row)
      announceSaved('table.saved', row)
    },
    edited: (row: Row, before: Row, changes: Partial<Row>) => {
      put(row)
      offerUndo(row, before, changes, false)
      setDialog(null)
    },
    removed: (row: Row) => {
      drop(row)
      announceSaved('table.removed', row)
    },
    removal,
    put,
    selection,
    toggle,
    toggleAll,
    choose,
    chosen,
    failure,
    setFailure,
    undoToast,
    refused,
  }
}

export type DataTableState<Row, O extends TableSpec> = ReturnType<typeof useDataTable<Row, O>>

/** The rows of the current page of a paged table, or all of them. Another query starts at the first page. */
function usePaging<Row>(
  all: readonly Row[],
  pageSize: number | undefined,
  queryKey: string,
  { hasMore, loadMore }: { hasMore: boolean; loadMore: () => void },
) {
  const [chosen, setChosen] = useState({ key: '', page: 0 })
  const wanted = chosen.key === queryKey ? chosen.page : 0
  // If a page is empty, for example after its last row was removed, shows the previous one.
  const page = pageSize ? Math.min(wanted, Math.max(0, Math.ceil(all.length / pageSize) - 1)) : 0
  useEffect(() => {
    if (page < wanted && hasMore) loadMore()
  })
  return {
    page,
    rows: pageSize ? all.slice(page * pageSize, (page + 1) * pageSize) : all,
    goTo: (to: number) => {
      setChosen({ key: queryKey, page: to })
      if (pageSize && (to + 1) * pageSize >= all.length) loadMore()
    },
  }
}

function pick<Row>(row: Row, fields: readonly (keyof Row)[]): Partial<Row> {
  return Object.fromEntries(fields.map((field) => [field, row[field]])) as Partial<Row>
}

/** Selected rows of a table, by id; Shift selects the range from the last toggled row. */
function useSelection(ids: () => readonly string[]) {
  const [selection, setSelection] = useState<Record<string, true>>({})
  const [anchor, setAnchor] = useState<string | null>(null)
  const toggle = (id: string, shift: boolean) => {
    const on = selection[id] !== true
    const touched = shift && anchor ? between(ids(), anchor, id) : [id]
    const rest = Object.entries(selection).filter(([one]) => !touched.includes(one))
    choose([...rest.map(([one]) => one), ...(on ? touched : [])])
    setAnchor(id)
  }
  const choose = (chosen: readonly string[]) =>
    setSelection(Object.fromEntries(chosen.map((id) => [id, true as const])))
  const toggleAll = () => choose(ids().every((id) => selection[id]) ? [] : ids())
  return { selection, toggle, toggleAll, choose }
}

/** The ids between two, in either order. */
function between(ids: readonly string[], one: string, other: string): readonly string[] {
  const [from, to] = [ids.indexOf(one), ids.indexOf(other)]
  return from < 0 || to < 0 ? [other] : ids.slice(Math.min(from, to), Math.max(from, to) + 1)
}
