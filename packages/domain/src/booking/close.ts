import { Refusal } from '../error-keys.ts'
import { moneyText } from '../money/amount.ts'
import { walletPayment } from '../wallet/trip-entries.ts'
import { canPay } from '../wallet/user-entries.ts'
import { dueOf, walletPart } from './amounts.ts'
import type { Effect, Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { momentOf } from './moment.ts'
import { notify } from './notices.ts'
import { type Payer, settle } from './settle.ts'

/**
 * The trip is closed and the driver is free. Prepaid, cash, a wallet with enough in it, or nothing to pay: settled
 * at once. Otherwise the payment is pending; of wallet and card, the wallet's part is taken now.
 */
export function close(facts: Facts, input: InputOf<'close'>, now: number): Outcome | Refusal {
  const { booking, by } = facts
  if (by.actor === 'admin' && !input.reason?.trim()) return new Refusal('reason_needed')
  const free: Effect[] = booking.driver === null ? [] : [{ kind: 'free_driver', driver: booking.driver }]
  const payer = payerOf(facts)
  const outcome = payer ? settle(facts, payer, now) : pending(facts)
  return {
    ...outcome,
    changes: { ...outcome.changes, closed_at: momentOf(booking, input.at, now) },
    effects: [...free, ...(outcome.effects ?? [])],
    reason: input.reason ?? null,
  }
}

/** Who pays at once, or null when the rider has to do something first. */
function payerOf({ booking, rider, settings }: Facts): Payer | null {
  const due = dueOf(booking)
  // A difference to what was paid in advance is settled with the wallet, and settling is never refused.
  if (due <= 0 || booking.prepaid) return { from: 'wallet' }
  if (booking.payment_mode === 'cash') return { from: 'cash' }
  if (booking.payment_mode === 'wallet') {
    return canPay(rider.walletBalance, due, settings.negativeBalance) ? { from: 'wallet' } : null
  }
  if (booking.payment_mode === 'wallet_card') return rider.walletBalance >= due ? { from: 'wallet' } : null
  return null
}

function pending({ booking, rider, settings }: Facts): Outcome {
  const due = dueOf(booking)
  const held = booking.payment_mode === 'wallet_card' ? walletPart(rider.walletBalance, due) : 0
  return {
    to: 'PENDING',
    changes: { usedWalletMoney: booking.usedWalletMoney + held, payableAmount: due - held },
    entries: walletPayment(booking.id, booking.customer, held, `checkout:${booking.version + 1}`),
    effects: [
      notify(booking, booking.customer, 'payment_due', 'BookedCab', {
        amount: moneyText(due - held, booking.decimal, settings),
      }),
    ],
  }
}
