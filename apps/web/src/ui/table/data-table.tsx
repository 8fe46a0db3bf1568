import type { TableSpec } from '@hansom/contract/tables'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useMedia } from '../../lib/use-media.ts'
import { Button } from '../button.tsx'
import { CreateButton } from '../create-button.tsx'
import { Notice } from '../notice.tsx'
import { EmptyState, ErrorState, LoadingState } from '../page-states.tsx'
import panel from '../panel.module.css'
import { BulkBar } from './bulk-bar.tsx'
import classes from './data-table.module.css'
import { TableBar, TableTitle, UpdatesButton } from './table-bar.tsx'
import { TableCards } from './table-cards.tsx'
import { TableDialogs } from './table-dialogs.tsx'
import { TableGrid } from './table-grid.tsx'
import { isFiltered } from './table-state.ts'
import type { DataTableProps, FilterDisplay, TableColumn } from './table-types.ts'
import toolbar from './toolbar.module.css'
import { useDataTable } from './use-data-table.tsx'
import { CellEditsContext } from './use-edits.ts'

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
 *   spec={promosTable}
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
export function DataTable<Row extends object, O extends TableSpec>(props: DataTableProps<Row, O>) {
  const { name, title, spec, columns, rowId, rowName, bulk, create, pageSize } = props
  const { t } = useText()
  const format = useFormat()
  const phone = useMedia('(max-width: 640px)')
  const table = useDataTable<Row, O>(props)
  const { state, change, list, all, rows, updates } = table
  const params = new URLSearchParams({
    sort: state.sort,
    ...(table.narrowing as Record<string, string>),
  })
  const createButton = (showsLabel?: true) =>
    create ? (
      <CreateButton label={t(create.label)} onClick={table.openCreate} showsLabel={showsLabel} />
    ) : null
  const sums = list.count?.sums ?? null
  const isSummed = ({ id, phone: place, hidden }: TableColumn<Row>) =>
    sums?.[id] !== undefined && (phone ? place !== undefined : (state.columns[id] ?? !hidden))
  const shared = {
    label: t(title),
    columns,
    rows,
    shown: table.edits.shown,
    rowId,
    rowName,
    total: pageSize ? rows.length : table.total,
    hasMore: !pageSize && list.hasMore,
    loadMore: list.loadMore,
    plain: pageSize !== undefined,
    dimmed: list.stale,
    totals: columns.some(isSummed) ? sums : null,
    link: props.link ?? null,
    selection: bulk ? table.selection : null,
    onToggle: table.toggle,
    onMenu: table.hasMenu ? (row: Row, anchor: HTMLElement) => table.setMenu({ row, anchor }) : null,
    hasActions: (row: Row) => table.itemsOf(row).length > 0,
  }

  return (
    <section
      ref={table.section}
      className={`${classes.table} ${props.heading === false ? '' : classes.page}`}
      aria-label={t(title)}
      data-table={name}
    >
      {props.heading === false ? null : (
        <TableTitle title={title} count={table.count}>
          {props.aside}
          {createButton()}
        </TableTitle>
      )}
      {props.notice}
      <TableBar
        name={name}
        spec={spec}
        state={state}
        invalid={table.invalid}
        onChange={change}
        looks={(props.filters ?? {}) as Readonly<Record<string, FilterDisplay | undefined>>}
        fixed={table.fixed}
        columns={columns}
        phone={phone}
        exportUrl={props.exportUrl ? `${props.exportUrl}?${params}` : null}
      >
        {props.heading === false ? createButton() : null}
      </TableBar>
      {props.changeEvents ? <UpdatesButton {...updates} onShow={updates.show} /> : null}
      {list.paused && (list.pending || list.stale) ? (
        <Notice tone="attention">{t('table.offline')}</Notice>
      ) : list.pending ? (
        <LoadingState rows={8} height="44px" />
      ) : null}
      {!list.pending && !list.error && all.length === 0 ? (
        isFiltered(state) ? (
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
      {all.length === 0 ? null : phone ? (
        <TableCards
          {...shared}
          open={props.onOpen ?? (table.canEdit || props.editDialog ? table.openEdit : null)}
          canOpen={(row) => props.onOpen !== undefined || table.hasEdit(row)}
        />
      ) : (
        <CellEditsContext value={table.cells}>
          <TableGrid
            {...shared}
            open={props.onOpen ?? null}
            shownColumns={state.columns}
            revision={table.edits.revision}
            sort={state.sort}
            onSort={(sort) => change({ sort })}
            onSelectAll={table.toggleAll}
            canEdit={table.canEdit}
          />
        </CellEditsContext>
      )}
      {list.count?.more && spec.sums ? (
        <p className={panel.quiet}>{t('table.no_totals', { limit: format.number(list.count.count) })}</p>
      ) : null}
      {props.totalsNote && shared.totals && all.length > 0 ? (
        <p className={panel.quiet}>{t(props.totalsNote)}</p>
      ) : null}
      {list.error ? <ErrorState error={list.error} onRetry={list.retry} /> : null}
      {pageSize && all.length > 0 ? (
        <Pager
          page={table.paging.page}
          pageSize={pageSize}
          known={all.length}
          total={table.total}
          hasMore={list.hasMore}
          onPage={table.paging.goTo}
        />
      ) : null}
      {bulk ? (
        <BulkBar
          rows={table.chosen}
          actions={bulk}
          onAnswer={table.put}
          onFailure={(message, error) => table.setFailure({ message, error })}
          onDone={(left) => table.choose(left.map(rowId))}
        />
      ) : null}
      <TableDialogs props={props} table={table} />
    </section>
  )
}

interface PagerProps {
  page: number
  pageSize: number
  /** Number of loaded rows. */
  known: number
  total: number | null
  hasMore: boolean
  onPage: (page: number) => void
}

/** Previous and next buttons with the current range. */
function Pager({ page, pageSize, known, total, hasMore, onPage }: PagerProps) {
  const { t, language } = useText()
  const format = useFormat()
  const from = page * pageSize + 1
  const to = Math.min(known, (page + 1) * pageSize)
  const further = hasMore || known > (page + 1) * pageSize
  if (page === 0 && !further) return null
  const [Back, On] =
    language.direction === 'rtl' ? [IconChevronRight, IconChevronLeft] : [IconChevronLeft, IconChevronRight]
  return (
    <nav className={toolbar.pager} aria-label={t('table.pages')}>
      <span>
        {t(total === null ? 'table.range' : 'table.range_of', {
          from: format.number(from),
          to: format.number(to),
          total: total === null ? '' : format.number(total),
        })}
      </span>
      <Button
        size="icon"
        variant="quiet"
        aria-label={t('table.page_before')}
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      >
        <Back size={20} aria-hidden />
      </Button>
      <Button
        size="icon"
        variant="quiet"
        aria-label={t('table.page_after')}
        disabled={!further}
        onClick={() => onPage(page + 1)}
      >
        <On size={20} aria-hidden />
      </Button>
    </nav>
  )
}
