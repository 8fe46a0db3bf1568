import { and, eq, inArray, sql } from 'drizzle-orm'
import { PaymentError, type RefundResult } from '../../adapters/payments/port.ts'
import { startedOf } from '../payments/attempt.ts'
import { type PaymentRow, paymentsTable } from '../payments/table.ts'
import { importExternalRefunds } from './import-external-refunds.ts'
import { endRefund, type RefundsDeps } from './store.ts'
import { type RefundRow, refundsTable } from './table.ts'

/** Backoff for provider errors, from a minute to six hours, ms. */
const firstWaitMs = 60_000
const maxWaitMs = 6 * 3_600_000

/**
 * Carries out a refund at its provider, or queries its state. Every step is stored before the next, so that it resumes
 * after a server crash; the order is then marked as a possible repetition.
 */
export async function processRefund(deps: RefundsDeps, id: string): Promise<void> {
  const claimed = await claim(deps, id)
  if (claimed === null) return
  const { refund, payment } = claimed
  const provider = deps.payments.find(({ name }) => name === refund.provider)
  const at = startedOf(payment)
  try {
    if (refund.origin !== 'office') return await importExternalRefunds(deps, payment.id)
    if (provider?.refund == null) return await needsReview(deps, id, null)
    if (refund.state === 'pending') {
      if (!provider.refundState) return
      const { amount, before: refundedBefore, provider_refund_id: providerRefundId } = refund
      return await settle(
        deps,
        id,
        await provider.refundState(at, { id, amount, refundedBefore, providerRefundId }),
      )
    }
    const answer = await provider.refund(at, {
      id,
      amount: refund.amount,
      whole: refund.before === 0 && refund.amount === payment.amount,
      refundedBefore: refund.before,
      repeated: refund.tries > 1,
      reason: refund.reason,
    })
    await settle(deps, id, answer)
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    deps.log.warn({ refund: id, provider: refund.provider, why: error.message }, 'refund attempt failed')
    // The refund may or may not have happened and cannot be retried: an admin must check with the provider.
    if (error.permanent) await needsReview(deps, id, error.message)
  }
}

/** Claims the refund: other workers find nothing to do until the wait is over. */
async function claim(
  { database, clock }: RefundsDeps,
  id: string,
): Promise<{ refund: RefundRow; payment: PaymentRow } | null> {
  const now = clock.now()
  const [refund] = await database.db
    .update(refundsTable)
    .set({
      tries: sql`${refundsTable.tries} + 1`,
      look_at: sql`${now}::bigint + least(${maxWaitMs}::bigint, ${firstWaitMs}::bigint * (1 << least(${refundsTable.tries}, 10)))`,
    })
    .where(
      and(
        eq(refundsTable.id, id),
        inArray(refundsTable.state, ['asked', 'pending']),
        sql`${refundsTable.look_at} <= ${now}`,
      ),
    )
    .returning()
  if (refund?.payment == null) return null
  const [payment] = await database.db.select().from(paymentsTable).where(eq(paymentsTable.id, refund.payment))
  return payment === undefined ? null : { refund, payment }
}

async function settle(deps: RefundsDeps, id: string, answer: RefundResult): Promise<void> {
  if (answer.state === 'pending') {
    await deps.database.db
      .update(refundsTable)
      .set({ state: 'pending', provider_refund_id: answer.providerRefundId })
      .where(and(eq(refundsTable.id, id), inArray(refundsTable.state, ['asked', 'pending'])))
    return
  }
  const context = { settings: await deps.settings.current(), at: deps.clock.now() }
  const end =
    answer.state === 'failed'
      ? { state: 'failed' as const, failure: answer.why.slice(0, 300), by: null }
      : { state: 'confirmed' as const, failure: null, providerRefundId: answer.providerRefundId, by: null }
  await deps.database.withTransaction((tx) => endRefund(deps, tx, id, end, context))
}

async function needsReview(
  { database, clock }: RefundsDeps,
  id: string,
  failure: string | null,
): Promise<void> {
  await database.db
    .update(refundsTable)
    .set({ state: 'by_hand', failure, review_at: clock.now() })
    .where(and(eq(refundsTable.id, id), inArray(refundsTable.state, ['asked', 'pending'])))
}
