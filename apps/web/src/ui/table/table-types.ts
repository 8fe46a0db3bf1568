import type { TableCount, TableSpec } from '@hansom/contract/tables'
import type { RouteName } from '@hansom/domain/access/routes'
import type { WatchedTable } from '@hansom/domain/audit/record-kinds'
import type { FieldError } from '@hansom/domain/error-keys'
import type { ComponentType, ReactNode } from 'react'

/** Query for a page of rows; fits endpoints defined with `tableInput`. */
export type TableQuery<O extends TableSpec = TableSpec> = {
  sort?: string
  q?: string
  cursor?: string
  limit?: number
} & { [F in keyof O['filters'] & string]?: string }

/** Query for a count: search and filters only. */
export type TableFilterQuery<O extends TableSpec = TableSpec> = Omit<
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

/** A value in an editor: amounts in 10^-4 of the currency unit, dates as epoch ms, null for none. */
export type EditValue = string | number | boolean | null

/** A text key with its own parameters. */
export interface CellQuestionText {
  key: string
  params: Readonly<Record<string, string>>
}

/** How the cells of a column are edited, in place and in the row dialog. */
export interface CellEdit<Row> {
  /** `amount` is typed in currency units and stored in 10^-4 of them; `date` is a day in the city's time zone. */
  kind: 'text' | 'number' | 'amount' | 'choice' | 'flag' | 'date'
  value: (row: Row) => EditValue
  /** The row fields to send for a new value; also shown immediately. */
  changes: (value: EditValue, row: Row) => Partial<Row>
  /** The error key, or null if the value is valid. */
  validate?: (value: EditValue, row: Row) => FieldError['error'] | null
  /**
   * Text key of the question before a change with consequences, or null. Its parameters are `name` of the row, `field`,
   * for a flag `value`, and those given with the key.
   */
  confirm?: (value: EditValue, row: Row) => string | CellQuestionText | null
  /** Text key of the hint at its field in the row dialog. */
  hint?: string | undefined
  /** Returns false for rows in which this cell is read-only. */
  when?: (row: Row) => boolean
  /** For `choice`. */
  choices?: (row: Row) => readonly Choice[]
  /** An empty field becomes null instead of ''. */
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
  /** Pixels; defaults to 160. */
  width?: number
  /** Long text: takes up to two lines. */
  wraps?: boolean
  /**
   * The column shows amounts: at least as wide as the longest usual one in the city's currency, and summed in the total
   * row if its id is one of the table's sums.
   */
  amount?: boolean
  /** Name of the table's sort that the column header toggles. */
  sort?: string
  /** The first column and columns with `hideable: false` are always shown. */
  hideable?: boolean
  /** Hidden by default. */
  hidden?: boolean
  /**
   * Position on the phone card, not shown there if absent: `title` and `badge` in the first line, `subtitle` and `end` in
   * the second, `detail` in a third one.
   */
  phone?: 'title' | 'subtitle' | 'badge' | 'end' | 'detail'
  /** The cell on a phone card, if it differs. */
  phoneCell?: (row: Row) => ReactNode
  edit?: CellEdit<Row> | undefined
}

/** How a filter of the table is presented; `label` is a text key. */
export interface FilterDisplay {
  label: string
  /** Text keys of a choice or flag, by value. */
  words?: Readonly<Record<string, string>>
  /** Choices that are data, such as names of car types; for `id`, a short list. */
  choices?: readonly Choice[]
  /** `numbers` that are amounts, typed in currency units. */
  amount?: boolean
  /** For an `id` with many values: a picker. */
  pick?: ComponentType<{ value: string | undefined; onChange: (id: string | undefined) => void }>
  /** Renders the name of the selected id on its chip. */
  named?: ComponentType<{ id: string }>
}

export interface RowAction<Row> {
  id: string
  /** Translated. */
  label: string
  icon?: ReactNode
  danger?: boolean
  onSelect: (row: Row) => void
}

export interface BulkAction<Row> {
  id: string
  /** Translated. */
  label: string
  icon?: ReactNode
  /** Requires confirmation. */
  danger?: boolean
  /** Label of a required text that the confirmation asks for, translated. */
  reason?: string
  /** Runs once per selected row, four at a time; a returned row replaces the old one. */
  call: (row: Row, reason: string) => Promise<Row | void>
}

export interface TableRemove<Row> {
  /** The record's display name. */
  name: (row: Row) => string
  call: (row: Row) => Promise<unknown>
  when?: (row: Row) => boolean
  /**
   * `undo`: hidden immediately, sent after five seconds in which it can be undone. `name`: the user must type the name
   * first.
   */
  safety: 'undo' | 'name'
  /** Replaces the dialog that asks for the name; `onRemoved` takes the row out. */
  dialog?: (props: { row: Row; onClose: () => void; onRemoved: () => void }) => ReactNode
}

export interface TableCreate<Row> {
  /** Text key of the button. */
  label: string
  /** The dialog; `onCreated` adds the new row on top. */
  dialog: (props: { onClose: () => void; onCreated: (row: Row) => void }) => ReactNode
}

export interface DataTableProps<Row, O extends TableSpec> {
  /** Identifies the table in the cache, in saved views and in tests. */
  name: string
  /** Text key: plural name of the rows. The accessible name and, unless `heading` is false, the page's h1. */
  title: string
  heading?: boolean
  spec: O
  columns: readonly TableColumn<Row>[]
  page: (query: TableQuery<O>) => Promise<TablePage<Row>>
  /** With `sums`, the count has the sums of the table's amounts. */
  count?: (query: TableFilterQuery<O> & { sums?: 'true' }) => Promise<TableCount>
  /** Text key: what the total row includes. */
  totalsNote?: string
  rowId: (row: Row) => string
  /** The record's name for assistive technology and dialogs. */
  rowName: (row: Row) => string
  filters?: { [F in keyof O['filters'] & string]?: FilterDisplay }
  /** Filters the user cannot change. */
  fixedFilters?: { [F in keyof O['filters'] & string]?: string }
  /**
   * Sends changes of a row and resolves with the updated row. A `conflict` error carries the current record in
   * `data.current`.
   */
  save?: ((row: Row, changes: Partial<Row>) => Promise<Row>) | undefined
  rowActions?: (row: Row) => readonly RowAction<Row>[]
  onOpen?: (row: Row) => void
  /** URL of the row's page: its first cell is a link, and rows open in a new tab like links. Goes with `onOpen`. */
  link?: (row: Row) => string
  create?: TableCreate<Row>
  /** Replaces the dialog generated from the columns; `onSaved` updates the row. */
  editDialog?: (props: { row: Row; onClose: () => void; onSaved: (row: Row) => void }) => ReactNode
  remove?: TableRemove<Row> | undefined
  bulk?: readonly BulkAction<Row>[]
  /**
   * Routes of the actions. If a demo refuses one, the user learns it before filling in a form or waiting for the undo
   * period.
   */
  routes?: { save?: RouteName; create?: RouteName; remove?: RouteName }
  /** URL of the export; absent if it is not permitted. Sort and filters are appended. */
  exportUrl?: string | undefined
  /** Text keys for an empty table and its next action. */
  empty: { title: string; text?: string; action?: ReactNode }
  /** Rows per page; shows a pager instead of one scroller. */
  pageSize?: number
  /**
   * The table's name in the admin change events, or `noticed` if only `notifyTable` reports changes. Shown rows update
   * in place, new ones are offered. Without it, the table reloads only when it is opened.
   */
  changeEvents?: WatchedTable | 'noticed'
  /** New rows appear automatically unless the user has scrolled or is working in a row, for a monitored table. */
  watched?: boolean
  /** Shown next to the title. */
  aside?: ReactNode
  /** Shown between the title and the rows, such as pending decisions. */
  notice?: ReactNode
}
