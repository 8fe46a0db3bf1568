import type { TableSpec } from '@hansom/contract/tables'
import type { Actor } from '@hansom/domain/access/relation'
import { plainAmount } from '@hansom/domain/money/amount'
import type { Settings } from '@hansom/domain/settings/settings'
import { cityTime } from '@hansom/domain/time/city-time'
import type { Role } from '@hansom/domain/users/roles'
import type { TableQuery } from './table.ts'

/** The type of a column's cells; `words` is the prefix of the message keys of its values. */
export type CellKind = 'text' | 'number' | 'amount' | 'time' | 'flag' | { words: string }

export interface ExportColumn<Row> {
  /** Message key of the header. */
  title: string
  kind: CellKind
  /** Roles whose export has the column; all when omitted. */
  roles?: readonly Role[]
  /** The category whose installations export the column; both when omitted. */
  only?: Settings['category']
  /** The value in the row's view; null is an empty cell. Times are epoch ms, amounts 10^-4 of the currency unit. */
  value(row: Row): string | number | boolean | null
}

export interface ExportSpec<Row> {
  /** Its name in the URL, and the prefix of the file name. */
  name: string
  spec: TableSpec
  /** Roles that may export. */
  roles: readonly Role[]
  /** `critical`: disabled while a demo disables critical edits. */
  when: 'always' | 'critical'
  columns: readonly ExportColumn<Row>[]
  /** Returns a function that translates the texts that admins have written, such as names in a row. */
  translate?(reader: Pick<Reader, 'locale' | 'texts'>): Promise<(row: Row) => Row>
  /** Returns all matching rows as the actor sees them, a batch at a time. */
  rows(actor: Actor, query: TableQuery): AsyncIterable<readonly Row[]>
}

/** Formatting of an export for its reader. */
export interface Reader {
  locale: string
  /** The texts of their language, by key. */
  texts: Readonly<Record<string, string>>
  timezone: string
  category: Settings['category']
  /** Number of decimal digits of an amount. */
  decimal: number
}

/** An exportable table, independent of its row type. */
export type TableExport = Omit<ExportSpec<unknown>, 'columns' | 'rows' | 'translate'> & {
  /** Yields lines of cells: the header, then a batch of rows at a time. */
  lines(actor: Actor, query: TableQuery, reader: Reader): AsyncGenerator<readonly string[][]>
}

/** Creates a table export: `(bookings) => tableExport({ name: 'bookings', ... })` in the feature's folder. */
export function tableExport<Row>({ columns, rows, translate, ...rest }: ExportSpec<Row>): TableExport {
  return {
    ...rest,
    async *lines(actor, query, reader) {
      const shown = columns.filter(
        ({ roles: to, only }) =>
          (to === undefined || to.includes(actor.role)) && (only === undefined || only === reader.category),
      )
      yield [shown.map(({ title }) => textCell(reader.texts[title] ?? title))]
      const read = (await translate?.(reader)) ?? ((row: Row) => row)
      for await (const batch of rows(actor, query)) {
        yield batch
          .map(read)
          .map((row) => shown.map((column) => cell(column.value(row), column.kind, reader)))
      }
    },
  }
}

function cell(value: string | number | boolean | null, kind: CellKind, reader: Reader): string {
  if (value === null) return ''
  if (kind === 'number') return String(Number(value))
  if (kind === 'amount') return plainAmount(Number(value), reader.decimal)
  return textCell(textOf(value, kind, reader))
}

function textOf(
  value: string | number | boolean,
  kind: Exclude<CellKind, 'number' | 'amount'>,
  { texts, timezone }: Reader,
): string {
  if (kind === 'time') return cityTime(Number(value), timezone)
  if (kind === 'text') return String(value)
  const key = kind === 'flag' ? `table.flag_${value}` : `${kind.words}${value}`
  return texts[key] ?? String(value)
}

/** Tells spreadsheets that the file is UTF-8. */
export const byteOrderMark = '\ufeff'

/** Leading characters that make a spreadsheet evaluate a cell. */
const formulaStart = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

/**
 * Formats a text as a cell (RFC 4180), always quoted, so that no other separator splits it. A text that a spreadsheet
 * would evaluate as a formula gets a leading apostrophe.
 */
export function textCell(text: string): string {
  const escaped = formulaStart.test(text) ? `'${text}` : text
  return `"${escaped.replaceAll('"', '""')}"`
}

/** Joins cells into a line; each cell comes from `textCell` or contains digits only. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`
}
