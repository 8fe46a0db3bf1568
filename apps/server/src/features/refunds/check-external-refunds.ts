import { nextRefundCheckAt } from '@hansom/domain/payments/refund-checks'
import { and, asc, eq, lte } from 'drizzle-orm'
import { PaymentError, type PaymentProvider } from '../../adapters/payments/port.ts'
import { paymentsTable } from '../payments/table.ts'
import type { RefundsDeps } from './deps.ts'
import { importExternalRefunds } from './import-external-refunds.ts'

/** Maximum number of payments to check with one provider per run, in sequence. */
const maxPerProvider = 30
/** How long a provider that does not respond is left alone, ms. */
const silentMs = 3_600_000

/**
 * Checks payments of the last half year for money returned by providers, whose webhook may have been lost or who send
 * none. The longest waiting come first; a failing provider does not delay the others.
 */
export async function checkExternalRefunds(deps: RefundsDeps, signal?: AbortSignal): Promise<void> {
  const asked = deps.payments.filter(({ listReversals: takenBack }) => takenBack)
  await Promise.all(asked.map((provider) => checkProvider(deps, provider, signal)))
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
