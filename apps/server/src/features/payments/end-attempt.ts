import { Refusal } from '@hansom/domain/error-keys'
import type { PaymentsDeps } from './deps.ts'
import { closePayment, hasOtherOpen } from './store/payments.ts'
import type { PaymentRow } from './table.ts'
import { spendMoney } from './spend-money.ts'

/**
 * Does what follows from the state in which an attempt has ended: captured money is used; after a failure the wallet's part
 * that waited for the card goes back, unless another attempt is under way. May be called again.
 */
export async function endAttempt(deps: PaymentsDeps, row: PaymentRow): Promise<void> {
  if (row.closed) return
  if (row.state === 'paid') {
    await spendMoney(deps, row)
    return
  }
  const { db } = deps.database
  if (row.booking !== null) await giveHoldBack(deps, row.booking, () => hasOtherOpen(db, row))
  await closePayment(db, row)
}

async function giveHoldBack(
  { bookings }: PaymentsDeps,
  booking: string,
  isPaying: () => Promise<boolean>,
): Promise<void> {
  try {
    await bookings.system.releaseHold(booking, isPaying)
  } catch (error) {
    // Paid another way, cancelled, or on its way: nothing waits for the card any more, or another attempt does.
    if (!(error instanceof Refusal)) throw error
  }
}
