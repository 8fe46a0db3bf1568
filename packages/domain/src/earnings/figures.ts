import type { Amount } from '../money/amount.ts'

/** What has earned a driver something, or has cost it: one of these is a line of the driver's earnings. */
export const earningKinds = ['trip', 'cancellation', 'refund', 'bonus'] as const

/** The parts of what a driver has earned, of one line or of many. Amounts are integers of 10^-4 of the currency unit. */
export interface EarningParts {
  /** Trips that were paid. */
  trips: number
  /** What they cost: share and fee. */
  tripCost: Amount
  platformFee: Amount
  driverShare: Amount
  /** Fees of cancelled trips, which are the driver's. */
  cancellationFee: Amount
  /** Bonus for people who were brought. */
  bonus: Amount
  /** Refunds that the driver bears; not below zero. */
  refund: Amount
  /** Cash that riders have handed over. */
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

/** What the driver has earned in all: own share, cancellation fees and bonus, less the refunds. */
export function earnedOf(parts: EarningParts): Amount {
  return parts.driverShare + parts.cancellationFee + parts.bonus - parts.refund
}

/** What of it went into the wallet: the cash is in the driver's hand already. Below zero: it left the wallet. */
export function toWalletOf(parts: EarningParts): Amount {
  return earnedOf(parts) - parts.cash
}
