import type { TableCount } from '@hansom/contract/tables'
import type { WithdrawView } from '@hansom/contract/withdraws'
import type { WithdrawRequest } from '@hansom/domain/wallet/withdraw'
import { sql } from 'drizzle-orm'
import { type PagePart, readAll, readCount, readPage } from '../../platform/tables/read-table.ts'
import type { TableQuery } from '../../platform/tables/table.ts'
import { withdrawsTableColumns } from './admin.ts'
import {
  cancelWithdraw,
  decideWithdraw,
  notifyRefusedByUpgrade,
  requestWithdraw,
  type WithdrawsDeps,
} from './commands.ts'
import { listOwnWithdraws, withdrawView } from './store.ts'
import { withdrawsTable } from './table.ts'

/** Withdrawals from wallets. With a key, a command runs once; with null, every call runs. */
export interface WithdrawsService {
  /** Throws withdraw_unavailable, no_details_error, bank_details_needed, low_wallet, idempotency_mismatch. */
  request(uid: string, wish: WithdrawRequest, key: string | null): Promise<WithdrawView>
  /** Cancels a waiting request as its owner. Throws not_found, wrong_status. */
  takeBack(uid: string, id: string, key: string | null): Promise<WithdrawView>
  own(uid: string, cursor: string | undefined): ReturnType<typeof listOwnWithdraws>
  page(query: TableQuery): Promise<{ items: WithdrawView[]; next: string | null }>
  /** All matching requests, a batch at a time. */
  all(query: TableQuery): AsyncGenerator<WithdrawView[]>
  count(query: TableQuery): Promise<TableCount>
  /** The money was sent. Throws not_found, wrong_status. */
  process(by: string, id: string, key: string | null): Promise<WithdrawView>
  /** Returns the money to the wallet. Throws not_found, wrong_status, reason_needed. */
  refuse(by: string, id: string, reason: string, key: string | null): Promise<WithdrawView>
}

export function createWithdrawsService(deps: WithdrawsDeps): WithdrawsService {
  const { db } = deps.database
  deps.outbox.on('withdraw.refused_by_upgrade', ({ payload }, tx) =>
    notifyRefusedByUpgrade(deps, tx, payload.id as string),
  )
  const scope = async () => ({ where: [], timezone: (await deps.settings.current()).timezone })
  const read = ({ where, orderBy, limit, position }: PagePart) =>
    db
      .select({ row: withdrawsTable, position })
      .from(withdrawsTable)
      .where(where)
      .orderBy(orderBy)
      .limit(limit)
  return {
    request: (uid, wish, key) => requestWithdraw(deps, uid, wish, key),
    takeBack: (uid, id, key) => cancelWithdraw(deps, uid, id, key),
    own: (uid, cursor) => listOwnWithdraws(db, uid, cursor),
    page: async (query) => {
      const { rows, next } = await readPage(withdrawsTableColumns, query, await scope(), read)
      return { items: rows.map(({ row }) => withdrawView(row)), next }
    },
    async *all(query) {
      for await (const rows of readAll(withdrawsTableColumns, query, await scope(), read)) {
        yield rows.map(({ row }) => withdrawView(row))
      }
    },
    count: async (query) =>
      readCount(db, withdrawsTableColumns, query, await scope(), sql`${withdrawsTable}`),
    process: (by, id, key) => decideWithdraw(deps, { id, by, refusedFor: null, key }),
    refuse: (by, id, reason, key) => decideWithdraw(deps, { id, by, refusedFor: reason, key }),
  }
}
