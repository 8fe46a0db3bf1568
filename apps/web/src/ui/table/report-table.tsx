import { IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useText } from '../../lib/i18n.ts'
import classes from './data-table.module.css'
import { useAvailableHeight } from './grid-size.ts'
import { reportLines } from './report-lines.ts'
import report from './report-table.module.css'
import { opensNewTab, RowLink } from './table-row.tsx'

const rowHeight = 44
/** Pixels that an arrow key scrolls sideways. */
const scrollStep = 120

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
  total?: Sums | undefined
  /** Number of levels that are initially open; defaults to 0. */
  openTo?: number
  onOpen?: (row: Row) => void
  /** URL of the page that `onOpen` shows; null for a row without one. */
  link?: (row: Row) => string | null
}

/**
 * Rows of a complete report in collapsible groups, with the server's totals in each group row and at the end (the ARIA
 * treegrid pattern: arrows move, the forward arrow opens, the back arrow closes). Where columns do not fit, an edge
 * shows that there are more, and the arrows scroll to them. Only visible rows are rendered.
 */
export function ReportTable<Row, Sums>(props: Props<Row, Sums>) {
  const { title, columns, rows, rowId, groups, subtotal, total, openTo = 0, onOpen, link } = props
  const { t, language } = useText()
  const scroller = useRef<HTMLDivElement>(null)
  const maxHeight = useAvailableHeight(scroller, true)
  const hasMore = useHasMoreColumns(scroller)
  const [opened, setOpened] = useState<Readonly<Record<string, boolean>>>({})
  const [active, setActive] = useState(0)
  const lines = useMemo(
    () =>
      reportLines(rows, {
        keys: (groups ?? []).map(({ key }) => key),
        rowId,
        isOpen: ({ id, depth }) => opened[id] ?? depth < openTo,
      }),
    [rows, groups, rowId, opened, openTo],
  )
  const setOpen = (id: string, open: boolean) => setOpened((old) => ({ ...old, [id]: open }))

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
  // In right-to-left layouts, scroll positions are negative.
  const scrollBy = (columnCount: number) =>
    scroller.current?.scrollBy?.({
      left: columnCount * scrollStep * (language.direction === 'rtl' ? -1 : 1),
    })
  const canScrollBack = () => Math.abs(scroller.current?.scrollLeft ?? 0) > 1
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
      [towardsEnd]: () => (line.isGroup && !line.isOpen ? setOpen(line.id, true) : scrollBy(1)),
      [towardsStart]: () => {
        if (canScrollBack()) scrollBy(-1)
        else if (line.isOpen) setOpen(line.id, false)
        else if (line.parent) goTo(lines.findIndex(({ id }) => id === line.parent))
      },
      Enter: () => (line.isGroup ? setOpen(line.id, !line.isOpen) : onOpen?.(line.row)),
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
    <div className={report.frame} data-more={hasMore || undefined}>
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
              const { row, isGroup: grouped, isOpen: open } = line
              const group = grouped ? groups?.[line.depth] : undefined
              const sums = grouped ? subtotal?.(line.path) : undefined
              const href = grouped ? null : (link?.(row) ?? null)
              const onClick = (event: MouseEvent) => {
                if (href !== null && opensNewTab(event, href)) return
                if (event.button !== 0) return
                if (grouped) setOpen(line.id, !open)
                else onOpen?.(row)
              }
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
                  onClick={onClick}
                  onAuxClick={onClick}
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
                          {open ? (
                            <IconChevronDown size={17} aria-hidden />
                          ) : (
                            <Closed size={17} aria-hidden />
                          )}
                          <span className={classes.content}>{group?.label(row)}</span>
                        </>
                      ) : at === 0 && href !== null ? (
                        <RowLink href={href} onOpen={() => onOpen?.(row)}>
                          {column.cell(row)}
                        </RowLink>
                      ) : (
                        <span className={classes.content}>
                          {grouped ? (sums === undefined ? null : column.sum?.(sums)) : column.cell(row)}
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
                    <span className={classes.content}>
                      {at === 0 ? t('table.total') : column.sum?.(total)}
                    </span>
                  </div>
                ))}
              </div>
            </div>
          )}
        </div>
      </div>
    </div>
  )
}

/** Whether a scroller has columns beyond its end edge. */
function useHasMoreColumns(scroller: RefObject<HTMLElement | null>): boolean {
  const [hasMore, setHasMore] = useState(false)
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () =>
      setHasMore(element.scrollWidth - element.clientWidth - Math.abs(element.scrollLeft) > 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller])
  return hasMore
}
