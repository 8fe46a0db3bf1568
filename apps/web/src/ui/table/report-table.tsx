import { IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import {
  columnGroupingFeature,
  createColumnHelper,
  createExpandedRowModel,
  createGroupedRowModel,
  type ExpandedState,
  rowExpandingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import classes from './data-table.module.css'
import report from './report-table.module.css'
import { useAvailableHeight } from './use-available-height.ts'

const features = tableFeatures({
  columnGroupingFeature,
  rowExpandingFeature,
  groupedRowModel: createGroupedRowModel(),
  expandedRowModel: createExpandedRowModel(),
})
const rowHeight = 44
/** Without any entry, TanStack Table never calls `getIsRowExpanded`. */
const forceExpansionCheck: ExpandedState = { '': true }

/** One level of groups, outermost first. */
export interface ReportGroup<Row> {
  id: string
  /** The group key of a row, part of the subtotal's path. */
  key: (row: Row) => string
  /** The group's name. */
  label: (row: Row) => ReactNode
}

export interface ReportColumn<Row, Sums> {
  id: string
  /** Text key. */
  header: string
  cell: (row: Row) => ReactNode
  /** The column's content in a subtotal or total row. */
  sum?: (sums: Sums) => ReactNode
  align?: 'start' | 'center' | 'end'
  width?: number
}

interface Props<Row, Sums> {
  /** Text key of the accessible name. */
  title: string
  columns: readonly ReportColumn<Row, Sums>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** Without groups, rows are shown flat. */
  groups?: readonly ReportGroup<Row>[]
  /** Subtotal of a group as calculated by the server; `path` has the key of each level down to it. */
  subtotal?: (path: readonly string[]) => Sums | undefined
  /** Total of all rows. */
  total?: Sums
  /** Number of levels that are initially open; defaults to 0. */
  openTo?: number
  onOpen?: (row: Row) => void
}

/**
 * Rows of a complete report in collapsible groups, with the server's totals in each group row and at the end (the ARIA
 * treegrid pattern: arrows move, the forward arrow opens, the back arrow closes). Only visible rows are rendered.
 */
export function ReportTable<Row, Sums>(props: Props<Row, Sums>) {
  const { title, columns, rows, rowId, groups, subtotal, total, openTo = 0, onOpen } = props
  const { t, language } = useText()
  const scroller = useRef<HTMLDivElement>(null)
  const maxHeight = useAvailableHeight(scroller, true)
  const [opened, setOpened] = useState<ExpandedState>(openTo > 0 ? forceExpansionCheck : {})
  const [active, setActive] = useState(0)
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row & object>()
    return (groups ?? []).map((group) =>
      helper.display({ id: group.id, getGroupingValue: (row) => group.key(row) }),
    )
  }, [groups])
  const table = useTable({
    features,
    columns: definitions,
    data: rows as readonly (Row & object)[],
    getRowId: rowId,
    autoResetExpanded: false,
    getIsRowExpanded: (row) =>
      typeof opened === 'object' && row.id in opened ? opened[row.id] === true : row.depth < openTo,
    state: { grouping: definitions.map(({ id }) => id as string), expanded: opened },
  })
  const setOpen = (id: string, open: boolean) =>
    setOpened((old) => ({ ...(typeof old === 'object' ? old : {}), [id]: open }))

  const lines = table.getRowModel().rows
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: rowHeight,
    scrollPaddingEnd: rowHeight,
    initialRect: { width: 1000, height: 800 },
  })

  const goTo = (index: number) => {
    const to = Math.max(0, Math.min(index, lines.length - 1))
    setActive(to)
    virtual.scrollToIndex(to, { align: 'auto' })
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-line="${to}"]`)?.focus({ preventScroll: true }),
    )
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const line = lines[active]
    if (!line || event.altKey || event.ctrlKey || event.metaKey) return
    const [towardsEnd, towardsStart] =
      language.direction === 'rtl' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowRight', 'ArrowLeft']
    const calls: Record<string, () => void> = {
      ArrowDown: () => goTo(active + 1),
      ArrowUp: () => goTo(active - 1),
      Home: () => goTo(0),
      End: () => goTo(lines.length - 1),
      [towardsEnd]: () => (line.getCanExpand() ? setOpen(line.id, true) : undefined),
      [towardsStart]: () => {
        if (line.getIsExpanded()) setOpen(line.id, false)
        else if (line.parentId) goTo(lines.findIndex(({ id }) => id === line.parentId))
      },
      Enter: () => (line.getIsGrouped() ? setOpen(line.id, !line.getIsExpanded()) : onOpen?.(line.original)),
    }
    if (!calls[event.key]) return
    event.preventDefault()
    calls[event.key]?.()
  }

  const widths = columns.map(({ width = 140 }) => width)
  const style = {
    '--columns': widths.map((width) => `minmax(${width}px, ${width}fr)`).join(' '),
    '--table-width': `${widths.reduce((sum, width) => sum + width, 0)}px`,
    maxBlockSize: maxHeight,
  } as CSSProperties
  const Closed = language.direction === 'rtl' ? IconChevronLeft : IconChevronRight

  return (
    <div ref={scroller} className={classes.scroller} style={style} data-scroller>
      <div
        role="treegrid"
        aria-label={t(title)}
        aria-rowcount={-1}
        aria-colcount={columns.length}
        tabIndex={-1}
        className={classes.grid}
        onKeyDown={onKeyDown}
      >
        <div role="rowgroup" className={classes.head}>
          <div role="row" className={classes.headRow}>
            {columns.map((column, at) => (
              <div
                key={column.id}
                role="columnheader"
                aria-colindex={at + 1}
                className={`${classes.headCell} ${classes[column.align ?? 'start']} ${at === 0 ? classes.pinned : ''}`}
              >
                {t(column.header)}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes.body} style={{ blockSize: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const line = lines[index]
            if (!line) return null
            const grouped = line.getIsGrouped()
            const open = line.getIsExpanded()
            const group = grouped ? groups?.[line.depth] : undefined
            const first = grouped ? leaf(line) : line.original
            const sums = grouped ? subtotal?.(pathOf(line)) : undefined
            return (
              <div
                key={line.id}
                role="row"
                aria-level={line.depth + 1}
                aria-expanded={grouped ? open : undefined}
                data-line={index}
                tabIndex={index === Math.min(active, lines.length - 1) ? 0 : -1}
                className={`${classes.row} ${report.line} ${grouped ? report.group : ''} ${
                  !grouped && onOpen ? classes.opens : ''
                }`}
                style={{ position: 'absolute', transform: `translateY(${start}px)` }}
                onFocus={() => setActive(index)}
                onClick={() => (grouped ? setOpen(line.id, !open) : onOpen?.(line.original))}
              >
                {columns.map((column, at) => (
                  <div
                    key={column.id}
                    role={at === 0 ? 'rowheader' : 'gridcell'}
                    aria-colindex={at + 1}
                    className={`${classes.cell} ${classes[column.align ?? 'start']} ${at === 0 ? classes.pinned : ''}`}
                    style={at === 0 ? { paddingInlineStart: 14 + line.depth * 22 } : undefined}
                  >
                    {at === 0 && grouped ? (
                      <>
                        {open ? <IconChevronDown size={17} aria-hidden /> : <Closed size={17} aria-hidden />}
                        <span className={classes.content}>{group?.label(first)}</span>
                      </>
                    ) : (
                      <span className={classes.content}>
                        {grouped
                          ? sums === undefined
                            ? null
                            : column.sum?.(sums)
                          : column.cell(line.original)}
                      </span>
                    )}
                  </div>
                ))}
              </div>
            )
          })}
        </div>
        {total === undefined ? null : (
          <div role="rowgroup" className={report.foot}>
            <div role="row" className={`${classes.row} ${report.line} ${report.total}`}>
              {columns.map((column, at) => (
                <div
                  key={column.id}
                  role={at === 0 ? 'rowheader' : 'gridcell'}
                  aria-colindex={at + 1}
                  className={`${classes.cell} ${classes[column.align ?? 'start']} ${at === 0 ? classes.pinned : ''}`}
                >
                  <span className={classes.content}>{at === 0 ? t('table.total') : column.sum?.(total)}</span>
                </div>
              ))}
            </div>
          </div>
        )}
      </div>
    </div>
  )
}

interface Line<Row> {
  original: Row
  subRows: readonly Line<Row>[]
  groupingValue?: unknown
  getParentRow: () => Line<Row> | undefined
}

function leaf<Row>(line: Line<Row>): Row {
  const below = line.subRows[0]
  return below ? leaf(below) : line.original
}

function pathOf<Row>(line: Line<Row>): string[] {
  const above = line.getParentRow()
  return [...(above ? pathOf(above) : []), String(line.groupingValue)]
}
