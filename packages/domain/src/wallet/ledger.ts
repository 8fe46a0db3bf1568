import type { Amount } from '../money/amount.ts'

/**
 * The accounts of the double-entry ledger. A user's balance is positive when the platform owes the user; `trip:` is the
 * escrow of a booking, and is empty once the trip is paid or cancelled. `due:` is the amount that a booking's driver is
 * owed and its rider has not paid yet. `cash_desk` is negative while it holds cash.
 */
export type Account =
  | `user:${string}`
  | `trip:${string}`
  | `due:${string}`
  | `provider:${string}`
  | 'platform'
  | 'promo'
  | 'bonus'
  | 'adjustment'
  | 'payout'
  | 'refund'
  | 'cash_desk'
  | 'bank'

/** Reasons for moving money. */
export const entryKinds = [
  'cash_payment',
  'wallet_payment',
  'card_payment',
  'promo_payment',
  'settlement',
  'surplus_returned',
  'wallet_returned',
  'cancellation',
  'rebooked',
  'write_off',
  'late_capture',
  'refund_asked',
  'refund_confirmed',
  'refund_failed',
  'refund_reversed',
  'dispute_fee',
  'withdraw_asked',
  'withdraw_processed',
  'withdraw_refused',
  'admin_credit',
  'admin_debit',
  'adjustment_reversed',
  'top_up',
  'referral_bonus',
  'debt_collected',
  'due_released',
  'due_waived',
  'objection_decided',
  'cash_received',
  'cash_reversed',
  'cash_banked',
  'guest_taken_over',
  'balance_given_up',
] as const
export type EntryKind = (typeof entryKinds)[number]

export interface Leg {
  account: Account
  /** Positive into the account, negative out of it; never 0. */
  amount: Amount
}

/** One movement of money. Its legs sum to zero; created only by `entry`. */
export interface Entry {
  readonly kind: EntryKind
  /** The booking it belongs to, or null. */
  readonly booking: string | null
  /** Identifies the effect, which is written once. */
  readonly key: string
  readonly legs: readonly Leg[]
}

/**
 * Makes an entry. Legs of 0 are left out. Throws RangeError when an amount is not a safe integer, when the legs do not
 * sum to zero, or when nothing moves.
 */
export function entry(kind: EntryKind, key: string, booking: string | null, legs: readonly Leg[]): Entry {
  const moving = legs.filter((leg) => leg.amount !== 0)
  let sum = 0
  for (const leg of moving) {
    if (!Number.isSafeInteger(leg.amount)) throw new RangeError(`not an amount: ${leg.amount}`)
    sum += leg.amount
  }
  if (sum !== 0) throw new RangeError(`the legs of ${key} sum to ${sum}`)
  if (moving.length < 2) throw new RangeError(`${key} moves nothing`)
  return { kind, key, booking, legs: moving }
}

/** The entry in a list, or an empty list when all legs are 0. Throws as `entry` does. */
export function entryIfAny(
  kind: EntryKind,
  key: string,
  booking: string | null,
  legs: readonly Leg[],
): Entry[] {
  return legs.every((leg) => leg.amount === 0) ? [] : [entry(kind, key, booking, legs)]
}

/** The change of one account by some entries. */
export function sumOf(entries: readonly Entry[], account: Account): Amount {
  let sum = 0
  for (const { legs } of entries) for (const leg of legs) if (leg.account === account) sum += leg.amount
  return sum
}

/** Ids of the users whose balance the entries change, sorted: the order in which their rows are locked. */
export function usersIn(entries: readonly Entry[]): string[] {
  const ids = new Set<string>()
  for (const { legs } of entries) {
    for (const { account } of legs) {
      const id = userOf(account)
      if (id !== null) ids.add(id)
    }
  }
  return [...ids].sort()
}

/** The user of an account, or null for the other accounts. */
export function userOf(account: Account): string | null {
  return account.startsWith('user:') ? account.slice('user:'.length) : null
}

export const userAccount = (id: string): Account => `user:${id}`
export const tripAccount = (booking: string): Account => `trip:${booking}`
export const dueAccount = (booking: string): Account => `due:${booking}`
export const providerAccount = (name: string): Account => `provider:${name}`

/** A line of a user's wallet history. */
interface WalletHistoryEntry {
  type: 'Credit' | 'Debit' | 'Withdraw'
  /** Always above 0; the type is the direction. */
  amount: Amount
  date: number
  /** The booking's id, 'AdminCredit' or 'AdminDebit' for a change by an admin, otherwise the kind of movement. */
  txRef: string
}

/** The history line of a leg on a user's account. `date` is when the entry was written, epoch ms. */
export function walletHistoryEntry(
  moved: { kind: EntryKind; booking: string | null },
  amount: Amount,
  date: number,
): WalletHistoryEntry {
  const type = moved.kind === 'withdraw_asked' ? 'Withdraw' : amount > 0 ? 'Credit' : 'Debit'
  const byAdmin: Partial<Record<EntryKind, string>> = {
    admin_credit: 'AdminCredit',
    admin_debit: 'AdminDebit',
  }
  const txRef = byAdmin[moved.kind] ?? moved.booking ?? moved.kind
  return { type, amount: Math.abs(amount), date, txRef }
}
