import type { RefundView } from '@hansom/contract/refunds'
import { Refusal } from '@hansom/domain/error-keys'
import { type Amount, moneyText } from '@hansom/domain/money/amount'
import { type RefundBearer, type RefundSourceKind, refundRefusal } from '@hansom/domain/wallet/refund'
import { refundRequested } from '@hansom/domain/wallet/refund-entries'
import { uuidv7 } from 'uuidv7'
import { writeAudit } from '../../platform/audit/audit.ts'
import { isUniqueViolation } from '../../platform/database/postgres-errors.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import { loadBookingMoney, loadPaymentMoney, providerOf, type RefundableMoney } from './refundable-money.ts'
import { endRefund, type RefundsDeps, readRefund, refundOf, refundView } from './store.ts'
import { type RefundRow, refundsTable } from './table.ts'

/** An admin's refund request. */
export interface RefundRequest {
  booking: string | null
  payment: string | null
  source: RefundSourceKind
  amount: Amount
  bearer: RefundBearer
  reason: string
}

/**
 * Stores a refund and debits its bearer in one transaction. Wallet refunds are credited in the same transaction;
 * provider refunds are sent after it. Throws the errors of `refundRefusal`, not_found, refund_under_way, low_wallet,
 * idempotency_mismatch.
 */
export async function requestRefund(
  deps: RefundsDeps & { send(tx: Transaction, id: string): Promise<void> },
  by: string,
  request: RefundRequest,
  key: string | null,
): Promise<RefundView> {
  const settings = await deps.settings.current()
  const at = deps.clock.now()
  const context = { settings, at }
  try {
    return await deps.database.withTransaction(async (tx) => {
      const once = { user: by, command: 'refunds.ask', key, body: request, at }
      const id = await idempotent(tx, once, async () => {
        const row = await insertRefund(tx, by, request, context)
        const { rider, driver, currency, reason } = row
        const mustStayNonNegative = row.bearer === 'wallet' ? [rider] : []
        await deps.wallet.append(
          tx,
          [refundRequested(refundOf(row))],
          { at, currency, by, note: reason },
          mustStayNonNegative,
        )
        await writeAudit(tx, {
          by,
          at,
          action: 'refunds.ask',
          kind: 'refund',
          subject: row.id,
          label: row.code,
          person: rider,
          before: null,
          after: refundView(row),
        })
        if (driver !== null) await notifyDriver(deps, tx, row, context)
        await deps.outbox.write(
          tx,
          [rider, ...(driver === null ? [] : [driver])].map((one) => userChangedEvent(one)),
        )
        if (row.provider === null) {
          await endRefund(deps, tx, row.id, { state: 'confirmed', failure: null, by }, context)
        } else await deps.send(tx, row.id)
        return row.id
      })
      return refundView(await readRefund(tx.db, id))
    })
  } catch (error) {
    if (isUniqueViolation(error, 'refunds_one_under_way')) throw new Refusal('refund_under_way')
    throw error
  }
}

/** Decides and inserts the row with the money locked. */
async function insertRefund(
  tx: Transaction,
  by: string,
  request: RefundRequest,
  { settings, at }: { settings: CurrentSettings; at: number },
): Promise<RefundRow> {
  const money = await lockMoney(tx, request)
  const source = money.sources.find((one) => one.source === request.source && one.payment === request.payment)
  const left = source === undefined ? 0 : money.left(source)
  const refusal = refundRefusal(source, left, request, settings)
  if (refusal !== null || source === undefined) throw refusal ?? new Refusal('wrong_status')
  const { booking, code, rider, riderName, currency } = money
  const [row] = await tx.db
    .insert(refundsTable)
    .values({
      id: uuidv7(),
      at,
      booking,
      code,
      source: request.source,
      payment: source.payment,
      provider: providerOf(source),
      rider,
      rider_name: riderName,
      amount: request.amount,
      currency,
      bearer: request.bearer,
      driver: request.bearer === 'driver' ? money.driver : null,
      reason: request.reason,
      state: 'asked',
      before: source.refunded,
      look_at: at,
      by_user: by,
    })
    .returning()
  if (row === undefined) throw new Error('insert returned no refund')
  return row
}

function lockMoney({ client }: Transaction, { booking, payment }: RefundRequest): Promise<RefundableMoney> {
  if (booking !== null) return loadBookingMoney(client, booking, true)
  if (payment !== null) return loadPaymentMoney(client, payment, true)
  throw new Refusal('not_found')
}

async function notifyDriver(
  { users }: Pick<RefundsDeps, 'users'>,
  tx: Transaction,
  row: RefundRow,
  { settings, at }: { settings: CurrentSettings; at: number },
): Promise<void> {
  if (row.driver === null) return
  await users.notify(tx, [
    {
      user_id: row.driver,
      at,
      title: 'notify.refund_borne.title',
      msg: 'notify.refund_borne.msg',
      params: {
        amount: moneyText(row.amount, settings.decimal, settings),
        booking: row.code,
        reason: row.reason,
      },
      screen: 'wallet',
      dedupe: `refund:${row.id}:borne`,
    },
  ])
}
