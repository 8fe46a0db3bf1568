import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { Skeleton } from '../page-states.tsx'
import classes from './data-table.module.css'
import { type CellPosition, nextCell, nextMatchingCell } from './grid-keys.ts'
import { useAvailableHeight, widestAmount, widestWord } from './grid-size.ts'
import { TableHead, TotalRow } from './table-head.tsx'
import { editable, type RowCallbacks, TableRow } from './table-row.tsx'
import type { TableColumn } from './table-types.ts'
import { useTableEdits } from './use-edits.ts'

export const rowHeight = 52
const menuWidth = 56
const checkWidth = 48
const totalHeight = 44
const defaultWidth = 160
/** Loads more when this many rows are left below, so that users rarely reach the end. */
const ahead = 60
/** Placeholder rows at the end while more are loading. */
const coming = 6

interface Props<Row> {
  label: string
  columns: readonly TableColumn<Row>[]
  shownColumns: Readonly<Record<string, boolean>>
  rows: readonly Row[]
  /** The row with its unsaved edits. */
  shown: (row: Row) => Row
  /** Changes whenever the result of `shown` changes. */
  revision: number
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  sort: string
  onSort: (sort: string) => void
  /** Total number of rows, if known. */
  total: number | null
  hasMore: boolean
  /** Sums over all rows with the current filters, by column id. */
  totals: Readonly<Record<string, number>> | null
  loadMore: () => void
  /** Renders all rows without a scroller, for a page with a pager. */
  plain: boolean
  dimmed: boolean
  open: ((row: Row) => void) | null
  /** URL of a row's page. */
  link: ((row: Row) => string) | null
  selection: Record<string, true> | null
  onToggle: (id: string, shift: boolean) => void
  onSelectAll: () => void
  canEdit: boolean
  onMenu: ((row: Row, anchor: HTMLElement) => void) | null
  hasActions: (row: Row) => boolean
}

/** Rows and columns as an ARIA grid; only visible rows are rendered. */
export function TableGrid<Row>(props: Props<Row>) {
  const { label, columns, rows, rowId, sort, onSort, total, hasMore, loadMore, plain, selection } = props
  const { shownColumns, canEdit } = props
  const cells = useTableEdits<Row>()
  const { t } = useText()
  const format = useFormat()
  const scroller = useRef<HTMLDivElement>(null)
  const [chosenCell, setActive] = useState<CellPosition>({ row: 0, column: 0 })
  // Rows may have been removed: one cell must always be reachable by Tab.
  const active = chosenCell.row < rows.length ? chosenCell : { ...chosenCell, row: rows.length - 1 }
  const [editing, setEditing] = useState(false)
  const wantsFocus = useRef(false)
  const room = useAvailableHeight(scroller, !plain)
  const first = selection ? 1 : 0

  const virtual = useVirtualizer({
    count: rows.length + (hasMore ? coming : 0),
    enabled: !plain,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollPaddingStart: rowHeight,
    scrollPaddingEnd: props.totals ? totalHeight : 0,
    initialRect: { width: 1000, height: 800 },
    // Keeps the active cell rendered while scrolling, because it has the focus.
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range)
      const at = Math.min(active.row, range.count - 1)
      return at < 0 || seen.includes(at) ? seen : [...seen, at].sort((a, b) => a - b)
    },
  })
  const items = plain
    ? rows.map((_, index) => ({ index, start: null }))
    : virtual.getVirtualItems().map(({ index, start }) => ({ index, start: start as number | null }))
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (!plain && hasMore && last >= rows.length - ahead) loadMore()
  }, [plain, hasMore, last, rows.length, loadMore])

  const inSight = items.filter(({ index }) => index < rows.length)
  const key = `${props.revision}:${inSight.map(({ index }) => index).join()}`
  const shown = useRef(props.shown)
  shown.current = props.shown
  const records = useMemo(
    () =>
      key
        .slice(key.indexOf(':') + 1)
        .split(',')
        .flatMap((index) => {
          const row = index === '' ? undefined : rows[Number(index)]
          return row === undefined ? [] : [shown.current(row)]
        }),
    // The key includes the revision
    [rows, key],
  )
  const visible = useMemo(
    () =>
      columns
        .filter((column, at) => at === 0 || (shownColumns[column.id] ?? !column.hidden))
        .map((column) => (canEdit ? column : { ...column, edit: undefined })),
    [columns, shownColumns, canEdit],
  )
  const headers = useMemo(() => new Map(columns.map(({ id, header }) => [id, t(header)])), [columns, t])
  const columnAt = (at: number) => visible[at - first]
  const columnCount = visible.length + first + (props.onMenu ? 1 : 0)

  const recordAt = (index: number): Row | undefined => {
    const row = rows[index]
    return row === undefined ? undefined : shown.current(row)
  }
  const move = (to: CellPosition) => {
    setActive(to)
    if (!plain && to.row >= 0) virtual.scrollToIndex(to.row, { align: 'auto' })
    wantsFocus.current = true
  }
  const startEdit = (row: number, column: number, isDeliberate: boolean): boolean => {
    const record = recordAt(row)
    const what = columnAt(column)
    if (!record || !what?.edit || !editable(what, record)) return false
    setActive({ row, column })
    if (what.edit.kind === 'flag')
      cells.commit(record, what, { value: !what.edit.value(record), text: '', isDeliberate })
    else setEditing(true)
    return true
  }
  const endEdit = (step: -1 | 0 | 1 | null) => {
    setEditing(false)
    if (step === null) return
    wantsFocus.current = true
    if (step === 0) return
    const to = nextMatchingCell(
      active,
      step,
      { rows: rows.length, columns: columnCount },
      ({ row, column }) => {
        const record = recordAt(row)
        const what = columnAt(column)
        return (
          record !== undefined &&
          what?.edit !== undefined &&
          what.edit.kind !== 'flag' &&
          editable(what, record)
        )
      },
    )
    if (!to) return
    move(to)
    setEditing(true)
  }

  useEffect(() => {
    if (!wantsFocus.current || editing) return
    wantsFocus.current = false
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-cell="${active.row}:${active.column}"]`)
    cell?.focus({ preventScroll: plain ? false : active.row >= 0 })
    if (!plain) cell?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  })

  const latest = useRef({ startEdit, endEdit, props })
  latest.current = { startEdit, endEdit, props }
  const opens = props.open !== null
  const hasLinks = props.link !== null
  const calls = useMemo<RowCallbacks<Row>>(
    () => ({
      nameOf: (row) => latest.current.props.rowName(row),
      activate: (row, column) =>
        setActive((old) => (old.row === row && old.column === column ? old : { row, column })),
      open: opens ? (row) => latest.current.props.open?.(row) : null,
      href: hasLinks ? (row) => latest.current.props.link?.(row) ?? '' : null,
      toggle: (id, shift) => latest.current.props.onToggle(id, shift),
      startEdit: (row, column, isDeliberate) => void latest.current.startEdit(row, column, isDeliberate),
      endEdit: (step) => latest.current.endEdit(step),
      menu: (row, anchor) => latest.current.props.onMenu?.(row, anchor),
      selectLabel: withName(t, 'table.select_row'),
      actionsLabel: withName(t, 'table.actions_of'),
      headerOf: (id) => headers.get(id) ?? id,
    }),
    [headers, opens, hasLinks, t],
  )

  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 520) / rowHeight) - 2)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    if (editing || event.altKey || !target.closest('[data-cell]') || target.closest('[data-notice]')) return
    const { row, column } = active
    const to = nextCell(
      {
        key: event.key,
        jump: event.ctrlKey || event.metaKey,
        rightToLeft: getComputedStyle(event.currentTarget).direction === 'rtl',
      },
      active,
      { rows: rows.length, columns: columnCount, page },
    )
    if (to) {
      event.preventDefault()
      return move(to)
    }
    if (row < 0) return
    const cell = event.target as HTMLElement
    if (!cell.matches('[data-cell]')) return
    if (event.key === ' ' && selection) {
      event.preventDefault()
      const record = recordAt(row)
      if (record) props.onToggle(rowId(record), event.shiftKey)
    } else if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault()
      if (startEdit(row, column, false) || event.key === 'F2') return
      const inside = cell.querySelector<HTMLElement>('a[href], button, input')
      const record = recordAt(row)
      if (inside) inside.click()
      else if (record) props.open?.(record)
    }
  }

  const amountWidth = widestAmount(format)
  const widths = visible.map(({ id, width = defaultWidth, amount, sort: sorts }) =>
    Math.max(width, widestWord(headers.get(id) ?? '', sorts !== undefined), amount ? amountWidth : 0),
  )
  const template = [
    ...(selection ? [`${checkWidth}px`] : []),
    ...widths.map((width) => `minmax(${width}px, ${width}fr)`),
    ...(props.onMenu ? [`${menuWidth}px`] : []),
  ].join(' ')
  const width =
    widths.reduce((sum, one) => sum + one, 0) + (selection ? checkWidth : 0) + (props.onMenu ? menuWidth : 0)
  const selected = useMemo(() => selectedOf(rows, selection, rowId), [rows, selection, rowId])

  return (
    <div
      ref={scroller}
      className={`${classes.scroller} ${plain ? classes.plain : ''}`}
      data-scroller
      style={
        {
          '--columns': template,
          '--table-width': `${width}px`,
          '--first-width': `${(widths[0] ?? 0) + (selection ? checkWidth : 0)}px`,
          maxBlockSize: room,
        } as CSSProperties
      }
    >
      <div
        role="grid"
        tabIndex={-1}
        aria-label={label}
        aria-rowcount={total === null ? -1 : total + (props.totals ? 2 : 1)}
        aria-colcount={columnCount}
        aria-busy={props.dimmed || undefined}
        aria-multiselectable={selection ? true : undefined}
        className={classes.grid}
        onKeyDown={onKeyDown}
      >
        <TableHead
          columns={visible}
          sort={sort}
          active={active.row < 0 ? active.column : null}
          activate={(column) => calls.activate(-1, column)}
          onSort={onSort}
          selected={selected}
          onSelectAll={props.onSelectAll}
          menu={props.onMenu !== null}
        />
        <div
          role="rowgroup"
          className={`${classes.body} ${props.dimmed ? classes.dimmed : ''}`}
          style={plain ? undefined : { blockSize: virtual.getTotalSize() }}
        >
          {items.map(({ index, start }, at) => {
            const record = records[at]
            if (record === undefined) return <ComingRow key={index} index={index} start={start ?? 0} />
            return (
              <TableRow
                key={rowId(record)}
                id={rowId(record)}
                record={record}
                columns={visible}
                index={index}
                start={start}
                active={active.row === index ? active.column : null}
                editing={editing && active.row === index}
                drafts={cells.drafts.get(rowId(record))}
                question={cells.question?.rowId === rowId(record) ? cells.question : null}
                selected={selection ? selection[rowId(record)] === true : null}
                menu={props.onMenu && props.hasActions(record)}
                calls={calls}
              />
            )
          })}
        </div>
        {props.totals ? (
          <TotalRow
            columns={visible}
            totals={props.totals}
            rowIndex={total === null ? undefined : total + 2}
            hasCheck={selection !== null}
            hasMenu={props.onMenu !== null}
          />
        ) : null}
      </div>
    </div>
  )
}

/**
 * Whether none, some or all rows are selected; null if rows are not selectable. Avoids iterating over a hundred
 * thousand rows when nothing is selected.
 */
function selectedOf<Row>(
  rows: readonly Row[],
  selection: Record<string, true> | null,
  rowId: (row: Row) => string,
): 'none' | 'some' | 'all' | null {
  if (!selection) return null
  if (Object.keys(selection).length === 0) return 'none'
  const chosen = rows.filter((row) => selection[rowId(row)]).length
  return chosen === 0 ? 'none' : chosen === rows.length ? 'all' : 'some'
}

/** A text with a name placeholder, translated once for all names. */
function withName(t: Translate, key: string): (name: string) => string {
  const [before = '', after = ''] = t(key, { name: '\u0001' }).split('\u0001')
  return (name) => before + name + after
}

function ComingRow({ index, start }: { index: number; start: number }) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      style={{ position: 'absolute', transform: `translateY(${start}px)` }}
    >
      <div role="gridcell" className={classes.coming}>
        <Skeleton height="14px" width={`${40 + ((index * 17) % 40)}%`} />
      </div>
    </div>
  )
}
