import type { CashReceipt } from '@hansom/contract/wallet'
import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import { type Amount, moneyText } from '@hansom/domain/money/amount'
import type { WalletNotice } from '@hansom/domain/wallet/notices'
import { cashBanked, cashReceived, cashReversed } from '@hansom/domain/wallet/user-entries'
import { isPayable } from '@hansom/domain/wallet/withdraw'
import { and, desc, eq, isNull, lt } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { eraseBy } from '../users/erase-user.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import { lockAnyWallet, lockWallet, type WalletCommandDeps } from './lock-wallet.ts'
import { collectFromWalletEvent } from './service.ts'
import { type CashReceiptRow, cashReceiptsTable as table } from './table.ts'

const pageSize = 30
/** Serializes transactions that take money out of the desk. */
const deskLock = 7305011

/** Commands of the cash desk. With a key, a command runs once. */
export interface CashDesk {
  /** Records cash from a driver or rider. Throws no_details_error, not_found, not_valid_user_type. */
  receive(
    by: string,
    input: { uid: string; amount: Amount; note: string },
    key: string | null,
  ): Promise<CashReceipt>
  /** Reverses an incorrect receipt. Throws not_found, wrong_status, reason_needed, cash_desk_short. */
  reverse(by: string, id: string, reason: string, key: string | null): Promise<CashReceipt>
  /** Records cash paid into the bank. Throws no_details_error, cash_desk_short. */
  bank(by: string, input: { amount: Amount; note: string }, key: string | null): Promise<{ held: Amount }>
  /** Receipts, newest first, and the desk's balance. */
  list(cursor: string | undefined): Promise<{ items: CashReceipt[]; held: Amount; next: string | null }>
}

export function createCashDesk(deps: WalletCommandDeps): CashDesk {
  const { database, clock, settings, wallet, users, outbox } = deps

  const notify = async (
    tx: Transaction,
    notice: WalletNotice,
    row: CashReceiptRow,
    current: CurrentSettings,
    at: number,
  ) => {
    await users.notify(tx, [
      {
        user_id: row.uid,
        at,
        title: `notify.${notice}.title`,
        msg: `notify.${notice}.msg`,
        params: { amount: moneyText(row.amount, current.decimal, current), number: String(row.number) },
        screen: 'wallet',
        dedupe: `${notice}:${row.id}`,
      },
    ])
    await outbox.write(tx, [userChangedEvent(row.uid)])
  }

  return {
    async receive(by, input, key) {
      const current = await settings.current()
      if (!isPayable(input.amount, current)) throw refused('no_details_error', 'amount')
      const at = clock.now()
      const { uid, amount, note } = input
      return database.withTransaction(async (tx) => {
        const id = await idempotent(
          tx,
          { user: by, command: 'wallet.receiveCash', key, body: input, at },
          async () => {
            const { name, balance } = await lockWallet(users, tx, uid)
            const made = uuidv7()
            const values = { id: made, uid, name, amount, currency: current.code, at, by_user: by, note }
            const [row] = await tx.db.insert(table).values(values).returning()
            if (row === undefined) throw new Error('insert returned no receipt')
            const origin = { at, currency: current.code, by, note }
            await wallet.append(tx, [cashReceived(made, uid, amount)], origin)
            await writeAudit(tx, {
              by,
              at,
              action: 'wallet.receiveCash',
              kind: 'wallet',
              subject: uid,
              label: name,
              person: uid,
              before: { balance },
              after: { balance: balance + amount, amount },
            })
            await notify(tx, 'cash_received', row, current, at)
            await outbox.write(tx, [collectFromWalletEvent(uid)])
            return made
          },
        )
        return view(await readReceipt(tx, id))
      })
    },

    async reverse(by, id, reason, key) {
      if (reason === '') throw refused('reason_needed', 'reason')
      const current = await settings.current()
      const at = clock.now()
      return database.withTransaction(async (tx) => {
        await idempotent(
          tx,
          { user: by, command: 'wallet.reverseCash', key, body: { id, reason }, at },
          async () => {
            await lockDesk(tx)
            const before = await readReceipt(tx, id)
            if ((await heldIn(tx)) < before.amount) throw new Refusal('cash_desk_short')
            const [row] = await tx.db
              .update(table)
              .set({ reversed_at: at, reversed_by: by, reason })
              .where(and(eq(table.id, id), isNull(table.reversed_at)))
              .returning()
            if (row === undefined) throw new Refusal('wrong_status')
            // Allowed for deleted accounts: the receipt is still incorrect.
            const { balance } = await lockAnyWallet(users, tx, row.uid)
            const origin = { at, currency: row.currency, by, note: reason }
            await wallet.append(tx, [cashReversed(id, row.uid, row.amount)], origin)
            await writeAudit(tx, {
              by,
              at,
              action: 'wallet.reverseCash',
              kind: 'wallet',
              subject: row.uid,
              label: row.name,
              person: row.uid,
              before: { balance },
              after: { balance: balance - row.amount, amount: -row.amount, reason },
            })
            await notify(tx, 'cash_reversed', row, current, at)
            return id
          },
        )
        return view(await readReceipt(tx, id))
      })
    },

    async bank(by, input, key) {
      const current = await settings.current()
      if (!isPayable(input.amount, current)) throw refused('no_details_error', 'amount')
      const at = clock.now()
      return database.withTransaction(async (tx) => {
        await idempotent(tx, { user: by, command: 'wallet.bankCash', key, body: input, at }, async () => {
          await lockDesk(tx)
          const held = await heldIn(tx)
          if (held < input.amount) throw refused('cash_desk_short', 'amount')
          const made = uuidv7()
          const origin = { at, currency: current.code, by, note: input.note }
          await wallet.append(tx, [cashBanked(made, input.amount)], origin)
          await writeAudit(tx, {
            by,
            at,
            action: 'wallet.bankCash',
            kind: 'wallet',
            subject: made,
            label: moneyText(input.amount, current.decimal, current),
            before: { held },
            after: { held: held - input.amount },
          })
          return made
        })
        return { held: await heldIn(tx) }
      })
    },

    async list(cursor) {
      const after = cursor === undefined ? undefined : Number(cursor)
      if (after !== undefined && !Number.isSafeInteger(after)) {
        throw new Refusal('invalid_input', { fields: [{ field: 'cursor', error: 'wrong_type' }] })
      }
      const rows = await database.db
        .select()
        .from(table)
        .where(after === undefined ? undefined : lt(table.number, after))
        .orderBy(desc(table.number))
        .limit(pageSize + 1)
      const items = rows.slice(0, pageSize).map(view)
      const last = items.at(-1)
      return {
        items,
        held: await heldIn({ client: database.pool }),
        next: rows.length > pageSize && last ? String(last.number) : null,
      }
    },
  }
}

const lockDesk = ({ client }: Transaction) => client.query('select pg_advisory_xact_lock($1)', [deskLock])

/** The desk's balance that is not banked yet. */
async function heldIn({ client }: { client: Pick<Transaction['client'], 'query'> }): Promise<Amount> {
  const { rows } = await client.query<{ held: Amount }>(
    `select coalesce(-sum(amount), 0)::bigint as held from ledger_sums where account = 'cash_desk'`,
  )
  return rows[0]?.held ?? 0
}

async function readReceipt({ db }: Transaction, id: string): Promise<CashReceiptRow> {
  const [row] = await db.select().from(table).where(eq(table.id, id))
  if (row === undefined) throw new Refusal('not_found')
  return row
}

function view({ reversed_by: _by, ...row }: CashReceiptRow): CashReceipt {
  return row
}

const refused = (key: ErrorKey, field: string) => new Refusal(key, { fields: [{ field, error: key }] })

/** Erases a deleted user's name on receipts. */
export const eraseFromCashDesk = eraseBy(
  `update cash_receipts set name = $2 where id in
    (select id from cash_receipts where uid = $1 and name <> $2 limit $3)`,
)
