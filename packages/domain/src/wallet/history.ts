import type { Amount } from '../money/amount.ts'
import type { EntryKind } from './ledger.ts'

/** A line of a user's wallet history. */
export interface WalletHistoryEntry {
  type: 'Credit' | 'Debit' | 'Withdraw'
  /** Always above 0; the type is the direction. */
  amount: Amount
  date: number
  /** The booking's id, 'AdminCredit' for a credit by an admin, otherwise the kind of movement. */
  txRef: string
}

/** The history line of a leg on a user's account. `date` is when the entry was written, epoch ms. */
export function walletHistoryEntry(
  moved: { kind: EntryKind; booking: string | null },
  amount: Amount,
  date: number,
): WalletHistoryEntry {
  const type = moved.kind === 'withdraw_asked' ? 'Withdraw' : amount > 0 ? 'Credit' : 'Debit'
  const txRef = moved.kind === 'admin_credit' ? 'AdminCredit' : (moved.booking ?? moved.kind)
  return { type, amount: Math.abs(amount), date, txRef }
}
