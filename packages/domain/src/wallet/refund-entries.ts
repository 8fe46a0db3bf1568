import type { Amount } from '../money/amount.ts'
import { type Account, type Entry, entry, providerAccount, userAccount } from './ledger.ts'

/** A refund an admin asked for. `id` is the refund's own. */
export interface Refund {
  id: string
  /** Null for a payment that belongs to no booking. */
  booking: string | null
  amount: Amount
  /** Who bears it: the platform, the trip's driver, or the payer, in whose wallet a captured payment lies. */
  bearer: { platform: true } | { driver: string } | { wallet: string }
}

/** Where a refund goes: back through the provider that captured, or to the rider's wallet (always for cash). */
export type RefundTarget = { provider: string } | { rider: string }

/** What a source paid for a trip and what of it was refunded before. */
export interface RefundSource {
  paid: Amount
  refunded: Amount
}

/** True when the source paid enough for one more refund. */
export function mayRefund(source: RefundSource, amount: Amount): boolean {
  return Number.isSafeInteger(amount) && amount > 0 && source.refunded + amount <= source.paid
}

/** The refund is asked of the provider; the money waits in `refund`. */
export function refundAsked(refund: Refund): Entry {
  return entry('refund_asked', `refund:${refund.id}:asked`, refund.booking, [
    { account: bearerAccount(refund), amount: -refund.amount },
    { account: 'refund', amount: refund.amount },
  ])
}

/** The refund has arrived. */
export function refundConfirmed(refund: Refund, target: RefundTarget): Entry {
  const account = 'provider' in target ? providerAccount(target.provider) : userAccount(target.rider)
  return entry('refund_confirmed', `refund:${refund.id}:done`, refund.booking, [
    { account: 'refund', amount: -refund.amount },
    { account, amount: refund.amount },
  ])
}

/** The refund did not go through. It shares its key with the confirmation: only one of them can ever be written. */
export function refundFailed(refund: Refund): Entry {
  return entry('refund_failed', `refund:${refund.id}:done`, refund.booking, [
    { account: 'refund', amount: -refund.amount },
    { account: bearerAccount(refund), amount: refund.amount },
  ])
}

/** What a bank had got is back after all: a dispute that was lost is won by an appeal. Once for a refund. */
export function refundReversed(refund: Refund, provider: string): Entry {
  return entry('refund_reversed', `refund:${refund.id}:reversed`, refund.booking, [
    { account: providerAccount(provider), amount: -refund.amount },
    { account: bearerAccount(refund), amount: refund.amount },
  ])
}

/**
 * What a provider charges for a dispute, or gives back of it (a negative amount). The platform bears it, whoever bears the
 * refund. `step` counts the changes of the fee from 1.
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
