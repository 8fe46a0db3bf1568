import type { TableFilter, TableSpec } from '@hansom/contract/tables'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from '../../lib/search-params.ts'
import { isDatePreset, presetDays } from './date-presets.ts'
import type { TableFilterQuery } from './table-types.ts'

/** The user's choices for a table; all of them are in the URL. */
export interface TableState {
  sort: string
  q: string
  filters: Readonly<Record<string, string>>
  /** Columns whose visibility differs from the default. */
  columns: Readonly<Record<string, boolean>>
  /** Name of the selected saved view. */
  view: string | null
}

/** Flat search parameters as the router provides them. */
export type RawSearch = Readonly<Record<string, unknown>>

const day = '\\d{4}-\\d{2}-\\d{2}'
const number = '-?\\d{1,15}'
const spans = {
  days: new RegExp(`^(?:(?:${day})?\\.\\.${day}|${day}\\.\\.)$`),
  numbers: new RegExp(`^(?:(?:${number})?\\.\\.${number}|${number}\\.\\.)$`),
}
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function fits(filter: TableFilter, value: string): boolean {
  switch (filter.kind) {
    case 'choice':
      return value.split(',').every((one) => filter.values.includes(one))
    case 'flag':
      return value === 'true' || value === 'false'
    case 'id':
      return uuid.test(value)
    case 'text':
      return value !== '' && value.length <= 300
    case 'days':
      return isDatePreset(value) || (spans.days.test(value) && isDayRange(value))
    case 'numbers':
      return spans.numbers.test(value) && !isReversed(value.split('..').map((end) => end && Number(end)))
  }
}

function isDayRange(value: string): boolean {
  const ends = value.split('..')
  const isDay = (text: string) => text === '' || new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text
  return ends.every(isDay) && !isReversed(ends)
}

/** Whether a range ends before it starts; an empty end is open. */
export function isReversed<End extends string | number>([from, to]: readonly (End | '')[]): boolean {
  return from !== '' && to !== '' && from !== undefined && to !== undefined && from > to
}

function asString(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** Reads the state from search parameters; ignores what the table does not support. */
export function readTableState(address: RawSearch, spec: TableSpec): TableState {
  const sort = asString(address.sort)
  const filters: Record<string, string> = {}
  for (const [name, filter] of Object.entries(spec.filters)) {
    const value = asString(address[name])
    if (value !== undefined && fits(filter, value)) filters[name] = value
  }
  const columns: Record<string, boolean> = {}
  for (const part of asString(address.columns)?.split(',') ?? []) {
    const [, minus, id] = part.match(/^(-?)(\w+)$/) ?? []
    if (id) columns[id] = minus === ''
  }
  return {
    sort: sort && spec.sorts.includes(sort.replace(/^-/, '')) ? sort : spec.defaultSort,
    q: spec.searchable ? (asString(address.q) ?? '').slice(0, 100) : '',
    filters,
    columns,
    view: asString(address.view) ?? null,
  }
}

/** Filters in the URL with a value that the table does not accept, by name. */
export function invalidFilters(address: RawSearch, spec: TableSpec): Record<string, string> {
  const given = Object.entries(spec.filters).map(([name, filter]) => {
    const value = asString(address[name])
    return value === undefined || fits(filter, value) ? [] : [[name, value] as const]
  })
  return Object.fromEntries(given.flat())
}

/** The state with relative days as dates. `today` is the city's calendar day. */
export function resolveDays(state: TableState, spec: TableSpec, today: string): TableState {
  const filters = Object.entries(state.filters).map(([name, value]) => [
    name,
    spec.filters[name]?.kind === 'days' && isDatePreset(value) ? presetDays(value, today) : value,
  ])
  return { ...state, filters: Object.fromEntries(filters) }
}

/** Writes the state as search parameters; omits defaults. */
export function writeTableState(state: TableState, spec: TableSpec): Record<string, string | undefined> {
  const columns = Object.entries(state.columns).map(([id, shown]) => (shown ? id : `-${id}`))
  return {
    sort: state.sort === spec.defaultSort ? undefined : state.sort,
    q: state.q || undefined,
    ...Object.fromEntries(Object.keys(spec.filters).map((name) => [name, state.filters[name]])),
    columns: columns.join(',') || undefined,
    view: state.view ?? undefined,
  }
}

/** Filters and search for the server query. */
export function filterQuery<O extends TableSpec>(
  state: TableState,
  fixed: Readonly<Record<string, string | undefined>> = {},
): TableFilterQuery<O> {
  const given = Object.entries({ ...state.filters, ...fixed }).filter(([, value]) => value !== undefined)
  const q = state.q.trim()
  return { ...(q.length > 1 ? { q } : {}), ...Object.fromEntries(given) } as TableFilterQuery<O>
}

/** Whether the user has set any filter or search. */
export function isFiltered(state: TableState): boolean {
  return state.q.trim().length > 1 || Object.keys(state.filters).length > 0
}

/** The table state in the URL, a function that changes parts of it, and the filters it ignores as invalid. */
export function useTableState(
  spec: TableSpec,
): [TableState, (change: Partial<TableState>) => void, Readonly<Record<string, string>>] {
  const [params, changeParams] = useSearchParams()
  const state = useMemo(() => readTableState(params, spec), [params, spec])
  const change = useCallback(
    (part: Partial<TableState>) =>
      // A state that differs from a saved view no longer belongs to it.
      changeParams((old) => writeTableState({ ...readTableState(old, spec), view: null, ...part }, spec)),
    [changeParams, spec],
  )
  const invalid = useMemo(() => invalidFilters(params, spec), [params, spec])
  return [state, change, invalid]
}
