import { id as uuid } from '@hansom/contract/shapes'
import { nextRefundCheckAt } from '@hansom/domain/payments/payment'
import { refundReversed } from '@hansom/domain/wallet/refund-entries'
import { and, asc, eq, inArray, isNull, lte, ne, or, sql } from 'drizzle-orm'
import {
  PaymentError,
  type PaymentProvider,
  type Reversal,
  type ReversalReport,
} from '../../adapters/payments/port.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { startedOf } from '../payments/attempt.ts'
import { type PaymentRow, paymentsTable } from '../payments/table.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import { storeExternalRefund, updateDisputeFee } from './record-external-refund.ts'
import { endRefund, type RefundsDeps, refundOf } from './store.ts'
import { type RefundRow, refundsTable } from './table.ts'

/**
 * Imports money returned for a payment at its provider without an admin's refund: refunds made on the provider's pages,
 * and chargebacks. Queries the provider, records each item once by its provider ID, and updates the ledger; it is never
 * refused. Idempotent. `isRoutine` means that nothing was reported. Throws PaymentError if the provider does not
 * respond.
 */
export async function importExternalRefunds(deps: RefundsDeps, id: string, isRoutine = false): Promise<void> {
  const { database, payments, log } = deps
  const [payment] = await database.db.select().from(paymentsTable).where(eq(paymentsTable.id, id))
  const provider = payments.find(({ name }) => name === payment?.provider)
  if (payment === undefined || payment.used_for === null || !provider?.listReversals) return
  let reported: ReversalReport
  try {
    reported = await provider.listReversals(startedOf(payment), isRoutine)
  } catch (error) {
    if (error instanceof PaymentError && error.permanent) {
      return log.warn({ payment: id, why: error.message }, 'failed to check for returned money')
    }
    throw error
  }
  const all = Array.isArray(reported) ? reported : await unrecordedOf(deps, id, reported.total)
  for (const one of all) await importOne(deps, id, one)
}

/** The part of a total that is not recorded yet; nothing while one of our pending orders may be part of it. */
async function unrecordedOf({ database }: RefundsDeps, payment: string, total: number): Promise<Reversal[]> {
  const [known] = await database.db
    .select({
      sum: sql<number>`coalesce(sum(${refundsTable.amount}), 0)::bigint`.mapWith(Number),
      isUnderWay: sql<boolean>`coalesce(bool_or(${refundsTable.origin} = 'office' and ${refundsTable.ended_at} is null), false)`,
    })
    .from(refundsTable)
    .where(and(eq(refundsTable.payment, payment), ne(refundsTable.state, 'failed')))
  const rest = total - (known?.sum ?? 0)
  if (rest <= 0 || known?.isUnderWay) return []
  return [{ id: `total-${total}`, kind: 'refund', amount: rest, order: null, state: 'done' }]
}

async function importOne(deps: RefundsDeps, id: string, one: Reversal): Promise<void> {
  const context = { settings: await deps.settings.current(), at: deps.clock.now() }
  const { at } = context
  await deps.database.withTransaction(async (tx) => {
    // Serializes imports of a payment, so that a concurrent one sees what was recorded.
    const [payment] = await tx.db
      .select()
      .from(paymentsTable)
      .where(eq(paymentsTable.id, id))
      .for('no key update')
    if (payment === undefined) return
    const row = (await findRecorded(tx, id, one)) ?? (await recordNew(deps, tx, payment, one, at))
    if (row === null) return
    if (one.fee !== undefined) await updateDisputeFee(deps, tx, row, one.fee, { at, by: null })
    if (one.state === 'pending') return
    const state = one.state === 'done' ? ('confirmed' as const) : ('failed' as const)
    const end = { state, failure: null, providerRefundId: one.id, by: null }
    const ended = await endRefund(deps, tx, row.id, end, context)
    if (ended !== null || row.state === state) return
    if (row.state === 'confirmed' && row.origin === 'chargeback') return revertLoss(deps, tx, row, at)
    deps.log.warn(
      { refund: row.id, reported: one.state },
      'provider reports another state for an ended refund',
    )
  })
}

/** Finds our record by its ID or the provider's ID, or one settled manually without a provider ID. */
async function findRecorded(tx: Transaction, payment: string, one: Reversal): Promise<RefundRow | null> {
  const ofPayment = eq(refundsTable.payment, payment)
  const byName = or(
    eq(refundsTable.provider_refund_id, one.id),
    ...(uuid.safeParse(one.order).success ? [eq(refundsTable.id, one.order ?? '')] : []),
  )
  const [known] = await tx.db.select().from(refundsTable).where(and(ofPayment, byName))
  if (known !== undefined) return known
  const unnamed = and(
    eq(refundsTable.amount, one.amount),
    isNull(refundsTable.provider_refund_id),
    one.kind === 'chargeback'
      ? eq(refundsTable.origin, 'chargeback')
      : and(ne(refundsTable.origin, 'chargeback'), inArray(refundsTable.state, ['by_hand', 'confirmed'])),
  )
  const [made] = await tx.db.select().from(refundsTable).where(and(ofPayment, unnamed)).limit(1)
  if (made === undefined) return null
  await tx.db.update(refundsTable).set({ provider_refund_id: one.id }).where(eq(refundsTable.id, made.id))
  return made
}

/** Null if nothing was returned, or it may be one of our pending orders. */
async function recordNew(
  deps: RefundsDeps,
  tx: Transaction,
  payment: PaymentRow,
  one: Reversal,
  at: number,
): Promise<RefundRow | null> {
  if (one.state === 'failed') return null
  const { id: providerRefundId, kind, amount } = one
  if (kind === 'refund' && one.order === null && (await hasUnnamed(tx, payment.id, amount))) return null
  const origin = kind === 'chargeback' ? 'chargeback' : 'provider'
  return storeExternalRefund(
    deps,
    tx,
    payment,
    { origin, amount, providerRefundId, reason: '', by: null },
    at,
  )
}

/** True while one of our orders for this amount is pending without a provider ID. */
async function hasUnnamed(tx: Transaction, payment: string, amount: number): Promise<boolean> {
  const rows = await tx.db
    .select({ id: refundsTable.id })
    .from(refundsTable)
    .where(
      and(
        eq(refundsTable.payment, payment),
        eq(refundsTable.amount, amount),
        eq(refundsTable.origin, 'office'),
        inArray(refundsTable.state, ['asked', 'pending']),
        isNull(refundsTable.provider_refund_id),
      ),
    )
  return rows.length > 0
}

/** Reverts a lost dispute after a successful appeal: the bank returned the money. */
async function revertLoss(deps: RefundsDeps, tx: Transaction, row: RefundRow, at: number): Promise<void> {
  if (row.provider === null || row.payment === null) return
  await tx.db.update(refundsTable).set({ state: 'failed', ended_at: at }).where(eq(refundsTable.id, row.id))
  await deps.wallet.append(tx, [refundReversed(refundOf(row), row.provider)], {
    at,
    currency: row.currency,
    by: null,
  })
  await tx.db
    .update(paymentsTable)
    .set({ refunded: sql`greatest(0, ${paymentsTable.refunded} - ${row.amount})` })
    .where(eq(paymentsTable.id, row.payment))
  await deps.outbox.write(tx, [userChangedEvent(row.rider)])
}

/** Maximum number of payments to check with one provider per run, in sequence. */
const maxPerProvider = 30
/** How long a provider that does not respond is skipped, ms. */
const silentMs = 3_600_000

/**
 * Checks payments of the last half year for money returned by providers, whose webhook may have been lost or who send
 * none. The longest waiting come first; a failing provider does not delay the others.
 */
export async function checkExternalRefunds(deps: RefundsDeps, signal?: AbortSignal): Promise<void> {
  const reporting = deps.payments.filter(({ listReversals }) => listReversals)
  await Promise.all(reporting.map((provider) => checkProvider(deps, provider, signal)))
}

async function checkProvider(
  deps: RefundsDeps,
  { name, live }: PaymentProvider,
  signal?: AbortSignal,
): Promise<void> {
  const { database, worldNow, log } = deps
  const { provider, back_at } = paymentsTable
  const due = await database.db
    .select({ id: paymentsTable.id, opened_at: paymentsTable.opened_at })
    .from(paymentsTable)
    .where(and(eq(provider, name), eq(paymentsTable.live, live), lte(back_at, worldNow())))
    .orderBy(asc(back_at))
    .limit(maxPerProvider)
  for (const { id, opened_at } of due) {
    if (signal?.aborted) return
    const now = worldNow()
    const next = (at: number | null) =>
      database.db.update(paymentsTable).set({ back_at: at }).where(eq(paymentsTable.id, id))
    // Schedule the next check first, so that failures are not retried in a loop.
    await next(nextRefundCheckAt(opened_at, now))
    try {
      await importExternalRefunds(deps, id, true)
    } catch (error) {
      log.warn({ err: error, provider: name, payment: id }, 'failed to check for returned money')
      await next(now + silentMs)
      if (error instanceof PaymentError) return
    }
  }
}
