import { Refusal } from '@hansom/domain/error-keys'
import { moneyText } from '@hansom/domain/money/amount'
import type { PaymentUse } from '@hansom/domain/payments/payment'
import type { PaymentNotice } from '@hansom/domain/payments/notices'
import type { Entry } from '@hansom/domain/wallet/ledger'
import { lateCapture, paymentKey } from '@hansom/domain/wallet/trip-entries'
import { topUp } from '@hansom/domain/wallet/user-entries'
import { isUniqueViolation } from '../../platform/database/postgres-errors.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import { collectFromWalletEvent } from '../wallet/collect-from-wallet.ts'
import type { PaymentsDeps } from './deps.ts'
import { closePayment } from './store/payments.ts'
import type { PaymentRow } from './table.ts'

/**
 * Uses captured money once: for its booking, or for the payer's wallet if the booking ended, was paid by other means or
 * now has another price. Every use has the same ledger key, so the ledger shows which one it was.
 */
export async function applyCapturedFunds(deps: PaymentsDeps, payment: PaymentRow): Promise<void> {
  const { db } = deps.database
  const before = await knownUse(deps, payment)
  if (before !== null) return closePayment(db, payment, { used_for: before })
  if (payment.booking !== null && (await applyToBooking(deps, payment, payment.booking))) {
    return closePayment(db, payment, { used_for: 'booking' })
  }
  if (await creditWallet(deps, payment)) return
  // Another process has used the same money.
  const use = await knownUse(deps, payment)
  if (use === null) throw new Error(`payment ${payment.id} has an unknown use in the ledger`)
  await closePayment(db, payment, { used_for: use })
}

const uses: Readonly<Record<string, PaymentUse>> = {
  card_payment: 'booking',
  late_capture: 'wallet',
  top_up: 'top_up',
}

async function knownUse({ database }: PaymentsDeps, { id }: PaymentRow): Promise<PaymentUse | null> {
  const { rows } = await database.pool.query<{ kind: string }>(
    'select kind from ledger_entries where key = $1',
    [paymentKey(id)],
  )
  return rows[0] ? (uses[rows[0].kind] ?? null) : null
}

/** False if the booking refuses it. */
async function applyToBooking(
  { bookings }: PaymentsDeps,
  payment: PaymentRow,
  booking: string,
): Promise<boolean> {
  const captured = { provider: payment.provider, amount: payment.amount, payment: payment.id }
  for (const command of ['settleCapture', 'capturePayment'] as const) {
    try {
      await bookings.system[command](booking, captured)
      return true
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
  return false
}

/** Credits the payer's wallet and notifies them. False if the money was already used. */
async function creditWallet(deps: PaymentsDeps, payment: PaymentRow): Promise<boolean> {
  const { database, clock, users, wallet, outbox } = deps
  const settings = await deps.settings.current()
  const { id, provider, payer, booking, amount, currency, code } = payment
  const captured = { provider, amount, payment: id }
  const entry: Entry[] = booking === null ? [topUp(payer, captured)] : lateCapture(booking, payer, captured)
  const notice: PaymentNotice = booking === null ? 'topped_up' : 'payment_to_wallet'
  const at = clock.now()
  try {
    await database.withTransaction(async (tx) => {
      await wallet.append(tx, entry, { at, currency, by: null })
      await closePayment(tx.db, payment, { used_for: booking === null ? 'top_up' : 'wallet' })
      await users.notify(tx, [
        {
          user_id: payer,
          at,
          title: `notify.${notice}.title`,
          msg: `notify.${notice}.msg`,
          params: { amount: moneyText(amount, settings.decimal, settings), booking_id: code },
          screen: 'wallet',
          booking_id: booking,
          dedupe: `payment:${id}`,
        },
      ])
      await outbox.write(tx, [userChangedEvent(payer), collectFromWalletEvent(payer)])
    })
    return true
  } catch (error) {
    if (isUniqueViolation(error, 'ledger_entries_key_unique')) return false
    throw error
  }
}
