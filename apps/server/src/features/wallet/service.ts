import { id as uuid } from '@hansom/contract/shapes'
import { Refusal } from '@hansom/domain/error-keys'
import { type Entry, type EntryKind, walletHistoryEntry } from '@hansom/domain/wallet/ledger'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../../platform/database/database.ts'
import { isUniqueViolation, postgresError } from '../../platform/database/postgres-errors.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { storeOrigin } from '../../platform/log/origin.ts'
import type { NewEvent } from '../../platform/outbox/event.ts'
import { ledgerEntriesTable } from './table.ts'

/** Event kind: money was added to a rider's wallet, which may now pay unpaid trips. */
export const collectFromWallet = 'wallet.collect'

/** In the wallet's stream, after releases to drivers who wait for an older fee. */
export function collectFromWalletEvent(user: string): NewEvent {
  return { kind: collectFromWallet, stream: `wallet:${user}`, payload: { user } }
}

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
  /** The kind of the entry with a key; null if there is none. */
  kindOf(key: string): Promise<EntryKind | null>
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
        values: [
          JSON.stringify(entries.map((entry) => storeOrigin({ ...entry, id: uuidv7(), ...origin }))),
          mustStayNonNegative,
        ],
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
    async kindOf(key) {
      const [entry] = await database.db
        .select({ kind: ledgerEntriesTable.kind })
        .from(ledgerEntriesTable)
        .where(eq(ledgerEntriesTable.key, key))
      return (entry?.kind as EntryKind | undefined) ?? null
    },
    history: (user, cursor) => listWallet(database, user, cursor),
  }
}

interface WalletPage {
  balance: number
  items: (ReturnType<typeof walletHistoryEntry> & { id: string; kind: EntryKind })[]
  next: string | null
}

const pageSize = 30

interface LegRow {
  id: string
  kind: EntryKind
  booking: string | null
  amount: number
  at: number
}

/** A page of a user's wallet history; `cursor` is the ID of the last item shown. */
async function listWallet(database: Database, user: string, cursor: string | undefined): Promise<WalletPage> {
  if (cursor !== undefined && !uuid.safeParse(cursor).success) {
    throw new Refusal('invalid_input', { fields: [{ field: 'cursor', error: 'wrong_type' }] })
  }
  const [legs, holder] = await Promise.all([
    database.pool.query<LegRow>(
      `select e.id, e.kind, e.booking_id as booking, sum(l.amount)::bigint as amount, e.at
        from ledger_legs l join ledger_entries e on e.id = l.entry_id
        where l.user_id = $1 and ($2::uuid is null or e.id < $2)
        group by e.id having sum(l.amount) <> 0 order by e.id desc limit $3`,
      [user, cursor ?? null, pageSize + 1],
    ),
    database.pool.query<{ balance: number }>(
      'select wallet_balance as balance from user_balances where id = $1',
      [user],
    ),
  ])
  const items = legs.rows.slice(0, pageSize).map(({ id, kind, booking, amount, at }) => ({
    id,
    kind,
    ...walletHistoryEntry({ kind, booking }, amount, at),
  }))
  return {
    balance: holder.rows[0]?.balance ?? 0,
    items,
    next: legs.rows.length > pageSize ? (items.at(-1)?.id ?? null) : null,
  }
}

/** The time and currency of entries, and the user who caused them (null: the platform). */
interface EntryOrigin {
  at: number
  currency: string
  by: string | null
  note?: string
}
