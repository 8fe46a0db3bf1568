import { openPaymentStates } from '@hansom/domain/payments/payment'
import { and, eq, inArray, isNull, lte, or } from 'drizzle-orm'
import type { CompletedPayment, PaymentProvider } from '../../adapters/payments/port.ts'
import { startedOf } from './attempt.ts'
import type { PaymentsDeps } from './deps.ts'
import { type PaymentRow, paymentsTable as table } from './table.ts'

/** Longer than any provider call may take, ms; if the server crashes, others can take over after it. */
const leaseMs = 60_000

/**
 * Captures the money at the provider, one call per attempt at a time across servers: some providers lack idempotency
 * keys. Null if another capture is in progress or the attempt is already decided. Throws PaymentError.
 */
export async function captureOnce(
  { database: { db }, worldNow }: Pick<PaymentsDeps, 'database' | 'worldNow'>,
  provider: PaymentProvider,
  { id }: Pick<PaymentRow, 'id'>,
  input: Readonly<Record<string, string>>,
): Promise<CompletedPayment | null> {
  if (!provider.complete) return null
  const now = worldNow()
  const [row] = await db
    .update(table)
    .set({ capturing_until: now + leaseMs })
    .where(
      and(
        eq(table.id, id),
        inArray(table.state, [...openPaymentStates]),
        or(isNull(table.capturing_until), lte(table.capturing_until, now)),
      ),
    )
    .returning()
  if (row === undefined) return null
  try {
    return await provider.complete(startedOf(row), input)
  } finally {
    await db
      .update(table)
      .set({ capturing_until: null })
      .where(and(eq(table.id, id), eq(table.capturing_until, now + leaseMs)))
  }
}
