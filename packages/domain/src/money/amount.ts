/**
 * Money is an integer of 10^-4 of the currency unit, everywhere except in provider adapters and on the screen.
 * Percentages have the same scale (12.5 % is 125000).
 */
export type Amount = number

/** Number of parts of one currency unit (or one percent). */
export const unit = 10_000

/** Rounds half away from zero to an integer amount. Throws RangeError unless the result is a safe integer. */
export function toAmount(value: number): Amount {
  const rounded = Math.sign(value) * Math.round(Math.abs(value))
  if (!Number.isSafeInteger(rounded)) throw new RangeError(`not an amount: ${value}`)
  return rounded === 0 ? 0 : rounded
}

/** Rounds an amount to `decimal` digits of the currency unit (0 to 4), half away from zero. */
export function roundTo(amount: number, decimal: number): Amount {
  const step = 10 ** (4 - Math.min(4, Math.max(0, Math.trunc(decimal))))
  return toAmount(amount / step) * step
}

/** `percentage` (scaled by 10^4) of an amount, unrounded. */
export function percentOf(amount: Amount, percentage: number): number {
  return (amount * percentage) / (100 * unit)
}

/**
 * An amount for a text written before its reader is known ('$1,110.50'): with the currency symbol where the settings
 * put it, kept left-to-right within a sentence of either direction.
 */
export function moneyText(
  amount: Amount,
  decimal: number,
  { symbol, swipe_symbol }: { symbol: string; swipe_symbol: boolean },
): string {
  const [whole = '', ...rest] = plainAmount(Math.abs(amount), decimal).split('.')
  const digits = [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...rest].join('.')
  const minus = amount < 0 ? '\u2212' : ''
  return `\u2066${minus}${swipe_symbol ? `${digits}\u00a0${symbol}` : `${symbol}${digits}`}\u2069`
}

/** An amount in currency units as plain digits ('110.50'), for texts that contain the currency code. */
export function plainAmount(amount: Amount, decimal: number): string {
  return (roundTo(amount, decimal) / unit).toFixed(Math.min(4, Math.max(0, Math.trunc(decimal))))
}

/**
 * The highest price that can be set: ten million currency units. Multiplied by the longest route it is still a safe
 * integer.
 */
export const maxPrice: Amount = 10_000_000 * unit

type NumberProblem = 'wrong_type' | 'below_zero' | 'out_of_range' | 'not_a_percentage'

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
