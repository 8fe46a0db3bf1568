import type { TableFilter } from '@hansom/contract/tables'
import { cityDayStart, nextDay } from '@hansom/domain/time/city-day'
import { fieldError } from './field-error.ts'
import type { FilterValue, Span } from './table.ts'

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
