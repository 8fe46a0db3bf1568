import { getTableColumns, type Table } from 'drizzle-orm'

/** Translates rows between the names of a table's columns and those of its properties, as JSON carries them. */
export interface RowJson<T extends object> {
  /** A row that PostgreSQL gave as JSON (`to_jsonb`). */
  read(json: object): T
  /** What `jsonb_populate_record` takes; only the properties that are given. */
  write(row: Partial<T>): Record<string, unknown>
}

/** The translation for one table. Throws for a property the table does not have. */
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
        if (column === undefined) throw new Error(`the table has no ${property}`)
        json[column] = value
      }
      return json
    },
  }
}
