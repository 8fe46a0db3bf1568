import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Money } from '../money.tsx'
import { Skeleton } from '../page-states.tsx'
import grid from './data-table.module.css'
import classes from './table-cards.module.css'
import type { TableColumn } from './table-types.ts'

const cardHeight = 84
const detailHeight = 22
const ahead = 30
const coming = 3

interface Props<Row> {
  label: string
  columns: readonly TableColumn<Row>[]
  rows: readonly Row[]
  shown: (row: Row) => Row
  rowId: (row: Row) => string
  rowName: (row: Row) => string
  total: number | null
  hasMore: boolean
  /** Sums over all rows with the current filters, by column id. */
  totals: Readonly<Record<string, number>> | null
  loadMore: () => void
  plain: boolean
  dimmed: boolean
  open: ((row: Row) => void) | null
  canOpen: (row: Row) => boolean
  /** URL of a row's page. */
  link: ((row: Row) => string) | null
  selection: Record<string, true> | null
  onToggle: (id: string, shift: boolean) => void
  onMenu: ((row: Row, anchor: HTMLElement) => void) | null
  hasActions: (row: Row) => boolean
}

/** Table rows on a phone: cards of two or three lines that scroll with the page; only visible ones are rendered. */
export function TableCards<Row>(props: Props<Row>) {
  const { columns, rows, hasMore, loadMore, plain, selection } = props
  const { t } = useText()
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current) setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    // Content above the list may grow, for example when filters are added.
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])
  const inPlace = (place: TableColumn<Row>['phone']) => columns.filter(({ phone }) => phone === place)
  const details = inPlace('detail')
  const height = cardHeight + (details.length > 0 ? detailHeight : 0)
  const virtual = useWindowVirtualizer({
    count: rows.length + (hasMore ? coming : 0),
    enabled: !plain,
    estimateSize: () => height,
    overscan: 8,
    scrollMargin: top,
    initialRect: { width: 390, height: 844 },
  })
  const items = plain
    ? rows.map((_, index) => ({ index, start: null }))
    : virtual.getVirtualItems().map(({ index, start }) => ({ index, start: start as number | null }))
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (!plain && hasMore && last >= rows.length - ahead) loadMore()
  }, [plain, hasMore, last, rows.length, loadMore])

  const titles = inPlace('title')
  const subtitles = inPlace('subtitle')
  const badges = inPlace('badge')
  const ends = inPlace('end')

  const summed = columns.filter(({ id, phone }) => phone && props.totals?.[id] !== undefined)
  return (
    <>
      {summed.length > 0 ? (
        <p className={classes.totals}>
          {summed.map(({ id, header }) => (
            <span key={id}>
              {t('table.total_of', { name: t(header) })} <Money amount={props.totals?.[id] ?? 0} />
            </span>
          ))}
        </p>
      ) : null}
      <div
        ref={list}
        role="list"
        aria-label={props.label}
        aria-busy={props.dimmed || undefined}
        className={`${classes.cards} ${props.dimmed ? grid.dimmed : ''}`}
        style={
          {
            '--card-height': `${height}px`,
            blockSize: plain ? undefined : virtual.getTotalSize(),
          } as CSSProperties
        }
      >
        {items.map(({ index, start }) => {
          const row = rows[index]
          const style =
            start === null
              ? undefined
              : { position: 'absolute' as const, transform: `translateY(${start - top}px)` }
          if (row === undefined)
            return (
              <div key={index} role="listitem" className={classes.card} style={style}>
                <span className={classes.cardWords}>
                  <Skeleton height="16px" width="55%" />
                  <Skeleton height="13px" width="75%" />
                </span>
              </div>
            )
          const record = props.shown(row)
          const id = props.rowId(row)
          const marks =
            badges.length > 0 ? (
              <span className={classes.cardBadges}>
                {badges.map((column) => (
                  <span key={column.id}>{cellOf(column, record)}</span>
                ))}
              </span>
            ) : null
          const words = (
            <>
              <span className={classes.cardTitle}>
                {(titles.length > 0 ? titles : columns.slice(0, 1)).map((column) => (
                  <span key={column.id}>{cellOf(column, record)}</span>
                ))}
                {selection ? null : marks}
              </span>
              <span className={classes.cardSubtitle}>
                {subtitles.map((column) => (
                  <span key={column.id}>{cellOf(column, record)}</span>
                ))}
                {ends.map((column) => (
                  <span key={column.id} className={classes.cardEnd}>
                    {cellOf(column, record)}
                  </span>
                ))}
                {selection ? marks : null}
              </span>
              {details.length > 0 ? (
                <span className={classes.cardSubtitle}>
                  {details.map((column) => (
                    <span key={column.id}>{cellOf(column, record)}</span>
                  ))}
                </span>
              ) : null}
            </>
          )
          return (
            <div
              key={id}
              role="listitem"
              aria-posinset={index + 1}
              aria-setsize={props.total ?? -1}
              className={classes.card}
              style={style}
            >
              {selection ? (
                <input
                  type="checkbox"
                  className={`${grid.check} ${classes.select}`}
                  aria-label={t('table.select_row', { name: props.rowName(record) })}
                  checked={selection[id] === true}
                  onChange={(event) => props.onToggle(id, (event.nativeEvent as PointerEvent).shiftKey)}
                />
              ) : null}
              <span className={classes.cardWords}>{words}</span>
              {props.link ? (
                <a
                  className={classes.cardOpen}
                  href={props.link(record)}
                  aria-label={t('table.open_row', { name: props.rowName(record) })}
                  onClick={(event) => {
                    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
                    event.preventDefault()
                    props.open?.(record)
                  }}
                />
              ) : props.open && props.canOpen(record) ? (
                <button
                  type="button"
                  className={classes.cardOpen}
                  aria-label={t('table.open_row', { name: props.rowName(record) })}
                  onClick={() => props.open?.(record)}
                />
              ) : null}
              {props.onMenu && props.hasActions(record) ? (
                <button
                  type="button"
                  className={`${grid.dots} ${classes.menu}`}
                  aria-haspopup="menu"
                  aria-label={t('table.actions_of', { name: props.rowName(record) })}
                  onClick={(event) => props.onMenu?.(record, event.currentTarget)}
                />
              ) : null}
            </div>
          )
        })}
      </div>
    </>
  )
}

function cellOf<Row>(column: TableColumn<Row>, row: Row): ReactNode {
  return (column.phoneCell ?? column.cell)(row)
}
