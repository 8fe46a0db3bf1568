import { guestTakenOver } from '@hansom/domain/wallet/user-entries'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { releaseEvent } from './release-dues.ts'
import { collectFromWalletEvent, type WalletService } from './service.ts'

export interface MergeDeps {
  wallet: Pick<WalletService, 'append'>
  outbox: Pick<Outbox, 'write'>
}

/**
 * Moves a guest's balance, open dues, cash receipts and adjustments to a user. Both rows must be locked, and the guest's
 * bookings already be the user's.
 */
export async function mergeWallet(
  { wallet, outbox }: MergeDeps,
  tx: Transaction,
  { guest, user, balance }: { guest: string; user: string; balance: number },
  origin: { at: number; currency: string },
): Promise<void> {
  // First the dues: `append_ledger` compares them with the balance.
  await tx.client.query('update dues set rider = $2 where rider = $1', [guest, user])
  await tx.client.query('update cash_receipts set uid = $2 where uid = $1', [guest, user])
  await tx.client.query('update wallet_adjustments set uid = $2 where uid = $1', [guest, user])
  await wallet.append(tx, guestTakenOver(guest, user, balance), { ...origin, by: user })
  await outbox.write(tx, [releaseEvent(user), collectFromWalletEvent(user)])
}
