import type { Amount } from '@hansom/domain/money/amount'
import { PaymentError } from './port.ts'

/** The number of decimals a provider uses for a currency; each adapter has its own table. */
export type Exponent = 0 | 1 | 2 | 3 | 4

const scale = (exponent: Exponent): number => 10 ** (4 - exponent)

/** Whether an amount can be expressed with this many decimals. */
export function fits(amount: Amount, exponent: Exponent): boolean {
  return Number.isSafeInteger(amount) && amount % scale(exponent) === 0
}

/** The amount in units of 10^-exponent of the currency unit. Throws RangeError if digits would be lost. */
export function toUnits(amount: Amount, exponent: Exponent): number {
  if (!fits(amount, exponent)) throw new RangeError(`${amount} has more than ${exponent} decimals`)
  return amount / scale(exponent)
}

/** The provider's amount is invalid, so its response cannot be used. */
const unreadable = () => new PaymentError('unreadable amount from a provider', { permanent: true })

/** The amount from an integer in units of 10^-exponent. Throws PaymentError for anything else. */
export function fromUnits(units: number, exponent: Exponent): Amount {
  const amount = units * scale(exponent)
  if (!Number.isSafeInteger(units) || !Number.isSafeInteger(amount)) throw unreadable()
  return amount
}

/**
 * The amount as text in currency units with this many decimals: 150000, 2 -> "15.00". Throws RangeError like toUnits.
 */
export function toText(amount: Amount, exponent: Exponent): string {
  const units = String(Math.abs(toUnits(amount, exponent))).padStart(exponent + 1, '0')
  const sign = amount < 0 ? '-' : ''
  if (exponent === 0) return sign + units
  return `${sign}${units.slice(0, -exponent)}.${units.slice(-exponent)}`
}

/** The amount from a text in currency units, such as "15", "15.0" or "15.00". Throws PaymentError for anything else. */
export function fromText(text: string): Amount {
  const parts = /^(-?)(\d{1,11})(?:\.(\d{1,4})0*)?$/.exec(text)
  if (!parts) throw unreadable()
  const amount = Number(`${parts[2]}${(parts[3] ?? '').padEnd(4, '0')}`)
  return parts[1] === '-' ? -amount : amount
}

/** The amount from a JSON number in currency units, by its shortest decimal form. Throws PaymentError like fromText. */
export function fromNumber(value: number): Amount {
  if (!Number.isFinite(value)) throw unreadable()
  return fromText(String(value))
}
