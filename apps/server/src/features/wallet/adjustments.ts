import type { WalletAdjustment } from '@hansom/contract/wallet'
import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import { type Amount, moneyText } from '@hansom/domain/money/amount'
import type { WalletNotice } from '@hansom/domain/wallet/notices'
import { canPay } from '@hansom/domain/wallet/trip-entries'
import { adjustmentReversed, adminCredit, adminDebit } from '@hansom/domain/wallet/user-entries'
import { isPayable } from '@hansom/domain/wallet/withdraw'
import { and, desc, eq, isNull, lt } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import { type AuditRecord, writeAudit } from '../../platform/audit/audit.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import { type LockedWallet, lockAnyWallet, lockWallet, type WalletCommandDeps } from './lock-wallet.ts'
import { walletAdjustmentsTable as table, type WalletAdjustmentRow } from './table.ts'

const pageSize = 30

/** What an admin credits or debits; `amount` is above zero. */
export interface AdjustmentInput {
  uid: string
  amount: Amount
  reason: string
}

/** An adjustment with the balance before and after it; `amount` is below zero for a debit. */
export interface Adjusted {
  id: string
  uid: string
  amount: Amount
  before: Amount
  after: Amount
}

/** Changes of wallets by admins. With a key, a command runs once. */
export interface Adjustments {
  /** Throws no_details_error, reason_needed, not_found, not_valid_user_type, idempotency_mismatch. */
  credit(by: string, input: AdjustmentInput, key: string | null): Promise<Adjusted>
  /** At most the balance. Throws the errors of `credit`, and low_wallet. */
  debit(by: string, input: AdjustmentInput, key: string | null): Promise<Adjusted>
  /** Reverses a mistake, also when the balance falls below zero by it. Throws not_found, wrong_status, reason_needed. */
  reverse(by: string, id: string, reason: string, key: string | null): Promise<WalletAdjustment>
  /** Newest first. */
  list(cursor: string | undefined): Promise<{ items: WalletAdjustment[]; next: string | null }>
}

interface Change {
  action: Extract<AuditRecord['action'], 'wallet.credit' | 'wallet.debit' | 'wallet.reverseAdjustment'>
  notice: WalletNotice
  by: string
  at: number
  reason: string
  /** What is added to the balance; below zero for less. */
  amount: Amount
}

export function createAdjustments(deps: WalletCommandDeps): Adjustments {
  const { database, clock, settings, wallet, users, outbox } = deps

  /** Records a change of a locked wallet for the audit log, the user and open pages. */
  const publish = async (
    tx: Transaction,
    { id, uid }: { id: string; uid: string },
    { name, balance }: LockedWallet,
    { action, notice, by, at, reason, amount }: Change,
    current: CurrentSettings,
  ) => {
    await writeAudit(tx, {
      by,
      at,
      action,
      kind: 'wallet',
      subject: uid,
      label: name,
      person: uid,
      before: { balance },
      after: { balance: balance + amount, amount, reason },
    })
    await users.notify(tx, [
      {
        user_id: uid,
        at,
        title: `notify.${notice}.title`,
        msg: `notify.${notice}.msg`,
        params: { amount: moneyText(Math.abs(amount), current.decimal, current) },
        screen: 'wallet',
        dedupe: `${notice}:${id}`,
      },
    ])
    await outbox.write(tx, [userChangedEvent(uid)])
  }

  const adjust = async (
    kind: 'credit' | 'debit',
    by: string,
    { uid, amount, reason }: AdjustmentInput,
    key: string | null,
  ): Promise<Adjusted> => {
    const current = await settings.current()
    if (!isPayable(amount, current)) throw refused('no_details_error', 'amount')
    if (reason === '') throw refused('reason_needed', 'reason')
    const at = clock.now()
    const action = `wallet.${kind}` as const
    return database.withTransaction(async (tx) => {
      const once = { user: by, command: action, key, body: { uid, amount, reason }, at }
      const id = await idempotent(tx, once, async () => {
        const locked = await lockWallet(users, tx, uid)
        if (kind === 'debit' && !canPay(locked.balance, amount)) throw refused('low_wallet', 'amount')
        const made = uuidv7()
        const signed = kind === 'credit' ? amount : -amount
        const origin = { at, currency: current.code, by, note: reason }
        await tx.db
          .insert(table)
          .values({ id: made, uid, amount: signed, currency: current.code, at, by_user: by, reason })
        await wallet.append(tx, [(kind === 'credit' ? adminCredit : adminDebit)(made, uid, amount)], origin)
        const notice = kind === 'credit' ? ('wallet_credited' as const) : ('wallet_debited' as const)
        const change = { action, notice, by, at, reason, amount: signed }
        await publish(tx, { id: made, uid }, locked, change, current)
        return made
      })
      return readAdjusted(tx, id)
    })
  }

  const viewOf = async (rows: readonly WalletAdjustmentRow[]): Promise<WalletAdjustment[]> => {
    const names = await users.names(rows.flatMap(({ uid, by_user }) => [uid, by_user]))
    return rows.map(({ by_user, reversed_by: _by, ...row }) => ({
      ...row,
      name: names.get(row.uid) ?? '',
      by_name: names.get(by_user) ?? '',
    }))
  }

  return {
    credit: (by, input, key) => adjust('credit', by, input, key),
    debit: (by, input, key) => adjust('debit', by, input, key),

    async reverse(by, id, reason, key) {
      if (reason === '') throw refused('reason_needed', 'reason')
      const current = await settings.current()
      const at = clock.now()
      const reversed = await database.withTransaction(async (tx) => {
        const once = { user: by, command: 'wallet.reverseAdjustment', key, body: { id, reason }, at }
        await idempotent(tx, once, async () => {
          const { uid } = await readRow(tx, id)
          // Allowed for deleted accounts: the adjustment is still a mistake.
          const locked = await lockAnyWallet(users, tx, uid)
          const [row] = await tx.db
            .update(table)
            .set({ reversed_at: at, reversed_by: by, reversal_reason: reason })
            .where(and(eq(table.id, id), isNull(table.reversed_at)))
            .returning()
          if (row === undefined) throw new Refusal('wrong_status')
          const origin = { at, currency: row.currency, by, note: reason }
          await wallet.append(tx, [adjustmentReversed(id, uid, row.amount)], origin)
          const action = 'wallet.reverseAdjustment' as const
          const notice = 'adjustment_reversed' as const
          await publish(tx, row, locked, { action, notice, by, at, reason, amount: -row.amount }, current)
          return id
        })
        return readRow(tx, id)
      })
      const [view] = await viewOf([reversed])
      if (view === undefined) throw new Refusal('not_found')
      return view
    },

    async list(cursor) {
      const after = z.uuid().optional().safeParse(cursor)
      if (!after.success) {
        throw new Refusal('invalid_input', { fields: [{ field: 'cursor', error: 'wrong_type' }] })
      }
      const rows = await database.db
        .select()
        .from(table)
        .where(after.data === undefined ? undefined : lt(table.id, after.data))
        .orderBy(desc(table.id))
        .limit(pageSize + 1)
      const items = rows.slice(0, pageSize)
      return {
        items: await viewOf(items),
        next: rows.length > pageSize ? (items.at(-1)?.id ?? null) : null,
      }
    },
  }
}

async function readRow({ db }: Transaction, id: string): Promise<WalletAdjustmentRow> {
  const [row] = await db.select().from(table).where(eq(table.id, id))
  if (row === undefined) throw new Refusal('not_found')
  return row
}

async function readAdjusted({ client }: Transaction, id: string): Promise<Adjusted> {
  const { rows } = await client.query<{ uid: string; amount: Amount; after: Amount }>(
    `select l.user_id as uid, l.amount, l.balance as after from ledger_entries e
      join ledger_legs l on l.entry_id = e.id and l.user_id is not null where e.key = any($1)`,
    [[adminCredit(id, '', 1).key, adminDebit(id, '', 1).key]],
  )
  const [leg] = rows
  if (leg === undefined) throw new Error(`adjustment ${id} has no ledger entry`)
  return { id, ...leg, before: leg.after - leg.amount }
}

const refused = (key: ErrorKey, field: string) => new Refusal(key, { fields: [{ field, error: key }] })
