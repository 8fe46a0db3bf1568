import { z } from 'zod'
import { cursor } from './shapes.ts'

/**
 * Filter of a column; every kind is one string in the URL and on the wire.
 * `choice`: one or several of the values, separated by commas. `flag`: true or false. `id`: one id. `days`: calendar
 * days in the city's time zone, `2026-11-01..2026-11-30`, either end is optional. `numbers`: `from..to`, either end is
 * optional; amounts are integers of 10^-4 of the currency unit. `text`: exactly this text.
 */
export type TableFilter =
  | { kind: 'choice'; values: readonly string[] }
  | { kind: 'flag' }
  | { kind: 'id' }
  | { kind: 'days' }
  | { kind: 'numbers' }
  | { kind: 'text' }

/** The sorts and filters of a table. Each of them has an index; a minus before a sort reverses it. */
export interface TableSpec {
  sorts: readonly string[]
  /** The default sort, such as `-createdAt`. */
  defaultSort: string
  filters: Readonly<Record<string, TableFilter>>
  /** Amounts whose sums the count returns when asked for them. */
  sums?: readonly string[]
  /** Has a text search; all words must occur, each of at least two letters. */
  searchable: boolean
}

const day = '\\d{4}-\\d{2}-\\d{2}'
const number = '-?\\d{1,15}'
/** Texts of a range, `from..to`; `isAscending` compares its ends, which are both given. */
const span = (end: string, isAscending: (from: string, to: string) => boolean) =>
  z
    .string()
    .regex(new RegExp(`^(?:${end})?\\.\\.(?:${end})?$`))
    .refine(
      (text) => {
        const [from, to] = text.split('..')
        return !from || !to || isAscending(from, to)
      },
      { params: { error: 'reversed_range' } },
    )

function filterShape(filter: TableFilter): z.ZodType<string, string> {
  switch (filter.kind) {
    case 'choice':
      return z
        .string()
        .max(400)
        .refine((text) => text.split(',').every((value) => filter.values.includes(value)), {
          params: { error: 'not_in_list' },
        })
    case 'flag':
      return z.enum(['true', 'false'])
    case 'id':
      return z.uuid()
    case 'text':
      return z.string().min(1).max(300)
    case 'days':
      return span(day, (from, to) => from <= to)
    case 'numbers':
      return span(number, (from, to) => Number(from) <= Number(to))
  }
}

type FiltersOf<O extends TableSpec> = { [F in keyof O['filters']]: z.ZodOptional<z.ZodType<string, string>> }

function filterInput<O extends TableSpec>(spec: O) {
  const filters = Object.fromEntries(
    Object.entries(spec.filters).map(([name, filter]) => [name, filterShape(filter).optional()]),
  ) as FiltersOf<O>
  return { q: z.string().trim().max(100).optional(), ...filters }
}

/** Query of a table page. A cursor is valid only for the sort that created it. */
export function tableInput<O extends TableSpec>(spec: O) {
  const sorts = spec.sorts.flatMap((name) => [name, `-${name}`])
  return z.object({
    sort: z.enum(sorts as [string, ...string[]]).optional(),
    cursor: cursor.optional(),
    limit: z.coerce.number().pipe(z.int().min(1).max(200)).optional(),
    ...filterInput(spec),
  })
}

/** Query of a table count: the filters of the page; with `sums=true` the response has the sums of the amounts. */
export function tableCountInput<O extends TableSpec>(spec: O) {
  return z.object({ sums: z.enum(['true', 'false']).optional(), ...filterInput(spec) })
}

/** Counts stop at this number of rows. */
export const maxCountedRows = 10_000

/**
 * `more`: there are more rows than `count`. `sums`: the sums of the table's amounts over the counted rows, of those
 * amounts that the viewer may see; absent without `sums=true`, and when there are more rows.
 */
export const tableCount = z.object({
  count: z.int(),
  more: z.boolean(),
  sums: z.record(z.string(), z.int()).optional(),
})
export type TableCount = z.infer<typeof tableCount>
