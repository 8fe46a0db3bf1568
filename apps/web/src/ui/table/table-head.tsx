import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { useText } from '../../lib/i18n.ts'
import { Money } from '../money.tsx'
import { VisuallyHidden } from '../visually-hidden.tsx'
import classes from './data-table.module.css'
import report from './report-table.module.css'
import type { TableColumn } from './table-types.ts'

interface Props<Row> {
  columns: readonly TableColumn<Row>[]
  sort: string
  active: number | null
  activate: (column: number) => void
  onSort: (sort: string) => void
  /** Selection state of the shown rows; null if rows are not selectable. */
  selected: 'all' | 'some' | 'none' | null
  onSelectAll: () => void
  menu: boolean
}

/** The column headers; sortable ones toggle the sort order. Sticks to the top. */
export function TableHead<Row>(props: Props<Row>) {
  const { columns, sort, active, activate, onSort, selected, onSelectAll, menu } = props
  const { t } = useText()
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const first = selected === null ? 0 : 1
  return (
    <div className={classes.head} role="rowgroup">
      <div className={classes.headRow} role="row" aria-rowindex={1}>
        {selected === null ? null : (
          <div role="columnheader" aria-colindex={1} className={`${classes.headCell} ${classes.pinnedCheck}`}>
            <input
              type="checkbox"
              className={classes.check}
              data-cell="-1:0"
              tabIndex={active === 0 ? 0 : -1}
              aria-label={t('table.select_all')}
              checked={selected === 'all'}
              ref={(box) => {
                if (box) box.indeterminate = selected === 'some'
              }}
              onChange={onSelectAll}
              onFocus={() => activate(0)}
            />
          </div>
        )}
        {columns.map((column, place) => {
          const at = place + first
          const sorted = column.sort === sort.replace(/^-/, '') ? direction : null
          const look = [
            classes.headCell,
            classes[column.align ?? 'start'],
            place === 0 ? (first ? classes.pinnedSecond : classes.pinned) : '',
          ]
          const shared = {
            'data-cell': `-1:${at}`,
            tabIndex: active === at ? 0 : -1,
            onFocus: () => activate(at),
          }
          return (
            <div
              key={column.id}
              role="columnheader"
              aria-colindex={at + 1}
              aria-sort={sorted ? (sorted === 'desc' ? 'descending' : 'ascending') : undefined}
              className={look.join(' ')}
              {...(column.sort ? {} : shared)}
            >
              {column.sort ? (
                <button
                  type="button"
                  className={classes.sort}
                  {...shared}
                  onClick={() => onSort(sorted === 'asc' ? `-${column.sort}` : (column.sort ?? ''))}
                >
                  {t(column.header)}
                  {sorted === 'asc' ? <IconArrowUp size={15} aria-hidden /> : null}
                  {sorted === 'desc' ? <IconArrowDown size={15} aria-hidden /> : null}
                  {sorted ? null : <IconArrowsSort size={15} className={classes.canSort} aria-hidden />}
                </button>
              ) : (
                <span className={classes.content}>{t(column.header)}</span>
              )}
            </div>
          )
        })}
        {menu ? (
          <div
            role="columnheader"
            aria-colindex={columns.length + first + 1}
            className={`${classes.headCell} ${classes.pinnedEnd}`}
          >
            <VisuallyHidden>{t('table.actions')}</VisuallyHidden>
          </div>
        ) : null}
      </div>
    </div>
  )
}

interface TotalProps<Row> {
  columns: readonly TableColumn<Row>[]
  totals: Readonly<Record<string, number>>
  rowIndex: number | undefined
  hasCheck: boolean
  hasMenu: boolean
}

/** The sums of the amount columns, at the bottom of the scroller. */
export function TotalRow<Row>({ columns, totals, rowIndex, hasCheck, hasMenu }: TotalProps<Row>) {
  const { t } = useText()
  const first = hasCheck ? 1 : 0
  const pinned = hasCheck ? classes.pinnedSecond : classes.pinned
  return (
    <div role="rowgroup" className={report.foot}>
      <div role="row" aria-rowindex={rowIndex} className={`${classes.row} ${report.line} ${report.total}`}>
        {hasCheck ? <div aria-hidden className={`${classes.cell} ${classes.pinnedCheck}`} /> : null}
        {columns.map((column, at) => (
          <div
            key={column.id}
            role={at === 0 ? 'rowheader' : 'gridcell'}
            aria-colindex={at + first + 1}
            className={`${classes.cell} ${classes[column.align ?? 'start']} ${at === 0 ? pinned : ''}`}
          >
            <span className={classes.content}>
              {at === 0 ? t('table.total') : null}
              {at > 0 && totals[column.id] !== undefined ? <Money amount={totals[column.id] ?? 0} /> : null}
            </span>
          </div>
        ))}
        {hasMenu ? <div aria-hidden className={`${classes.cell} ${classes.pinnedEnd}`} /> : null}
      </div>
    </div>
  )
}
