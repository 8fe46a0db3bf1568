import type { Amount } from '../money/amount.ts'
import { type Account, type Entry, entry, providerAccount, userAccount } from './ledger.ts'

/** A refund requested by an admin. `id` is the refund's id. */
export interface Refund {
  id: string
  /** Null for a payment that belongs to no booking. */
  booking: string | null
  amount: Amount
  /** Who bears it: the platform, the trip's driver, or the payer, whose wallet has the captured money. */
  bearer: { platform: true } | { driver: string } | { wallet: string }
}

/** The target of a refund: the provider that captured, or the rider's wallet (always for cash). */
export type RefundTarget = { provider: string } | { rider: string }

/** The amount a source paid for a trip, and the part refunded before. */
export interface RefundSource {
  paid: Amount
  refunded: Amount
}

/** True when the source paid enough for another refund. */
export function mayRefund(source: RefundSource, amount: Amount): boolean {
  return Number.isSafeInteger(amount) && amount > 0 && source.refunded + amount <= source.paid
}

/** The refund is requested from the provider; the money waits in `refund`. */
export function refundRequested(refund: Refund): Entry {
  return entry('refund_asked', `refund:${refund.id}:asked`, refund.booking, [
    { account: bearerAccount(refund), amount: -refund.amount },
    { account: 'refund', amount: refund.amount },
  ])
}

/** The refund was completed. */
export function refundConfirmed(refund: Refund, target: RefundTarget): Entry {
  const account = 'provider' in target ? providerAccount(target.provider) : userAccount(target.rider)
  return entry('refund_confirmed', `refund:${refund.id}:done`, refund.booking, [
    { account: 'refund', amount: -refund.amount },
    { account, amount: refund.amount },
  ])
}

/** The refund failed. It shares its key with the confirmation: only one of them can be written. */
export function refundFailed(refund: Refund): Entry {
  return entry('refund_failed', `refund:${refund.id}:done`, refund.booking, [
    { account: 'refund', amount: -refund.amount },
    { account: bearerAccount(refund), amount: refund.amount },
  ])
}

/** A lost dispute was won on appeal, and the bank returned the money. Once per refund. */
export function refundReversed(refund: Refund, provider: string): Entry {
  return entry('refund_reversed', `refund:${refund.id}:reversed`, refund.booking, [
    { account: providerAccount(provider), amount: -refund.amount },
    { account: bearerAccount(refund), amount: refund.amount },
  ])
}

/**
 * The provider's fee for a dispute, or its return (a negative amount). The platform bears it, regardless of who bears
 * the refund. `step` counts the changes of the fee from 1.
 */
export function disputeFee(
  refund: Pick<Refund, 'id' | 'booking'>,
  provider: string,
  amount: Amount,
  step: number,
): Entry {
  return entry('dispute_fee', `refund:${refund.id}:fee:${step}`, refund.booking, [
    { account: 'platform', amount: -amount },
    { account: providerAccount(provider), amount },
  ])
}

function bearerAccount({ bearer }: Refund): Account {
  if ('driver' in bearer) return userAccount(bearer.driver)
  return 'wallet' in bearer ? userAccount(bearer.wallet) : 'platform'
}
