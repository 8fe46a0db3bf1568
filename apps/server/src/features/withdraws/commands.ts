import type { WithdrawView } from '@hansom/contract/withdraws'
import { Refusal } from '@hansom/domain/error-keys'
import { moneyText } from '@hansom/domain/money/amount'
import { fullName } from '@hansom/domain/users/full-name'
import type { WalletNotice } from '@hansom/domain/wallet/notices'
import { withdrawProcessed, withdrawRefused, withdrawRequested } from '@hansom/domain/wallet/user-entries'
import { type WithdrawRequest, withdrawRefusal } from '@hansom/domain/wallet/withdraw'
import { and, eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { tableChangedEvent } from '../../platform/tables/table.ts'
import type { CurrentSettings, SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import type { WalletService } from '../wallet/service.ts'
import { readWithdraw } from './store.ts'
import { type WithdrawRow, withdrawsTable } from './table.ts'

/** The dependencies of withdrawals. */
export interface WithdrawsDeps {
  database: Database
  clock: Clock
  outbox: Pick<Outbox, 'write' | 'on'>
  settings: Pick<SettingsService, 'current'>
  users: Pick<UsersService, 'lock' | 'notify'>
  wallet: Pick<WalletService, 'append'>
}

/** Who requests a withdrawal: the owner of the wallet, or an admin in their name. */
export interface Requester {
  uid: string
  by: string
  /** The client's key. */
  key: string | null
}

/**
 * Requests a withdrawal from a user's wallet, which is debited immediately; once per key. Throws the errors of
 * `withdrawRefusal`, idempotency_mismatch, and for an admin not_found.
 */
export async function requestWithdraw(
  deps: WithdrawsDeps,
  { uid, by, key }: Requester,
  wish: WithdrawRequest,
): Promise<WithdrawView> {
  const settings = await deps.settings.current()
  const at = deps.clock.now()
  const isOwn = by === uid
  const once = isOwn
    ? { user: by, command: 'withdraws.request', key, body: wish, at }
    : { user: by, command: 'withdraws.requestFor', key, body: { uid, ...wish }, at }
  return deps.database.withTransaction(async (tx) => {
    const id = await idempotent(tx, once, async () => {
      const made = uuidv7()
      // A concurrent request waits here and sees the reduced balance.
      const owner = (await deps.users.lock(tx, [uid])).get(uid)
      if (owner === undefined || owner.deleted_at !== null)
        throw new Refusal(isOwn ? 'not_logged_in' : 'not_found')
      const refusal = withdrawRefusal(owner, wish, settings, isOwn ? 'owner' : 'admin')
      if (refusal !== null) throw refusal
      const [row] = await tx.db
        .insert(withdrawsTable)
        .values({
          id: made,
          uid,
          name: fullName(owner),
          date: at,
          currency: settings.code,
          ...wish,
        })
        .returning()
      const origin = { at, currency: settings.code, by }
      await deps.wallet.append(tx, [withdrawRequested(made, uid, wish.amount)], origin, [uid])
      if (!isOwn && row) await recordPayoutRequest(deps, tx, row, { by, at, settings })
      await deps.outbox.write(tx, [userChangedEvent(uid), tableChangedEvent('withdraws')])
      return made
    })
    return readWithdraw(tx.db, id)
  })
}

/** An admin's request is in the audit log, and the owner is notified of it. */
async function recordPayoutRequest(
  deps: WithdrawsDeps,
  tx: Transaction,
  row: WithdrawRow,
  { by, at, settings }: { by: string; at: number; settings: CurrentSettings },
): Promise<void> {
  await writeAudit(tx, {
    by,
    at,
    action: 'withdraws.requestFor',
    kind: 'withdraw',
    subject: row.id,
    label: row.name,
    person: row.uid,
    before: null,
    after: loggedFields(row),
  })
  await notify(deps, tx, row, { settings, at })
}

/** What the audit log has of a request: the action says what became of it. */
function loggedFields({ amount, bankName, bankCode, bankAccount }: WithdrawRow) {
  return { amount, bankName, bankCode, bankAccount }
}

/**
 * Cancels a waiting request as its owner and returns the money to the wallet. Uses the ledger key of a refusal, so only
 * one of concurrent decisions counts. Throws not_found, and wrong_status if it is already decided.
 */
export async function cancelWithdraw(
  deps: WithdrawsDeps,
  uid: string,
  id: string,
  key: string | null,
): Promise<WithdrawView> {
  const at = deps.clock.now()
  const { processed, refused } = withdrawsTable
  return deps.database.withTransaction(async (tx) => {
    await idempotent(tx, { user: uid, command: 'withdraws.takeBack', key, body: { id }, at }, async () => {
      const [row] = await tx.db
        .update(withdrawsTable)
        .set({ refused: true, takenBack: true, procesDate: at })
        .where(
          and(
            eq(withdrawsTable.id, id),
            eq(withdrawsTable.uid, uid),
            eq(processed, false),
            eq(refused, false),
          ),
        )
        .returning()
      if (row === undefined) {
        const current = await readWithdraw(tx.db, id)
        if (current.uid !== uid) throw new Refusal('not_found')
        throw new Refusal('wrong_status', { data: { current } })
      }
      const origin = { at, currency: row.currency, by: uid }
      await deps.wallet.append(tx, [withdrawRefused(id, uid, row.amount)], origin)
      await deps.outbox.write(tx, [userChangedEvent(uid), tableChangedEvent('withdraws')])
      return id
    })
    return readWithdraw(tx.db, id)
  })
}

interface WithdrawDecision {
  id: string
  /** The admin. */
  by: string
  /** Why it is refused; null if the money has been sent. */
  refusedFor: string | null
  /** The client's key. */
  key: string | null
}

/**
 * Records an admin's decision on a request, once even if several decide at the same time. Throws not_found,
 * reason_needed, and wrong_status if it is already decided.
 */
export async function decideWithdraw(
  deps: WithdrawsDeps,
  { id, by, refusedFor, key }: WithdrawDecision,
): Promise<WithdrawView> {
  if (refusedFor === '')
    throw new Refusal('reason_needed', { fields: [{ field: 'reason', error: 'required' }] })
  // Read outside the transaction: transactions waiting for the same row may hold all connections.
  const settings = await deps.settings.current()
  const at = deps.clock.now()
  const action = refusedFor === null ? 'withdraws.process' : 'withdraws.refuse'
  return deps.database.withTransaction(async (tx) => {
    await idempotent(tx, { user: by, command: action, key, body: { id, refusedFor }, at }, async () => {
      const row = await close(tx, id, refusedFor, at)
      const { uid, amount, currency, name } = row
      const entry = refusedFor === null ? withdrawProcessed(id, amount) : withdrawRefused(id, uid, amount)
      const note = refusedFor === null ? {} : { note: refusedFor }
      await deps.wallet.append(tx, [entry], { at, currency, by, ...note })
      await writeAudit(tx, {
        by,
        at,
        action,
        kind: 'withdraw',
        subject: id,
        label: name,
        person: uid,
        before: null,
        after: { ...loggedFields(row), reason: row.reason },
      })
      await notify(deps, tx, row, { settings, at })
      return id
    })
    return readWithdraw(tx.db, id)
  })
}

/** A concurrent decision waits for the first and then finds the request closed. */
async function close(
  tx: Transaction,
  id: string,
  refusedFor: string | null,
  at: number,
): Promise<WithdrawRow> {
  const { processed, refused } = withdrawsTable
  const [row] = await tx.db
    .update(withdrawsTable)
    .set(
      refusedFor === null
        ? { processed: true, procesDate: at }
        : { refused: true, reason: refusedFor, procesDate: at },
    )
    .where(and(eq(withdrawsTable.id, id), eq(processed, false), eq(refused, false)))
    .returning()
  if (row !== undefined) return row
  const current = await readWithdraw(tx.db, id)
  throw new Refusal('wrong_status', { data: { current } })
}

/** Notifies the owner of a withdrawal that the upgrade refused (migration 0042). */
export async function notifyRefusedByUpgrade(
  deps: WithdrawsDeps,
  tx: Transaction,
  id: string,
): Promise<void> {
  const [row] = await tx.db.select().from(withdrawsTable).where(eq(withdrawsTable.id, id))
  if (row === undefined) return
  const [settings, at] = [await deps.settings.current(), deps.clock.now()]
  await notify(deps, tx, row, { settings, at })
  const admins = await tx.client.query<{ id: string }>(`select id from user_roles where usertype = 'admin'`)
  const params = { name: row.name, amount: moneyText(row.amount, settings.decimal, settings) }
  const text = { title: 'notify.upgrade_refused.title', msg: 'notify.upgrade_refused.msg', params }
  const about = { at, ...text, screen: 'withdraws' }
  await deps.users.notify(
    tx,
    admins.rows.map(({ id: user_id }) => ({ user_id, ...about, dedupe: `withdraw:${id}:${user_id}` })),
  )
}

/** Notifies the owner: of an admin's request, or of the decision. */
async function notify(
  deps: WithdrawsDeps,
  tx: Transaction,
  row: WithdrawRow,
  { settings, at }: { settings: CurrentSettings; at: number },
): Promise<void> {
  const notice: WalletNotice = row.processed
    ? 'withdraw_processed'
    : row.refused
      ? 'withdraw_refused'
      : 'payout_requested'
  const amount = moneyText(row.amount, settings.decimal, settings)
  await deps.users.notify(tx, [
    {
      user_id: row.uid,
      at,
      title: `notify.${notice}.title`,
      msg: `notify.${notice}.msg`,
      params: { amount, ...(row.reason === null ? {} : { reason: row.reason }) },
      screen: 'wallet',
      dedupe: notice === 'payout_requested' ? `payout:${row.id}` : `withdraw:${row.id}`,
    },
  ])
  await deps.outbox.write(tx, [userChangedEvent(row.uid)])
}
