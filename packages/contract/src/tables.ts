import { z } from 'zod'
import { cursor } from './shapes.ts'

/**
 * Filter of a column; every kind is one string in the URL and on the wire.
 * `choice`: one or several of the values, separated by commas. `flag`: true or false. `id`: one id. `days`: calendar
 * days in the city's time zone, `2026-11-01..2026-11-30`, either end is optional. `numbers`: `from..to`, either end is
 * optional; amounts are integers of 10^-4 of the currency unit.
 */
export type TableFilter =
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'flag' }
  | { kind: 'id' }
  | { kind: 'days' }
  | { kind: 'numbers' }

/** The sorts and filters of a table. Each of them has an index; a minus before a sort reverses it. */
export interface TableSpec {
  sorts: readonly string[]
  /** The default sort, such as `-createdAt`. */
  defaultSort: string
  filters: Readonly<Record<string, TableFilter>>
  /** Has a text search; all words must occur, each of at least two letters. */
  searchable: boolean
}

const day = '\\d{4}-\\d{2}-\\d{2}'
const number = '-?\\d{1,15}'
const span = (end: string) => new RegExp(`^(?:${end})?\\.\\.(?:${end})?$`)

function filterShape(filter: TableFilter): z.ZodType<string, string> {
  switch (filter.kind) {
    case 'choice':
      return z
        .string()
        .max(400)
        .refine((text) => text.split(',').every((value) => filter.values.includes(value)), 'unknown_choice')
    case 'flag':
      return z.enum(['true', 'false'])
    case 'id':
      return z.uuid()
    case 'days':
      return z.string().regex(span(day))
    case 'numbers':
      return z.string().regex(span(number))
  }
}

type FiltersOf<O extends TableSpec> = { [F in keyof O['filters']]: z.ZodOptional<z.ZodType<string, string>> }

function filterInput<O extends TableSpec>(spec: O) {
  const filters = Object.fromEntries(
    Object.entries(spec.filters).map(([name, filter]) => [name, filterShape(filter).optional()]),
  ) as FiltersOf<O>
  return { q: z.string().trim().max(100).optional(), ...filters }
}

/** Query of a table page. The cursor belongs to its sort and is refused with another one. */
export function tableInput<O extends TableSpec>(spec: O) {
  const sorts = spec.sorts.flatMap((name) => [name, `-${name}`])
  return z.object({
    sort: z.enum(sorts as [string, ...string[]]).optional(),
    cursor: cursor.optional(),
    limit: z.coerce.number().pipe(z.int().min(1).max(200)).optional(),
    ...filterInput(spec),
  })
}

/** Query of a table count: the filters of the page. */
export function tableCountInput<O extends TableSpec>(spec: O) {
  return z.object(filterInput(spec))
}

/** Counts stop at this number of rows. */
export const maxCountedRows = 10_000

/** `more`: there are more rows than `count`. */
export const tableCount = z.object({ count: z.int(), more: z.boolean() })
export type TableCount = z.infer<typeof tableCount>
