import type { TableCount, TableSpec } from '@hansom/contract/tables'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button, buttonClass } from '../button.tsx'
import { PageHead } from '../page-head.tsx'
import { ColumnMenu } from './column-menu.tsx'
import { FilterChips } from './filter-chips.tsx'
import { SearchField } from './search-field.tsx'
import { isFiltered, type TableState } from './table-state.ts'
import type { FilterDisplay, TableColumn } from './table-types.ts'
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
  offer: TableSpec
  state: TableState
  onChange: (change: Partial<TableState>) => void
  looks: Readonly<Record<string, FilterDisplay | undefined>>
  fixed: Readonly<Record<string, string | undefined>>
  /** Null if columns cannot be chosen. */
  columns: readonly TableColumn<Row>[] | null
  /** URL of the export with the current filters. */
  exportUrl: string | null
  /** Button for changes by others. */
  news: ReactNode
  children: ReactNode
}

/** Search, filters, views, columns and export. */
export function TableBar<Row>(props: BarProps<Row>) {
  const { t } = useText()
  const { name, offer, state, onChange, looks, fixed, columns, exportUrl, news, children } = props
  return (
    <div className={classes.toolbar} role="group" aria-label={t('table.toolbar')}>
      {offer.searchable ? <SearchField value={state.q} onChange={(q) => onChange({ q })} /> : null}
      <FilterChips
        offer={offer}
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
      {news}
      <span className={classes.toolEnd}>
        <ViewMenu name={name} offer={offer} state={state} onChange={onChange} />
        {columns ? (
          <ColumnMenu
            columns={columns}
            shown={state.columns}
            onChange={(shown) => onChange({ columns: shown })}
          />
        ) : null}
        {exportUrl ? (
          <a className={buttonClass({ size: 'small', variant: 'quiet' })} href={exportUrl} download>
            <IconDownload size={17} aria-hidden />
            <span className={classes.toolWords}>{t('table.export')}</span>
          </a>
        ) : null}
        {children}
      </span>
    </div>
  )
}
