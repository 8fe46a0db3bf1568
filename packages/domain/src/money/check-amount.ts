import { type Amount, unit } from './amount.ts'

/**
 * The highest price that can be set: ten million currency units. Multiplied by the longest route it is still a safe
 * integer.
 */
export const maxPrice: Amount = 10_000_000 * unit

export type NumberProblem = 'wrong_type' | 'below_zero' | 'out_of_range' | 'not_a_percentage'

/** Why a number is not a valid price, or null. */
export function amountProblem(value: Amount): NumberProblem | null {
  if (!Number.isSafeInteger(value)) return 'wrong_type'
  if (value < 0) return 'below_zero'
  return value > maxPrice ? 'out_of_range' : null
}

/** Why a number is not a valid percentage from 0 to 100, scaled by 10^4, or null. */
export function percentageProblem(value: number): NumberProblem | null {
  if (!Number.isSafeInteger(value)) return 'wrong_type'
  return value < 0 || value > 100 * unit ? 'not_a_percentage' : null
}
