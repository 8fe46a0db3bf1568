import type { WithdrawView } from '@hansom/contract/withdraws'
import { withdrawsTableSpec } from '@hansom/contract/withdraws-table'
import { Refusal } from '@hansom/domain/error-keys'
import { type WithdrawRequest, withdrawState } from '@hansom/domain/wallet/withdraw'
import { sql } from 'drizzle-orm'
import type { Transaction } from '../../platform/database/transaction.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { type PagePart, type TableReader, tableReader } from '../../platform/tables/read-table.ts'
import { tableChangedEvent } from '../../platform/tables/table.ts'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import { eraseBy } from '../users/erase-user.ts'
import {
  cancelWithdraw,
  decideWithdraw,
  notifyRefusedByUpgrade,
  requestWithdraw,
  type WithdrawsDeps,
} from './commands.ts'
import { listOwnWithdraws, withdrawView } from './store.ts'
import { withdrawsTable, withdrawsTableColumns } from './table.ts'

/** Withdrawals from wallets. With a key, a command runs once; with null, every call runs. */
export interface WithdrawsService extends TableReader<WithdrawView> {
  /** Throws withdraw_unavailable, no_details_error, bank_details_needed, low_wallet, idempotency_mismatch. */
  request(uid: string, wish: WithdrawRequest, key: string | null): Promise<WithdrawView>
  /** Requests a payout in a user's name as an admin. Throws not_found, and the errors of `request`. */
  requestFor(by: string, payout: WithdrawRequest & { uid: string }, key: string | null): Promise<WithdrawView>
  /** Cancels a waiting request as its owner. Throws not_found, wrong_status. */
  takeBack(uid: string, id: string, key: string | null): Promise<WithdrawView>
  own(uid: string, cursor: string | undefined): ReturnType<typeof listOwnWithdraws>
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
  return {
    request: (uid, wish, key) => requestWithdraw(deps, { uid, by: uid, key }, wish),
    requestFor: async (by, { uid, ...wish }, key) => {
      // An admin has no wallet of their own.
      if (by === uid) throw new Refusal('withdraw_unavailable')
      return requestWithdraw(deps, { uid, by, key }, wish)
    },
    takeBack: (uid, id, key) => cancelWithdraw(deps, uid, id, key),
    own: (uid, cursor) => listOwnWithdraws(db, uid, cursor),
    ...tableReader({
      queries: db,
      table: withdrawsTableColumns,
      from: sql`${withdrawsTable}`,
      scope: async () => ({ where: [], timezone: (await deps.settings.current()).timezone }),
      read: ({ where, orderBy, limit, position }: PagePart) =>
        db
          .select({ row: withdrawsTable, position })
          .from(withdrawsTable)
          .where(where)
          .orderBy(orderBy)
          .limit(limit),
      view: (rows) => rows.map(({ row }) => withdrawView(row)),
    }),
    process: (by, id, key) => decideWithdraw(deps, { id, by, refusedFor: null, key }),
    refuse: (by, id, reason, key) => decideWithdraw(deps, { id, by, refusedFor: reason, key }),
  }
}

export function withdrawsRoutes({ withdraws: os }: Os, withdraws: WithdrawsService) {
  return {
    list: os.list.handler(({ input }) => withdraws.page(input)),
    count: os.count.handler(({ input }) => withdraws.count(input)),
    requestFor: os.requestFor
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        withdraws.requestFor(actor.id, input, idempotencyKey),
      ),
    process: os.process
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        withdraws.process(actor.id, input.id, idempotencyKey),
      ),
    refuse: os.refuse
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        withdraws.refuse(actor.id, input.id, input.reason, idempotencyKey),
      ),
    own: os.own.use(signedIn).handler(({ context, input }) => withdraws.own(context.actor.id, input.cursor)),
    takeBack: os.takeBack
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        withdraws.takeBack(actor.id, input.id, idempotencyKey),
      ),
    request: os.request
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        withdraws.request(actor.id, input, idempotencyKey),
      ),
  }
}

/** Withdrawal requests as a file, also in demo mode. */
export const withdrawsExport = (withdraws: Pick<WithdrawsService, 'all'>): TableExport =>
  tableExport<WithdrawView>({
    name: 'withdraws',
    spec: withdrawsTableSpec,
    roles: ['admin'],
    when: 'always',
    rows: (_person, query) => withdraws.all(query),
    columns: [
      { title: 'wallet.name', kind: 'text', value: (row) => row.name },
      { title: 'wallet.amount', kind: 'amount', value: (row) => row.amount },
      { title: 'wallet.state', kind: { words: 'wallet.state_' }, value: withdrawState },
      { title: 'wallet.date', kind: 'time', value: (row) => row.date },
      { title: 'wallet.bankName', kind: 'text', value: (row) => row.bankName },
      { title: 'wallet.bankCode', kind: 'text', value: (row) => row.bankCode },
      { title: 'wallet.bankAccount', kind: 'text', value: (row) => row.bankAccount },
      { title: 'wallet.procesDate', kind: 'time', value: (row) => row.procesDate },
      { title: 'wallet.reason', kind: 'text', value: (row) => row.reason },
    ],
  })

/**
 * A guest's withdrawals become those of the account that takes the guest over; open ones also get its name. A decision locks
 * the request before the wallet, so call this before the users are locked as well.
 */
export async function moveWithdraws(
  { outbox }: { outbox: Pick<Outbox, 'write'> },
  tx: Transaction,
  { guest, user, name }: { guest: string; user: string; name: string },
): Promise<void> {
  const { rowCount } = await tx.client.query(
    `update withdraws set uid = $2, name = case when processed or refused then name else $3 end where uid = $1`,
    [guest, user, name],
  )
  if (rowCount) await outbox.write(tx, [tableChangedEvent('withdraws')])
}

/** Erases a deleted user's name, and the bank account of requests that were not paid out: a payout needs its evidence. */
export const eraseFromWithdraws = eraseBy(
  `update withdraws set name = $2, reason = null,
      bank_name = case when processed then bank_name else '' end,
      bank_code = case when processed then bank_code else '' end,
      bank_account = case when processed then bank_account else '' end
    where id in (select id from withdraws where uid = $1
      and (name <> $2 or (not processed and bank_account <> '')) limit $3)`,
)
