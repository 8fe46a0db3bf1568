import { roundTo } from '@hansom/domain/money/amount'
import { readEdit, unreadable } from './table/edit-value.ts'

/** The amount that was typed in currency units; what is no number counts as 0. */
export function typedAmount(text: string, rules: { timezone: string; decimal: number }): number {
  const read = readEdit({ kind: 'amount' }, text, rules)
  return read === unreadable || read === null ? 0 : roundTo(Number(read), rules.decimal)
}
