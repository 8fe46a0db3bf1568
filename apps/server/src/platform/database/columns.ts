import { getTableColumns, type SQL, sql, type Table } from 'drizzle-orm'
import { type AnyPgColumn, bigint, customType } from 'drizzle-orm/pg-core'

/** Integer of 10^-4 of the currency unit. */
export const amount = (name: string) => bigint(name, { mode: 'number' })

/** Epoch milliseconds, the domain's unit of time. */
export const instant = (name: string) => bigint(name, { mode: 'number' })

/** Case-insensitive text. */
export const citext = customType<{ data: string }>({ dataType: () => 'citext' })

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** The condition of a `translations` column: texts by field, by locale. */
export const isTranslations = (column: AnyPgColumn): SQL =>
  sql`jsonb_typeof(${column}) = 'object' and length(${column}::text) <= 20000
    and not jsonb_path_exists(${column}, 'strict $.* ? (@.type() != "object")')
    and not jsonb_path_exists(${column}, 'strict $.*.* ? (@.type() != "string")')`

/** Maps rows between a table's column names, as in JSON, and its property names. */
export interface RowJson<T extends object> {
  /** Reads a row that PostgreSQL returned as JSON (`to_jsonb`). */
  read(json: object): T
  /** Returns the input for `jsonb_populate_record`, with the given properties only. */
  write(row: Partial<T>): Record<string, unknown>
}

/** Creates the mapping for one table. Throws for a property the table does not have. */
export function rowJson<T extends object>(table: Table): RowJson<T> {
  const columns = Object.entries(getTableColumns(table)).map(([property, column]) => [property, column.name])
  const propertyOf = new Map(columns.map(([property, column]) => [column, property]))
  const columnOf = new Map(columns as [string, string][])
  return {
    read(json) {
      const row: Record<string, unknown> = {}
      for (const [column, value] of Object.entries(json)) row[propertyOf.get(column) ?? column] = value
      return row as T
    },
    write(row) {
      const json: Record<string, unknown> = {}
      for (const [property, value] of Object.entries(row)) {
        const column = columnOf.get(property)
        if (column === undefined) throw new Error(`table has no property ${property}`)
        json[column] = value
      }
      return json
    },
  }
}
