import type { Amount } from '../money/amount.ts'

/** The kinds of lines in a driver's earnings. */
export const earningKinds = ['trip', 'cancellation', 'refund', 'bonus'] as const

/** The parts of a driver's earnings, of one line or several. Amounts are integers of 10^-4 of the currency unit. */
export interface EarningParts {
  /** Paid trips. */
  trips: number
  /** Price of the trips: driver share plus fee. */
  tripCost: Amount
  platformFee: Amount
  driverShare: Amount
  /** Fees of cancelled trips, which go to the driver. */
  cancellationFee: Amount
  /** Referral bonuses. */
  bonus: Amount
  /** Refunds the driver bears; not negative. */
  refund: Amount
  /** Cash received from riders. */
  cash: Amount
}

export const noEarningParts: EarningParts = {
  trips: 0,
  tripCost: 0,
  platformFee: 0,
  driverShare: 0,
  cancellationFee: 0,
  bonus: 0,
  refund: 0,
  cash: 0,
}

/** The sum of two. */
export function addParts(one: EarningParts, other: EarningParts): EarningParts {
  const sum = { ...one }
  for (const part of Object.keys(noEarningParts) as (keyof EarningParts)[]) sum[part] += other[part]
  return sum
}

/** The driver's total earnings: share, cancellation fees and bonus, minus refunds. */
export function earnedOf(parts: EarningParts): Amount {
  return parts.driverShare + parts.cancellationFee + parts.bonus - parts.refund
}

/** The part that is credited to the wallet: the driver already has the cash. Negative: debited. */
export function toWalletOf(parts: EarningParts): Amount {
  return earnedOf(parts) - parts.cash
}
