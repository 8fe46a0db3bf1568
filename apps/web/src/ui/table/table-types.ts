import type { TableCount, TableOffer } from '@hansom/contract/tables'
import type { OfficeTable } from '@hansom/domain/access/office-tables'
import type { RouteName } from '@hansom/domain/access/routes'
import type { ComponentType, ReactNode } from 'react'

/** What a page of rows is asked with; goes into a route made with `tableInput` as it is. */
export type TableQuery<O extends TableOffer = TableOffer> = {
  sort?: string
  q?: string
  cursor?: string
  limit?: number
} & { [F in keyof O['filters'] & string]?: string }

/** What a count is asked with: the page's narrowing. */
export type TableNarrowing<O extends TableOffer = TableOffer> = Omit<
  TableQuery<O>,
  'sort' | 'cursor' | 'limit'
>

export interface TablePage<Row> {
  items: Row[]
  next: string | null
}

export interface Choice {
  value: string
  label: string
}

/** A value as an editor holds it: amounts in 10^-4 of the currency unit, dates as epoch ms, null for nothing. */
export type EditValue = string | number | boolean | null

/** How the cells of a column are edited, in place and in the row's dialog. */
export interface CellEdit<Row> {
  /** `amount` is typed in currency units and kept in 10^-4 of them; `date` is a day in the city's time zone. */
  kind: 'text' | 'number' | 'amount' | 'choice' | 'flag' | 'date'
  value: (row: Row) => EditValue
  /** What is sent for a new value, and shown at once: fields of the row. */
  changes: (value: EditValue, row: Row) => Partial<Row>
  /** Key of the error text (with `error.` before it), or null when the value will do. */
  validate?: (value: EditValue, row: Row) => string | null
  /** Rows of which this cell cannot be changed say false. */
  when?: (row: Row) => boolean
  /** For `choice`. */
  choices?: (row: Row) => readonly Choice[]
  /** An emptied field becomes null instead of ''. */
  nullable?: boolean
  maxLength?: number
}

export interface TableColumn<Row> {
  id: string
  /** Text key. */
  header: string
  cell: (row: Row) => ReactNode
  /** `end` for numbers and money. */
  align?: 'start' | 'center' | 'end'
  /** Pixels; 160 when absent. */
  width?: number
  /** Name of the offered sort; the column's header turns it. */
  sort?: string
  /** The first column and columns with `hideable: false` always stand. */
  hideable?: boolean
  /** Not shown until chosen. */
  hidden?: boolean
  /** Where it stands on the two-line card of a phone; left out when absent. */
  phone?: 'title' | 'subtitle' | 'badge'
  edit?: CellEdit<Row>
}

/** How a filter of the offer is shown; `label` is a text key. */
export interface FilterLook {
  label: string
  /** Words of a choice or flag: text keys by value. */
  words?: Readonly<Record<string, string>>
  /** Words that are data, such as names of car types; for `id`, the few there are. */
  choices?: readonly Choice[]
  /** `numbers` that are amounts are typed in currency units. */
  amount?: boolean
  /** For an `id` of many: chooses one. */
  pick?: ComponentType<{ value: string | undefined; onChange: (id: string | undefined) => void }>
  /** The name of the chosen id on its chip. */
  named?: ComponentType<{ id: string }>
}

export interface RowAction<Row> {
  id: string
  /** Translated words. */
  label: string
  icon?: ReactNode
  danger?: boolean
  onSelect: (row: Row) => void
}

export interface BulkAction<Row> {
  id: string
  /** Translated words. */
  label: string
  icon?: ReactNode
  /** Asked about before it is done. */
  danger?: boolean
  /** Runs once for every chosen row, four at a time; a row that is answered takes the place of the old one. */
  call: (row: Row) => Promise<Row | void>
}

export interface TableRemove<Row> {
  /** The record's name, as it is read. */
  name: (row: Row) => string
  call: (row: Row) => Promise<unknown>
  when?: (row: Row) => boolean
  /** `undo`: gone at once, sent after five seconds in which it can be undone. `name`: asks for the name first. */
  safety: 'undo' | 'name'
}

export interface TableCreate<Row> {
  /** Text key of the button. */
  label: string
  /** The dialog; `onCreated` puts the new row on top. */
  dialog: (props: { onClose: () => void; onCreated: (row: Row) => void }) => ReactNode
}

export interface DataTableProps<Row, O extends TableOffer> {
  /** Names the table in the cache, in saved views and for the eye of a test. */
  name: string
  /** Text key: what the rows are, in the plural. The accessible name and, unless `heading` is false, the page's h1. */
  title: string
  heading?: boolean
  offer: O
  columns: readonly TableColumn<Row>[]
  page: (query: TableQuery<O>) => Promise<TablePage<Row>>
  count?: (query: TableNarrowing<O>) => Promise<TableCount>
  rowId: (row: Row) => string
  /** The record's name for assistive technology and dialogs. */
  rowName: (row: Row) => string
  filters?: { [F in keyof O['filters'] & string]?: FilterLook }
  /** Narrowing that is not the viewer's to change. */
  fixedFilters?: { [F in keyof O['filters'] & string]?: string }
  /** Sends changes of a row and answers with the row as it is then. A `conflict` brings the record in `data.current`. */
  save?: (row: Row, changes: Partial<Row>) => Promise<Row>
  rowActions?: (row: Row) => readonly RowAction<Row>[]
  onOpen?: (row: Row) => void
  create?: TableCreate<Row>
  /** The dialog that edits a whole row, in the place of the one made of the columns; `onSaved` puts the row in its place. */
  editDialog?: (props: { row: Row; onClose: () => void; onSaved: (row: Row) => void }) => ReactNode
  remove?: TableRemove<Row>
  bulk?: readonly BulkAction<Row>[]
  /** What it is sent by: what a demo refuses is said before anything is filled in, and not after the time to undo it. */
  routes?: { save?: RouteName; create?: RouteName; remove?: RouteName }
  /** Address of the export; absent when it is not permitted. Sort and narrowing are added to it. */
  exportUrl?: string
  /** Text keys for a table without rows, and what to do next. */
  empty: { title: string; text?: string; action?: ReactNode }
  /** Pages of so many rows with a pager, instead of one scroller. */
  pageSize?: number
  /**
   * What the office calls this table when it tells of changes by others; `noticed` where `noticeTable` alone tells of them.
   * Rows that are shown change in place, new ones are offered. A table without it is read when it is shown.
   */
  news?: OfficeTable | 'noticed'
  /** New rows come by themselves as long as nobody has scrolled or works in a row: for a table that is watched. */
  watched?: boolean
  /** Beside the title. */
  aside?: ReactNode
  /** Between the title and the rows: what needs a decision first. */
  notice?: ReactNode
}
