import type { TableCount } from '@hansom/contract/tables'
import type { LedgerEntry, LedgerSums } from '@hansom/contract/wallet'
import type { Amount } from '@hansom/domain/money/amount'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { type PagePart, tableReader } from '../../platform/tables/read-table.ts'
import type { TableQuery } from '../../platform/tables/table.ts'
import { type Adjustments, createAdjustments } from './adjustments.ts'
import { type CashDesk, createCashDesk } from './cash-desk.ts'
import { ledgerTableColumns, readEntries, readSums } from './ledger.ts'
import type { WalletCommandDeps } from './lock-wallet.ts'
import { type ReleaseDeps, registerReleases, waiveDue } from './release-dues.ts'
import type { WalletService } from './service.ts'
import { ledgerEntriesTable } from './table.ts'

/** The wallet and ledger service for admins. */
export interface WalletAdminService {
  adjustments: Adjustments
  cash: CashDesk
  /** Waives an open due. Throws not_found. */
  waive(
    by: string,
    input: { booking: string; reason: string },
    key: string | null,
  ): Promise<{ booking: string; amount: Amount }>
  ledger(query: TableQuery): Promise<{ items: LedgerEntry[]; next: string | null }>
  /** All matching entries, a batch at a time. */
  allEntries(query: TableQuery): AsyncGenerator<LedgerEntry[]>
  count(query: TableQuery): Promise<TableCount>
  sums(of: { user?: string | undefined; booking?: string | undefined }): Promise<LedgerSums>
}

const foldSeconds = 60

export function createWalletAdminService(
  deps: WalletCommandDeps & ReleaseDeps & { jobs: Jobs },
): WalletAdminService {
  const { database, jobs, settings } = deps
  const { db, pool } = database
  const fold = { schema: z.object({}), repeat: { everyS: foldSeconds, data: {} } }
  jobs.define('wallet.fold-sums', fold, async () => void (await pool.query('select fold_ledger_sums()')))

  registerReleases(deps)

  const entries = tableReader({
    queries: db,
    table: ledgerTableColumns,
    from: sql`${ledgerEntriesTable}`,
    scope: async () => ({ where: [], timezone: (await settings.current()).timezone }),
    read: ({ where, orderBy, limit, position }: PagePart) =>
      db
        .select({ id: ledgerEntriesTable.id, position })
        .from(ledgerEntriesTable)
        .where(where)
        .orderBy(orderBy)
        .limit(limit),
    view: (rows) =>
      readEntries(
        pool,
        rows.map(({ id }) => id),
      ),
  })

  return {
    adjustments: createAdjustments(deps),
    cash: createCashDesk(deps),
    waive: (by, input, key) => waiveDue(deps, by, input, key),
    ledger: entries.page,
    allEntries: entries.all,
    count: entries.count,
    sums: (of) => readSums(pool, of),
  }
}

/** The wallet part of the user routes. */
export function ownWalletRoutes(os: Os, wallet: WalletService) {
  return {
    wallet: os.users.wallet
      .use(signedIn)
      .handler(({ context, input }) => wallet.history(context.actor.id, input.cursor)),
  }
}

export function walletRoutes({ wallet: os }: Os, service: WalletAdminService) {
  return {
    cash: os.cash.handler(({ input }) => service.cash.list(input.cursor)),
    receiveCash: os.receiveCash
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        service.cash.receive(actor.id, input, idempotencyKey),
      ),
    reverseCash: os.reverseCash
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        service.cash.reverse(actor.id, input.id, input.reason, idempotencyKey),
      ),
    bankCash: os.bankCash
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        service.cash.bank(actor.id, input, idempotencyKey),
      ),
    waive: os.waive
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        service.waive(actor.id, input, idempotencyKey),
      ),
    credit: os.credit
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        service.adjustments.credit(actor.id, input, idempotencyKey),
      ),
    debit: os.debit
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        service.adjustments.debit(actor.id, input, idempotencyKey),
      ),
    adjustments: os.adjustments.handler(({ input }) => service.adjustments.list(input.cursor)),
    reverseAdjustment: os.reverseAdjustment
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        service.adjustments.reverse(actor.id, input.id, input.reason, idempotencyKey),
      ),
  }
}

export function ledgerRoutes({ ledger: os }: Os, service: WalletAdminService) {
  return {
    list: os.list.handler(({ input }) => service.ledger(input)),
    count: os.count.handler(({ input }) => service.count(input)),
    sums: os.sums.handler(({ input }) => service.sums(input)),
  }
}
