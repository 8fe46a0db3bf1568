import type { TableCount } from '@hansom/contract/tables'
import type { LedgerEntry, LedgerSums } from '@hansom/contract/wallet'
import type { Amount } from '@hansom/domain/money/amount'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { readCount } from '../../platform/tables/read-count.ts'
import { readPage } from '../../platform/tables/read-page.ts'
import type { TableQuery } from '../../platform/tables/table.ts'
import { type Credit, type CreditDeps, creditWallet } from './credit.ts'
import { ledgerOffered } from './ledger-offered.ts'
import { readEntries, readSums } from './read-ledger.ts'
import { ledgerEntriesTable } from './table.ts'

/** Money, as an admin deals with it. */
export interface WalletOffice {
  /** Adds to a wallet, once for a key. Throws no_details_error, not_found, idempotency_mismatch. */
  credit(by: string, input: { uid: string; amount: Amount }, key: string | null): Promise<Credit>
  ledger(query: TableQuery): Promise<{ items: LedgerEntry[]; next: string | null }>
  count(query: TableQuery): Promise<TableCount>
  sums(of: { user?: string | undefined; booking?: string | undefined }): Promise<LedgerSums>
}

const foldSeconds = 60

export function createWalletOffice(deps: CreditDeps & { jobs: Jobs }): WalletOffice {
  const { database, jobs, settings } = deps
  const { db, pool } = database
  const scope = async () => ({ where: [], timezone: (await settings.current()).timezone })
  const fold = { schema: z.object({}), repeat: { everyS: foldSeconds, data: {} } }
  jobs.define('wallet.fold-sums', fold, async () => void (await pool.query('select fold_ledger_sums()')))

  return {
    credit: (by, input, key) => creditWallet(deps, by, input, key),
    ledger: async (query) => {
      const { rows, next } = await readPage(
        ledgerOffered,
        query,
        await scope(),
        ({ where, orderBy, limit, position }) =>
          db
            .select({ id: ledgerEntriesTable.id, position })
            .from(ledgerEntriesTable)
            .where(where)
            .orderBy(orderBy)
            .limit(limit),
      )
      const ids = rows.map(({ id }) => id)
      return { items: await readEntries(pool, ids), next }
    },
    count: async (query) => readCount(db, ledgerOffered, query, await scope(), sql`${ledgerEntriesTable}`),
    sums: (of) => readSums(pool, of),
  }
}
