import { roundTo } from '@hansom/domain/money/amount'
import { readEdit, unreadable } from './table/edit-value.ts'

/** Parses an amount typed in currency units; invalid text counts as 0. */
export function typedAmount(text: string, rules: { timezone: string; decimal: number }): number {
  const read = readEdit({ kind: 'amount' }, text, rules)
  return read === unreadable || read === null ? 0 : roundTo(Number(read), rules.decimal)
}
