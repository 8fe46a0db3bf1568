import type { FieldError } from '@hansom/domain/error-keys'
import { plainAmount, toAmount, unit } from '@hansom/domain/money/amount'
import { cityDay, cityDayStart } from '@hansom/domain/time/city-time'
import { latinDigits } from '../latin-digits.ts'
import type { CellEdit, EditValue } from './table-types.ts'

type Kind = CellEdit<never>['kind']

/** City rules that editors need. */
export interface EditRules {
  timezone: string
  /** Decimal digits of an amount. */
  decimal: number
}

/** Amounts are stored with this many decimals; editors hide only trailing zeros. */
const finestDecimal = 4

function trimmed(number: string, decimal: number): string {
  const [integer = '', fraction = ''] = number.split('.')
  const kept = fraction.slice(0, decimal) + fraction.slice(decimal).replace(/0+$/, '')
  return kept ? `${integer}.${kept}` : integer
}

/** A value as text for its input. */
export function editText(kind: Kind, value: EditValue, { timezone, decimal }: EditRules): string {
  if (value === null) return ''
  if (kind === 'amount') return trimmed(plainAmount(Number(value), finestDecimal), decimal)
  if (kind === 'date') return cityDay(Number(value), timezone)
  return String(value)
}

/** Returned by `readEdit` if the text is not a valid value. */
export const unreadable = Symbol('unreadable')

/**
 * Parses the typed text; `unreadable` if invalid. Accepts a comma as the decimal separator and digits of any script.
 */
export function readEdit(
  edit: Pick<CellEdit<never>, 'kind' | 'nullable'>,
  text: string,
  { timezone }: EditRules,
): EditValue | typeof unreadable {
  const { kind, nullable } = edit
  const typed = text.trim()
  if (kind === 'flag') return typed === 'true'
  if (typed === '' && (nullable || kind === 'date')) return nullable ? null : unreadable
  if (kind === 'text' || kind === 'choice') return typed
  if (kind === 'date') return cityDayStart(typed, timezone) ?? unreadable
  const digits = latinDigits(typed)
    .replace('\u2212', '-')
    .replace(/[,\u066b]/, '.')
  if (!/^-?\d{1,11}(\.\d{0,6})?$/.test(digits)) return unreadable
  return kind === 'amount' ? toAmount(Number(digits) * unit) : Number(digits)
}

/**
 * Builds cell edits validated against the entire record, because a value may be invalid only in combination with
 * others. `problemsOf` is the record's validator.
 */
export function checkedEdit<Row extends object>(problemsOf: (row: Row) => readonly FieldError[]) {
  return (
    kind: CellEdit<Row>['kind'],
    field: keyof Row & string,
    more: Partial<CellEdit<Row>> = {},
  ): CellEdit<Row> => {
    const changes = more.changes ?? ((value: EditValue) => ({ [field]: value }) as Partial<Row>)
    return {
      kind,
      value: (row) => row[field] as EditValue,
      ...more,
      changes,
      validate: (value, row) => {
        const problems = problemsOf({ ...row, ...changes(value, row) })
        return problems.find((one) => one.field === field)?.error ?? null
      },
    }
  }
}
