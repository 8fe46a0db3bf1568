import { Refusal } from '@hansom/domain/error-keys'
import type { PaymentsDeps } from './deps.ts'
import { closePayment, hasOtherOpen } from './store/payments.ts'
import type { PaymentRow } from './table.ts'
import { applyCapturedFunds } from './apply-captured-funds.ts'

/**
 * Processes the final state of an attempt: uses captured money; after a failure, releases the wallet hold unless
 * another attempt is open. Idempotent.
 */
export async function endAttempt(deps: PaymentsDeps, row: PaymentRow): Promise<void> {
  if (row.closed) return
  if (row.state === 'paid') {
    await applyCapturedFunds(deps, row)
    return
  }
  const { db } = deps.database
  if (row.booking !== null) await releaseHold(deps, row.booking, () => hasOtherOpen(db, row))
  await closePayment(db, row)
}

async function releaseHold(
  { bookings }: PaymentsDeps,
  booking: string,
  isPaying: () => Promise<boolean>,
): Promise<void> {
  try {
    await bookings.system.releaseHold(booking, isPaying)
  } catch (error) {
    // Paid by other means, cancelled or in progress: there is no hold, or another attempt needs it.
    if (!(error instanceof Refusal)) throw error
  }
}
