import { unit } from '@hansom/domain/money/amount'
import type { Format } from '../../lib/format.ts'

/** Pixels of a digit at the tables' font size, and the padding of a cell. */
const digit = 7.8
const padding = 28

/** The width of a column of amounts of up to six digits before the decimal separator, px. */
export function widestAmount(format: Pick<Format, 'money'>): number {
  return Math.ceil(format.money(999_999 * unit).length * digit + padding)
}
