import type { TableSpec } from '@hansom/contract/tables'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../announcer.tsx'
import { Button } from '../button.tsx'
import { useDemoGuard } from '../use-demo-guard.tsx'
import { CreateButton } from '../create-button.tsx'
import { EmptyState, ErrorState, LoadingState } from '../page-states.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import classes from './data-table.module.css'
import { Menu, type MenuItem } from '../menu.tsx'
import { UpdatesButton } from './updates-button.tsx'
import { Pager } from './pager.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { addTableRow, dropTableRows, putTableRow } from './row-cache.ts'
import { RowDialog } from './row-dialog.tsx'
import { TableBar, TableTitle } from './table-bar.tsx'
import { TableCards } from './table-cards.tsx'
import { TableGrid } from './table-grid.tsx'
import { editable } from './table-row.tsx'
import { isFiltered, filterQuery } from './table-state.ts'
import { type Failure, TableToasts } from './table-toasts.tsx'
import type { DataTableProps, FilterDisplay } from './table-types.ts'
import { useMedia } from '../../lib/use-media.ts'
import { useRowEdits } from './use-row-edits.ts'
import { useSelection } from './use-selection.ts'
import { useTableUpdates } from './use-table-updates.ts'
import { useTableRows } from './use-table-rows.ts'
import { useTableState } from './use-table-state.ts'
import { useUndoRemove } from '../use-undo-remove.ts'

const noFixed = {}

/**
 * The table of an admin screen: server rows, loaded page by page in one scroller or with a pager. Sort, search, filters,
 * columns and the selected view are in the URL. Cells are edited in place (Enter or F2, Tab, Esc), shown immediately and
 * sent after 600 ms; on a phone, rows are two-line cards. Define columns outside the component, or memoize them.
 *
 * ```tsx
 * const columns: TableColumn<Promo>[] = [
 *   {
 *     id: 'code',
 *     header: 'promos.code',
 *     cell: (promo) => <Ltr>{promo.code}</Ltr>,
 *     sort: 'code',
 *     phone: 'title',
 *     edit: { kind: 'text', value: (promo) => promo.code, changes: (code) => ({ code: String(code) }) },
 *   },
 *   { id: 'used', header: 'promos.used', cell: (promo) => promo.used, align: 'end', width: 110, phone: 'subtitle' },
 * ]
 *
 * <DataTable
 *   name="promos"
 *   title="promos.title"
 *   offer={promosTable}
 *   columns={columns}
 *   filters={{ active: { label: 'promos.active' } }}
 *   page={(query) => api.promos.list(query)}
 *   count={(narrowing) => api.promos.count(narrowing)}
 *   rowId={(promo) => promo.id}
 *   rowName={(promo) => promo.code}
 *   save={({ id, version }, changes) => api.promos.update({ id, version, ...changes })}
 *   create={{ label: 'promos.add', dialog: (calls) => <AddPromo {...calls} /> }}
 *   remove={{ name: (promo) => promo.code, call: ({ id }) => api.promos.remove({ id }), safety: 'undo' }}
 *   exportUrl="/api/v1/exports/promos"
 *   empty={{ title: 'promos.empty', text: 'promos.empty_text' }}
 * />
 * ```
 *
 * Live events update rows with `putTableRow(name, row, rowId)`.
 */
export function DataTable<Row, O extends TableSpec>(props: DataTableProps<Row, O>) {
  const { name, title, spec: offer, columns, rowId, rowName, remove, bulk, create, pageSize } = props
  const { t } = useText()
  const phone = useMedia('(max-width: 640px)')
  const fixed: Readonly<Record<string, string | undefined>> = props.fixedFilters ?? noFixed
  const looks = (props.filters ?? noFixed) as Readonly<Record<string, FilterDisplay | undefined>>
  const [state, change] = useTableState(offer)
  const narrowing = useMemo(() => filterQuery<O>(state, fixed), [state, fixed])
  const list = useTableRows<Row, O>({ table: props, sort: state.sort, narrowing })
  const section = useRef<HTMLElement>(null)
  const scroller = () => section.current?.querySelector('[data-scroller]')
  const news = useTableUpdates<Row, O>({
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
  const [menu, setMenu] = useState<{ row: Row; anchor: HTMLElement } | null>(null)
  const [dialog, setDialog] = useState<{ kind: 'edit' | 'remove'; row: Row } | { kind: 'create' } | null>(
    null,
  )
  const [pageAt, setPageAt] = useState({ key: '', page: 0 })

  const put = (row: Row) => putTableRow(name, row, rowId)
  const gone = (row: Row) => dropTableRows(name, new Set([rowId(row)]), rowId)
  const edits = useRowEdits<Row>({
    rowId,
    save: (row, changes) => (props.save ? props.save(row, changes) : Promise.resolve(row)),
    saved: (row) => {
      put(row)
      announce(t('table.saved', { name: rowName(row) }))
    },
    failed: (error, row) => setFailure({ message: t('table.not_saved', { name: rowName(row) }), error }),
  })
  const removal = useUndoRemove<Row>({
    rowId,
    call: (row) => remove?.call(row) ?? Promise.resolve(),
    removed: gone,
    failed: (error, row) => setFailure({ message: t('table.not_removed', { name: rowName(row) }), error }),
  })

  const { hidden } = removal
  const all = useMemo(
    () => (hidden.size === 0 ? list.rows : list.rows.filter((row) => !hidden.has(rowId(row)))),
    [list.rows, hidden, rowId],
  )
  const pageKey = `${state.sort} ${JSON.stringify(narrowing)}`
  const wanted = pageAt.key === pageKey ? pageAt.page : 0
  // If a page is empty, for example after its last row was removed, shows the previous one.
  const page = pageSize ? Math.min(wanted, Math.max(0, Math.ceil(all.length / pageSize) - 1)) : 0
  const { hasMore, loadMore } = list
  useEffect(() => {
    if (page < wanted && hasMore) loadMore()
  })
  const rows = pageSize ? all.slice(page * pageSize, (page + 1) * pageSize) : all
  const total = list.count && !list.count.more ? list.count.count : null

  const { guard, closed, refused } = useDemoGuard()
  const { routes } = props
  const mayEdit = props.save !== undefined && columns.some(({ edit }) => edit)
  const canEdit = mayEdit && !closed(routes?.save)
  const hasMenu =
    mayEdit || props.editDialog !== undefined || props.rowActions !== undefined || remove !== undefined
  const itemsOf = (row: Row): MenuItem[] => [
    ...(props.editDialog || (mayEdit && columns.some((column) => editable(column, row)))
      ? [
          {
            id: 'edit',
            label: t('table.edit'),
            icon: <IconPencil size={18} aria-hidden />,
            onSelect: () => guard(routes?.save, () => setDialog({ kind: 'edit', row })),
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

  const onMenu = hasMenu ? (row: Row, anchor: HTMLElement) => setMenu({ row, anchor }) : null
  const shared = {
    label: t(title),
    columns,
    rows,
    shown: edits.shown,
    rowId,
    rowName,
    total: pageSize ? rows.length : total,
    hasMore: !pageSize && hasMore,
    loadMore,
    plain: pageSize !== undefined,
    dimmed: list.stale,
    open: props.onOpen ?? null,
    selection: bulk ? selection : null,
    onToggle: toggle,
    onMenu,
    hasActions: (row: Row) => itemsOf(row).length > 0,
  }
  const words = new URLSearchParams({ sort: state.sort, ...(narrowing as Record<string, string>) })
  const narrowed = isFiltered(state)
  const createButton = (showsLabel?: true) =>
    create ? (
      <CreateButton
        label={t(create.label)}
        onClick={() => guard(routes?.create, () => setDialog({ kind: 'create' }))}
        showsLabel={showsLabel}
      />
    ) : null

  return (
    <section
      ref={section}
      className={`${classes.table} ${props.heading === false ? '' : classes.page}`}
      aria-label={t(title)}
      data-table={name}
    >
      {props.heading === false ? null : (
        <TableTitle title={title} count={list.count}>
          {props.aside}
          {createButton()}
        </TableTitle>
      )}
      {props.notice}
      <TableBar
        name={name}
        offer={offer}
        state={state}
        onChange={change}
        looks={looks}
        fixed={fixed}
        columns={phone ? null : columns}
        news={
          props.news ? (
            <UpdatesButton
              {...news}
              onShow={() => {
                news.show()
                setPageAt({ key: pageKey, page: 0 })
                scroller()?.scrollTo?.({ top: 0 })
                // The button is gone: moves the keyboard focus to the rows.
                section.current
                  ?.querySelector<HTMLElement>('[role="grid"], [role="listitem"] button')
                  ?.focus()
              }}
            />
          ) : null
        }
        exportUrl={props.exportUrl ? `${props.exportUrl}?${words}` : null}
      >
        {props.heading === false ? createButton() : null}
      </TableBar>
      {list.pending ? <LoadingState rows={8} height="44px" /> : null}
      {list.error && all.length === 0 ? <ErrorState error={list.error} onRetry={list.retry} /> : null}
      {!list.pending && !list.error && all.length === 0 ? (
        narrowed ? (
          <EmptyState
            title={t('table.no_match')}
            action={
              <Button onClick={() => change({ q: '', filters: {} })}>{t('table.clear_filters')}</Button>
            }
          >
            {t('table.no_match_text')}
          </EmptyState>
        ) : (
          <EmptyState title={t(props.empty.title)} action={props.empty.action ?? createButton(true)}>
            {props.empty.text ? t(props.empty.text) : null}
          </EmptyState>
        )
      ) : null}
      {all.length > 0 ? (
        phone ? (
          <TableCards {...shared} />
        ) : (
          <TableGrid
            {...shared}
            shownColumns={state.columns}
            revision={edits.revision}
            sort={state.sort}
            onSort={(sort) => change({ sort })}
            onSelectAll={toggleAll}
            onEdit={
              canEdit
                ? (row, column, value) => {
                    if (column.edit) edits.edit(row, column.edit.changes(value, row))
                  }
                : null
            }
          />
        )
      ) : null}
      {all.length > 0 && list.error ? <ErrorState error={list.error} onRetry={list.retry} /> : null}
      {pageSize && all.length > 0 ? (
        <Pager
          page={page}
          pageSize={pageSize}
          known={all.length}
          total={total}
          hasMore={hasMore}
          onPage={(to) => {
            setPageAt({ key: pageKey, page: to })
            if ((to + 1) * pageSize >= all.length) loadMore()
          }}
        />
      ) : null}
      {bulk ? (
        <BulkBar
          rows={chosen}
          actions={bulk}
          onAnswer={put}
          onFailure={(what, error) => setFailure({ message: what, error })}
          onDone={(left) => choose(left.map(rowId))}
        />
      ) : null}
      {menu ? (
        <Menu
          anchor={menu.anchor}
          label={t('table.actions_of', { name: rowName(menu.row) })}
          items={itemsOf(menu.row)}
          onClose={() => setMenu(null)}
        />
      ) : null}
      {dialog?.kind === 'create'
        ? create?.dialog({
            onClose: () => setDialog(null),
            onCreated: (row) => {
              addTableRow(name, row)
              announce(t('table.created', { name: rowName(row) }))
              setDialog(null)
            },
          })
        : null}
      {dialog?.kind === 'edit' && props.editDialog
        ? props.editDialog({
            row: dialog.row,
            onClose: () => setDialog(null),
            onSaved: (row) => {
              put(row)
              announce(t('table.saved', { name: rowName(row) }))
              setDialog(null)
            },
          })
        : null}
      {dialog?.kind === 'edit' && !props.editDialog ? (
        <RowDialog
          row={dialog.row}
          name={rowName(dialog.row)}
          columns={columns}
          onClose={() => setDialog(null)}
          onSave={(changes) => edits.edit(dialog.row, changes)}
        />
      ) : null}
      {dialog?.kind === 'remove' && remove ? (
        <RemoveDialog
          name={remove.name(dialog.row)}
          onClose={() => setDialog(null)}
          onConfirm={async () => {
            await remove.call(dialog.row)
            gone(dialog.row)
            announce(t('table.removed', { name: remove.name(dialog.row) }))
          }}
        />
      ) : null}
      <ConflictDialog
        conflict={edits.conflict}
        columns={columns}
        rowName={rowName}
        onKeepMine={edits.keepMine}
        onTakeTheirs={edits.takeTheirs}
      />
      {refused}
      <TableToasts
        removed={removal.last && remove ? remove.name(removal.last) : null}
        onUndo={removal.undo}
        failure={failure}
        onDismiss={() => setFailure(null)}
      />
    </section>
  )
}
