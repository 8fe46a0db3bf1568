import type { TableCount, TableSpec } from '@hansom/contract/tables'
import {
  IconArrowDown,
  IconArrowsSort,
  IconArrowUp,
  IconColumns3,
  IconDownload,
  IconRefresh,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button, buttonClass } from '../button.tsx'
import { DownloadLink } from '../download-link.tsx'
import { Menu } from '../menu.tsx'
import { PageHead } from '../page-head.tsx'
import popover from '../popover.module.css'
import { Popover } from '../popover.tsx'
import { FilterChips } from './filter-chips.tsx'
import { SearchField } from './search-field.tsx'
import { isFiltered, type TableState } from './table-state.ts'
import type { FilterDisplay, TableColumn } from './table-types.ts'
import type { PendingChanges } from './table-updates.ts'
import classes from './toolbar.module.css'
import { ViewMenu } from './view-menu.tsx'

/** The page title with the row count, and the main action at the end. */
export function TableTitle(props: { title: string; count: TableCount | null; children: ReactNode }) {
  const { t } = useText()
  const format = useFormat()
  const { title, count, children } = props
  return (
    <PageHead
      title={t(title)}
      count={
        count ? (
          <bdi dir="ltr">
            {format.number(count.count)}
            {count.more ? '+' : ''}
          </bdi>
        ) : null
      }
    >
      {children}
    </PageHead>
  )
}

interface BarProps<Row> {
  name: string
  spec: TableSpec
  state: TableState
  /** Filters in the URL that are ignored, with their values. */
  invalid: Readonly<Record<string, string>>
  onChange: (change: Partial<TableState>) => void
  looks: Readonly<Record<string, FilterDisplay | undefined>>
  fixed: Readonly<Record<string, string | undefined>>
  columns: readonly TableColumn<Row>[]
  /** Cards have no column headers: sorting is a menu, and columns cannot be chosen. */
  phone: boolean
  /** URL of the export with the current filters. */
  exportUrl: string | null
  children: ReactNode
}

/** Search, filters, views, columns and export. */
export function TableBar<Row>(props: BarProps<Row>) {
  const { t } = useText()
  const { name, spec, state, invalid, onChange, looks, fixed, columns, phone, exportUrl, children } = props
  return (
    <fieldset className={classes.toolbar} aria-label={t('table.toolbar')}>
      {spec.searchable ? <SearchField value={state.q} onChange={(q) => onChange({ q })} /> : null}
      <FilterChips
        spec={spec}
        looks={looks}
        fixed={fixed}
        values={state.filters}
        onChange={(filters) => onChange({ filters })}
      />
      {isFiltered(state) ? (
        <Button size="small" variant="quiet" onClick={() => onChange({ q: '', filters: {} })}>
          {t('table.clear_filters')}
        </Button>
      ) : null}
      <span className={classes.toolEnd}>
        {phone ? (
          <SortMenu columns={columns} sort={state.sort} onChange={(sort) => onChange({ sort })} />
        ) : null}
        <ViewMenu name={name} spec={spec} state={state} onChange={onChange} />
        {phone ? null : (
          <ColumnMenu
            columns={columns}
            shown={state.columns}
            onChange={(shown) => onChange({ columns: shown })}
          />
        )}
        {exportUrl ? (
          <DownloadLink className={buttonClass({ size: 'small', variant: 'quiet' })} href={exportUrl}>
            <IconDownload size={17} aria-hidden />
            <span className={classes.toolWords}>{t('table.export')}</span>
          </DownloadLink>
        ) : null}
        {children}
      </span>
      {Object.entries(invalid).map(([filter, value]) => (
        <output key={filter} className={classes.invalid}>
          {t('table.filter_invalid', { name: t(looks[filter]?.label ?? filter), value: isolated(value) })}
          <Button size="small" variant="quiet" onClick={() => onChange({})}>
            {t('table.filter_remove')}
          </Button>
        </output>
      ))}
    </fieldset>
  )
}

interface SortProps<Row> {
  columns: readonly TableColumn<Row>[]
  sort: string
  onChange: (sort: string) => void
}

/** Sorts a phone's cards: choosing the current column reverses the order. */
function SortMenu<Row>({ columns, sort, onChange }: SortProps<Row>) {
  const { t } = useText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const sortable = columns.filter((column) => column.sort !== undefined)
  const current = sortable.find((column) => column.sort === sort.replace(/^-/, ''))
  if (sortable.length === 0) return null
  const isDescending = sort.startsWith('-')
  const Direction = isDescending ? IconArrowDown : IconArrowUp
  const label = current
    ? t(isDescending ? 'table.sorted_down' : 'table.sorted_up', { name: t(current.header) })
    : t('table.sort')
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={label}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        <IconArrowsSort size={17} aria-hidden />
        <span className={classes.toolWords}>{current ? t(current.header) : t('table.sort')}</span>
      </Button>
      {anchor ? (
        <Menu
          anchor={anchor}
          label={t('table.sort')}
          onClose={() => setAnchor(null)}
          items={sortable.map((column) => ({
            id: column.id,
            label: t(column.header),
            icon:
              column === current ? <Direction size={18} aria-hidden /> : <span className={classes.noIcon} />,
            onSelect: () =>
              onChange(column === current && !isDescending ? `-${column.sort}` : (column.sort ?? '')),
          }))}
        />
      ) : null}
    </>
  )
}

interface ColumnProps<Row> {
  columns: readonly TableColumn<Row>[]
  shown: Readonly<Record<string, boolean>>
  onChange: (shown: Record<string, boolean>) => void
}

/** Menu to show and hide columns. */
function ColumnMenu<Row>({ columns, shown, onChange }: ColumnProps<Row>) {
  const { t } = useText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const choosable = columns.filter((column, at) => at > 0 && column.hideable !== false)
  if (choosable.length === 0) return null
  const isShown = (column: TableColumn<Row>) => shown[column.id] ?? !column.hidden
  const toggle = (column: TableColumn<Row>, on: boolean) => {
    const rest = Object.fromEntries(Object.entries(shown).filter(([id]) => id !== column.id))
    onChange(on === !column.hidden ? rest : { ...rest, [column.id]: on })
  }
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        <IconColumns3 size={17} aria-hidden />
        <span className={classes.toolWords}>{t('table.columns')}</span>
      </Button>
      {anchor ? (
        <Popover anchor={anchor} label={t('table.columns')} onClose={() => setAnchor(null)}>
          {choosable.map((column) => (
            <label key={column.id} className={popover.item}>
              <input
                type="checkbox"
                className={classes.check}
                checked={isShown(column)}
                onChange={(event) => toggle(column, event.target.checked)}
              />
              {t(column.header)}
            </label>
          ))}
        </Popover>
      ) : null}
    </>
  )
}

/**
 * Button above the rows with the number of rows that others have added or removed; a click shows them. It takes no
 * space, so that the rows do not move under the pointer.
 */
export function UpdatesButton({ added, removed, onShow }: PendingChanges & { onShow: () => void }) {
  const { t } = useText()
  return (
    <output className={classes.updates}>
      {added + removed > 0 ? (
        <button type="button" className={classes.updatesButton} onClick={onShow}>
          <IconRefresh size={16} aria-hidden />
          {added > 0 ? t('table.new_rows', { count: added }) : t('table.rows_changed')}
        </button>
      ) : null}
    </output>
  )
}
