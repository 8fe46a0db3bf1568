import { refundAsked } from '@hansom/domain/wallet/refund-entries'
import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { PaymentError, type TakenBack } from '../../adapters/payments/port.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { startedOf } from '../payments/attempt.ts'
import { type PaymentRow, paymentsTable } from '../payments/table.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import type { RefundsDeps } from './deps.ts'
import { endRefund, refundOf } from './end-refund.ts'
import { type RefundRow, refundsTable } from './table.ts'

/**
 * Takes up what went back of a payment at its provider without the office: refunds made in its own pages, and what payers'
 * banks demand. The provider is asked, each is kept once by the provider's name for it, and the ledger follows; it is never
 * refused. The platform bears it, or the payer's wallet where the money lies there. May be called at any time and again.
 */
export async function takeUpMoneyBack(deps: RefundsDeps, id: string): Promise<void> {
  const { database, payments, log } = deps
  const [payment] = await database.db.select().from(paymentsTable).where(eq(paymentsTable.id, id))
  const provider = payments.find(({ name }) => name === payment?.provider)
  if (payment === undefined || payment.used_for === null || !provider?.takenBack) return
  let told: TakenBack[]
  try {
    told = await provider.takenBack(startedOf(payment))
  } catch (error) {
    if (error instanceof PaymentError && error.permanent) {
      return log.warn({ payment: id, why: error.message }, 'what went back of a payment cannot be asked')
    }
    throw error
  }
  const moment = { settings: await deps.settings.current(), at: deps.clock.now() }
  for (const one of told) {
    await database.withTransaction(async (tx) => {
      // One at a time for a payment: whoever comes second finds what the first has kept.
      await tx.db.select().from(paymentsTable).where(eq(paymentsTable.id, id)).for('no key update')
      const row = (await findKept(tx, id, one)) ?? (await keepElsewhere(deps, tx, payment, one, moment.at))
      if (row === null || one.state === 'pending') return
      const state = one.state === 'done' ? ('confirmed' as const) : ('failed' as const)
      const end = { state, failure: null, providerRefundId: one.id, by: null }
      const ended = await endRefund(deps, tx, row.id, end, moment)
      if (ended === null && row.state !== state) {
        log.warn({ refund: row.id, told: one.state }, 'a refund that has ended is told otherwise')
      }
    })
  }
}

/** Ours by its number or by the provider's name; or one that was made by hand and has no name yet. */
async function findKept(tx: Transaction, payment: string, one: TakenBack): Promise<RefundRow | null> {
  const ofPayment = eq(refundsTable.payment, payment)
  const byName = or(
    eq(refundsTable.provider_refund_id, one.id),
    ...(one.order === null ? [] : [eq(refundsTable.id, one.order)]),
  )
  const [known] = await tx.db.select().from(refundsTable).where(and(ofPayment, byName))
  if (known !== undefined || one.kind === 'chargeback') return known ?? null
  const byHand = and(
    eq(refundsTable.amount, one.amount),
    isNull(refundsTable.provider_refund_id),
    inArray(refundsTable.state, ['by_hand', 'confirmed']),
  )
  const [made] = await tx.db.select().from(refundsTable).where(and(ofPayment, byHand)).limit(1)
  if (made === undefined) return null
  await tx.db.update(refundsTable).set({ provider_refund_id: one.id }).where(eq(refundsTable.id, made.id))
  return made
}

/** Null: nothing has gone back. */
async function keepElsewhere(
  deps: RefundsDeps,
  tx: Transaction,
  payment: PaymentRow,
  one: TakenBack,
  at: number,
): Promise<RefundRow | null> {
  if (one.state === 'failed') return null
  const [row] = await tx.db
    .insert(refundsTable)
    .values({
      id: uuidv7(),
      at,
      booking: payment.booking,
      code: payment.code,
      origin: one.kind === 'chargeback' ? 'chargeback' : 'provider',
      source: 'card',
      payment: payment.id,
      provider: payment.provider,
      rider: payment.payer,
      rider_name: payment.payer_name,
      amount: one.amount,
      currency: payment.currency,
      bearer: payment.used_for === 'booking' ? 'platform' : 'wallet',
      reason: '',
      state: 'pending',
      provider_refund_id: one.id,
      before: payment.refunded,
      look_at: at + lookAgainMs,
    })
    .returning()
  if (row === undefined) throw new Error('what went back elsewhere was not kept')
  await deps.wallet.append(tx, [refundAsked(refundOf(row))], { at, currency: row.currency, by: null })
  await deps.outbox.write(tx, [userChangedEvent(row.rider)])
  return row
}

/** A bank takes weeks: it is asked about again by itself, should its message be lost. */
const lookAgainMs = 6 * 3_600_000
