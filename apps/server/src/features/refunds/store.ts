import type { Disputed, RefundView } from '@hansom/contract/refunds'
import { Refusal } from '@hansom/domain/error-keys'
import { moneyText } from '@hansom/domain/money/amount'
import type { WalletNotice } from '@hansom/domain/wallet/notices'
import { endedRefundStates } from '@hansom/domain/wallet/refund'
import { type Refund, refundConfirmed, refundFailed } from '@hansom/domain/wallet/refund-entries'
import { and, desc, eq, notInArray, type SQL, sql } from 'drizzle-orm'
import type { PaymentProvider } from '../../adapters/payments/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { paymentsTable } from '../payments/table.ts'
import type { CurrentSettings, SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import type { WalletService } from '../wallet/service.ts'
import { type RefundRow, refundsTable } from './table.ts'

/** The dependencies of refunds. */
export interface RefundsDeps {
  database: Database
  clock: Clock
  log: Log
  jobs: Jobs
  outbox: Pick<Outbox, 'write' | 'on'>
  settings: Pick<SettingsService, 'current'>
  users: Pick<UsersService, 'notify'>
  wallet: Pick<WalletService, 'append'>
  payments: readonly PaymentProvider[]
  /** The real time, which providers use: epoch ms. */
  worldNow(): number
}

/** Maximum number of refunds shown for one booking or payment. */
const maxRefunds = 100

export function refundView(row: RefundRow): RefundView {
  const { id, at, booking, code, payment, provider, origin, source, rider, rider_name } = row
  const { amount, currency, bearer, reason, state, failure, ended_at, fee } = row
  const what = { id, at, booking, code, payment, provider, origin, source, rider, rider_name }
  return { ...what, amount, currency, bearer, reason, state, failure, ended_at, fee }
}

/** Throws not_found. */
export async function readRefund(queries: Queries, id: string): Promise<RefundRow> {
  const [row] = await queries.select().from(refundsTable).where(eq(refundsTable.id, id))
  if (row === undefined) throw new Refusal('not_found')
  return row
}

/** The refunds of a booking or payment, newest first, with the names of the admins who asked for them. */
export async function refundsOf(
  queries: Queries,
  of: { booking: string } | { payment: string },
): Promise<Disputed['refunds']> {
  const which: SQL =
    'booking' in of ? eq(refundsTable.booking, of.booking) : eq(refundsTable.payment, of.payment)
  const by_name = sql<
    string | null
  >`(select trim(u.name) from user_names u where u.id = ${refundsTable.by_user})`
  const rows = await queries
    .select({ row: refundsTable, by_name })
    .from(refundsTable)
    .where(and(which))
    .orderBy(desc(refundsTable.at), desc(refundsTable.id))
    .limit(maxRefunds)
  return rows.map(({ row, by_name: name }) => ({ ...refundView(row), by_name: name }))
}

/** The outcome of a refund. */
interface RefundEnd {
  state: 'confirmed' | 'failed'
  failure: string | null
  providerRefundId?: string | null
  /** The admin who decided; null if the provider did. */
  by: string | null
}

/** The refund in the form that ledger entries take. */
export function refundOf({ id, booking, amount, bearer, driver, rider }: RefundRow): Refund {
  if (bearer === 'driver' && driver !== null) return { id, booking, amount, bearer: { driver } }
  return { id, booking, amount, bearer: bearer === 'wallet' ? { wallet: rider } : { platform: true } }
}

/** Ends a refund once: the money arrives or returns to its bearer. Null if it had already ended. */
export async function endRefund(
  deps: Pick<RefundsDeps, 'wallet' | 'users' | 'outbox'>,
  tx: Transaction,
  id: string,
  { state, failure, providerRefundId, by }: RefundEnd,
  { settings, at }: { settings: CurrentSettings; at: number },
): Promise<RefundRow | null> {
  const [row] = await tx.db
    .update(refundsTable)
    .set({ state, failure, ended_at: at, ...(providerRefundId && { provider_refund_id: providerRefundId }) })
    .where(and(eq(refundsTable.id, id), notInArray(refundsTable.state, [...endedRefundStates])))
    .returning()
  if (row === undefined) return null
  const target = row.provider === null ? { rider: row.rider } : { provider: row.provider }
  const entry = state === 'confirmed' ? refundConfirmed(refundOf(row), target) : refundFailed(refundOf(row))
  await deps.wallet.append(tx, [entry], { at, currency: row.currency, by })
  if (state === 'confirmed' && row.payment !== null) {
    await tx.db
      .update(paymentsTable)
      .set({ refunded: sql`least(${paymentsTable.amount}, ${paymentsTable.refunded} + ${row.amount})` })
      .where(eq(paymentsTable.id, row.payment))
  }
  // For refunds started elsewhere, the provider or the bank notifies the rider.
  if (state === 'confirmed' && row.origin === 'office') await notifyRider(deps, tx, row, { settings, at })
  const changed = [row.rider, ...(row.driver === null ? [] : [row.driver])]
  await deps.outbox.write(
    tx,
    changed.map((one) => userChangedEvent(one)),
  )
  return row
}

async function notifyRider(
  { users }: Pick<RefundsDeps, 'users'>,
  tx: Transaction,
  row: RefundRow,
  { settings, at }: { settings: CurrentSettings; at: number },
): Promise<void> {
  const notice: WalletNotice = row.provider === null ? 'refund_to_wallet' : 'refund_to_card'
  await users.notify(tx, [
    {
      user_id: row.rider,
      at,
      title: `notify.${notice}.title`,
      msg: `notify.${notice}.msg`,
      params: {
        amount: moneyText(row.amount, settings.decimal, settings),
        booking: row.code,
        reason: row.reason,
      },
      screen: 'wallet',
      dedupe: `refund:${row.id}`,
    },
  ])
}
