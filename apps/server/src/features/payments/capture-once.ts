import { openPaymentStates } from '@hansom/domain/payments/payment'
import { and, eq, inArray, isNull, lte, or } from 'drizzle-orm'
import type { CompletedPayment, PaymentProvider } from '../../adapters/payments/port.ts'
import { startedOf } from './attempt.ts'
import type { PaymentsDeps } from './deps.ts'
import { type PaymentRow, paymentsTable as table } from './table.ts'

/** Longer than any call of a provider may take, ms; a server that falls meanwhile keeps others from it no longer. */
const leaseMs = 60_000

/**
 * Lets a provider take the money, one call at a time for an attempt on whichever server: some know no idempotency key. Null:
 * somebody else is at it, or the attempt is decided. Throws PaymentError.
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
