import type { TableOffer } from '@hansom/contract/tables'
import type { Person } from '@hansom/domain/access/relation'
import { plainAmount } from '@hansom/domain/money/amount'
import { cityTime } from '@hansom/domain/time/city-day'
import type { Role } from '@hansom/domain/users/roles'
import { textCell } from './csv.ts'
import type { TableQuery } from './table.ts'

/** What the cells of a column are; `words` is the beginning of the message keys that the values have. */
export type CellKind = 'text' | 'number' | 'amount' | 'time' | 'flag' | { words: string }

export interface ExportColumn<Row> {
  /** The message key of its header. */
  title: string
  as: CellKind
  /** Whose export has it; everybody's when left out. */
  to?: readonly Role[]
  /** What the view of the row shows; null is an empty cell. Times are epoch ms, amounts 10^-4 of the currency unit. */
  value(row: Row): string | number | boolean | null
}

export interface ExportOf<Row> {
  /** Its place in the address, and the beginning of the file's name. */
  name: string
  offer: TableOffer
  /** For whom there is such an export. */
  to: readonly Role[]
  /** `critical`: not on a demo that is closed for critical edits. */
  when: 'always' | 'critical'
  columns: readonly ExportColumn<Row>[]
  /** All rows that are asked for, as the person sees them, a batch at a time. */
  rows(person: Person, query: TableQuery): AsyncIterable<readonly Row[]>
}

/** How a reader has things written. */
export interface Reader {
  /** The texts of his language by their keys. */
  texts: Readonly<Record<string, string>>
  timezone: string
  /** Digits behind the point of an amount. */
  decimal: number
}

/** A table that can be exported, whatever its rows are. */
export type TableExport = Omit<ExportOf<unknown>, 'columns' | 'rows'> & {
  /** Lines of cells: the headers, then a batch of rows at a time. */
  lines(person: Person, query: TableQuery, reader: Reader): AsyncGenerator<readonly string[][]>
}

/** Makes a table ready for export: `(bookings) => tableExport({ name: 'bookings', ... })` in the feature's own folder. */
export function tableExport<Row>({ columns, rows, ...rest }: ExportOf<Row>): TableExport {
  return {
    ...rest,
    async *lines(person, query, reader) {
      const shown = columns.filter(({ to }) => to === undefined || to.includes(person.usertype))
      yield [shown.map(({ title }) => textCell(reader.texts[title] ?? title))]
      for await (const batch of rows(person, query)) {
        yield batch.map((row) => shown.map((column) => cell(column.value(row), column.as, reader)))
      }
    },
  }
}

function cell(value: string | number | boolean | null, kind: CellKind, reader: Reader): string {
  if (value === null) return ''
  if (kind === 'number') return String(Number(value))
  if (kind === 'amount') return plainAmount(Number(value), reader.decimal)
  return textCell(wordsOf(value, kind, reader))
}

function wordsOf(
  value: string | number | boolean,
  kind: Exclude<CellKind, 'number' | 'amount'>,
  { texts, timezone }: Reader,
): string {
  if (kind === 'time') return cityTime(Number(value), timezone)
  if (kind === 'text') return String(value)
  const key = kind === 'flag' ? `table.flag_${value}` : `${kind.words}${value}`
  return texts[key] ?? String(value)
}
