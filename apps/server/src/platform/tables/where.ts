import type { TableFilter, TableSpec } from '@hansom/contract/tables'
import { type FieldError, Refusal } from '@hansom/domain/error-keys'
import { cityDayStart, nextDay } from '@hansom/domain/time/city-time'
import { and, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { FilterColumn, FilterValue, Span, Table, TableQuery, TableScope } from './table.ts'

/** Creates an invalid_input refusal for one field of a table query. */
export function fieldError(field: string, error: FieldError['error'] = 'wrong_type'): Refusal {
  return new Refusal('invalid_input', { fields: [{ field, error }] })
}

/** Builds the WHERE condition of a query within the actor's scope. Throws invalid_input with the field. */
export function buildWhere<O extends TableSpec>(table: Table<O>, query: TableQuery, scope: TableScope): SQL {
  const { spec, columns } = table
  const filters = Object.entries(spec.filters).flatMap(([name, filter]) => {
    const text = query[name]
    if (typeof text !== 'string') return []
    const column = columns.filters[name] as FilterColumn<TableFilter> | null
    if (column === null) throw fieldError(name, 'not_in_list')
    const asked = parseFilter(name, filter, text, scope.timezone)
    return [typeof column === 'function' ? column(asked) : compare(column, filter, asked)]
  })
  return and(...scope.where, ...filters, ...search(table, query.q ?? '')) ?? sql`true`
}

function compare(column: SQLWrapper, filter: TableFilter, asked: FilterValue<TableFilter>): SQL {
  switch (filter.kind) {
    case 'choice': {
      const values = asked as readonly string[]
      // With one value, an index returns the rows in order; with several it does not.
      return values.length === 1
        ? sql`${column} = ${values[0]}`
        : sql`${column} = any(${sql.param([...values])}::text[])`
    }
    case 'flag':
      return asked === true ? sql`${column}` : sql`not ${column}`
    case 'id':
      return sql`${column} = ${asked}::uuid`
    case 'text':
      return sql`${column} = ${asked}::text`
    default: {
      const { from, to } = asked as Span
      const parts = [
        from === null ? undefined : sql`${column} >= ${from}::int8`,
        to === null ? undefined : sql`${column} <= ${to}::int8`,
      ]
      return and(...parts) ?? sql`true`
    }
  }
}

function search<O extends TableSpec>({ spec, columns }: Table<O>, text: string): SQL[] {
  const patterns = searchPatterns(text)
  if (patterns.length === 0) return []
  const column = columns.search
  if (!spec.searchable || column === null) throw fieldError('q', 'not_in_list')
  const folded = patterns.map((pattern) => sql`search_fold(${pattern}::text)`)
  return typeof column === 'function'
    ? [column(folded)]
    : folded.map((pattern) => sql`${column} like ${pattern}`)
}

/** Parses the text of a filter. Throws invalid_input for the field when it is invalid, such as February 30. */
export function parseFilter(
  field: string,
  filter: TableFilter,
  text: string,
  timezone: string,
): FilterValue<TableFilter> {
  switch (filter.kind) {
    case 'choice':
      return [...new Set(text.split(','))]
    case 'flag':
      return text === 'true'
    case 'id':
    case 'text':
      return text
    case 'days':
      return readDays(field, text, timezone)
    case 'numbers': {
      const [from, to] = ends(text)
      return { from: from === null ? null : Number(from), to: to === null ? null : Number(to) }
    }
  }
}

function readDays(field: string, text: string, timezone: string): Span {
  const [first, last] = ends(text)
  const after = last === null ? null : nextDay(last)
  const from = first === null ? null : cityDayStart(first, timezone)
  const to = after === null ? null : cityDayStart(after, timezone)
  const isDay = last === null || cityDayStart(last, timezone) !== null
  if ((first !== null && from === null) || !isDay) throw fieldError(field)
  return { from, to: to === null ? null : to - 1 }
}

function ends(text: string): [string | null, string | null] {
  const [from, to] = text.split('..')
  return [from || null, to || null]
}

/** A trigram index finds three letters anywhere in a word; shorter terms match only at the start of a word. */
const isShort = /^.{1,2}$/u
/** More words make a search slower, not better. */
const mostWords = 8

/** Returns the LIKE patterns for a search; all must match. Short words match at the start of words. */
export function searchPatterns(text: string): string[] {
  const words = text.split(/\s+/u).filter(Boolean).slice(0, mostWords)
  return [...new Set(words)].map((word) => {
    const escaped = word.replace(/[\\%_]/g, '\\$&')
    return isShort.test(word) ? `% ${escaped}%` : `%${escaped}%`
  })
}
