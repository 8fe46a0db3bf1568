import type { Entry } from '@hansom/domain/wallet/ledger'
import type { Database } from '../../platform/database/database.ts'
import { isUniqueViolation, postgresError } from '../../platform/database/postgres-errors.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { Refusal } from '@hansom/domain/error-keys'
import { type EntryOrigin, ledgerJson } from './ledger-json.ts'
import { listWallet, type WalletPage } from './list-wallet.ts'

export interface WalletService {
  /**
   * Writes entries and updates balances in the caller's transaction. Users in `mustStayNonNegative` may not end below
   * zero: throws low_wallet. An entry whose key already exists throws the database's unique violation.
   */
  append(
    tx: Transaction,
    entries: readonly Entry[],
    origin: EntryOrigin,
    mustStayNonNegative?: readonly string[],
  ): Promise<void>
  /** Like `append` in a separate transaction; false if the entry already exists. */
  appendOnce(entries: readonly Entry[], origin: EntryOrigin): Promise<boolean>
  /** A user's balance and its history, newest first. */
  history(user: string, cursor: string | undefined): Promise<WalletPage>
}

export function createWalletService({ database }: { database: Database }): WalletService {
  const append: WalletService['append'] = async (tx, entries, origin, mustStayNonNegative = []) => {
    if (entries.length === 0) return
    try {
      await tx.client.query({
        name: 'append-ledger',
        text: 'select append_ledger($1::jsonb, $2::uuid[])',
        values: [JSON.stringify(ledgerJson(entries, origin)), mustStayNonNegative],
      })
    } catch (error) {
      if (postgresError(error)?.code === 'HN004') throw new Refusal('low_wallet')
      throw error
    }
  }
  return {
    append,
    async appendOnce(entries, origin) {
      try {
        await database.withTransaction((tx) => append(tx, entries, origin))
        return true
      } catch (error) {
        if (isUniqueViolation(error, 'ledger_entries_key_unique')) return false
        throw error
      }
    },
    history: (user, cursor) => listWallet(database.pool, user, cursor),
  }
}
