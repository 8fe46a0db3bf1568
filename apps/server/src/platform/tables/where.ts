import type { TableFilter, TableSpec } from '@hansom/contract/tables'
import { and, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import { parseFilter } from './parse-filter.ts'
import { fieldError } from './field-error.ts'
import { searchPatterns } from './search-patterns.ts'
import type { FilterValue, FilterColumn, Span, Table, TableQuery, TableScope } from './table.ts'

/** Builds the WHERE condition of a query within the viewer's scope. Throws invalid_input with the field. */
export function buildWhere<O extends TableSpec>(table: Table<O>, query: TableQuery, scope: TableScope): SQL {
  const { offer, columns } = table
  const filters = Object.entries(offer.filters).flatMap(([name, filter]) => {
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

function search<O extends TableSpec>({ offer, columns }: Table<O>, text: string): SQL[] {
  const patterns = searchPatterns(text)
  if (patterns.length === 0) return []
  const column = columns.search
  if (!offer.searchable || column === null) throw fieldError('q', 'not_in_list')
  const folded = patterns.map((pattern) => sql`search_fold(${pattern}::text)`)
  return typeof column === 'function'
    ? [column(folded)]
    : folded.map((pattern) => sql`${column} like ${pattern}`)
}
