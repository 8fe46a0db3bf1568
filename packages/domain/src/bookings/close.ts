import { Refusal } from '../error-keys.ts'
import { type Amount, moneyText } from '../money/amount.ts'
import { canPay, walletPayment } from '../wallet/trip-entries.ts'
import { dueOf, toCollect, walletPart } from './amounts.ts'
import type { Booking } from './booking.ts'
import type { Effect, Outcome } from './decision.ts'
import { effectiveTime } from './effective-time.ts'
import type { Facts, InputOf } from './facts.ts'
import { type Notice, notify } from './notices.ts'
import { type Payer, settle } from './settle.ts'

/**
 * Closes the trip and frees the driver. Settled immediately if prepaid, if the wallet has enough, or if nothing is due.
 * A cash trip follows the driver's answer. Otherwise the payment is pending; for wallet and card, the wallet part is
 * taken now.
 */
export function close(facts: Facts, input: InputOf<'close'>, now: number): Outcome | Refusal {
  const { booking, by, silence } = facts
  if (by.role === 'admin' && !input.reason?.trim()) return new Refusal('reason_needed')
  const free: Effect[] = booking.driver === null ? [] : [{ kind: 'free_driver', driver: booking.driver }]
  const outcome = isCash(booking) ? closeCash(facts, input, now) : closeOther(facts, now)
  if (outcome instanceof Refusal) return outcome
  return {
    ...outcome,
    changes: { ...outcome.changes, closed_at: effectiveTime(booking, input.at, now, silence) },
    effects: [...free, ...(outcome.effects ?? [])],
    reason: input.reason ?? null,
  }
}

/** True when the driver has cash to collect at the end of the trip. */
function isCash(booking: Booking): boolean {
  return booking.payment_mode === 'cash' && !booking.prepaid && toCollect(booking, 0).total > 0
}

/**
 * Follows the driver's answer: all of it, only the trip, or nothing. Without an answer the trip was paid, but not a delivery,
 * whose cash is recorded at its stops. Refused with amount_changed when the amount shown
 * to the driver is not the fixed one, because they then collected a different amount.
 */
function closeCash(facts: Facts, input: InputOf<'close'>, now: number): Outcome | Refusal {
  const { booking, delivery, settings } = facts
  const { trip, outstanding, total } = toCollect(booking, 0)
  const reported = input.collected ?? (delivery ? 'nothing' : 'trip')
  const amount = { all: total, trip, nothing: 0 }[reported]
  if (input.amount !== undefined && input.amount !== amount) {
    return new Refusal('amount_changed', { data: { collect: { trip, outstanding, total } } })
  }
  // A trip that costs nothing is paid.
  const answer = reported === 'nothing' && trip <= 0 ? 'trip' : reported
  const changes = { cash_answer: answer }
  const notifyRider = (notice: Notice, missing: Amount): Effect =>
    notify(booking, booking.customer, notice, 'BookedCab', {
      amount: moneyText(missing, booking.decimal, settings),
      driver_name: booking.driver_name ?? '',
    })
  if (answer === 'nothing') {
    return {
      to: 'PENDING',
      changes: { ...changes, payableAmount: trip },
      effects: [notifyRider('not_paid', trip)],
    }
  }
  const outcome = settle(facts, { from: 'cash' }, now, answer === 'all' ? outstanding : 0)
  const isMissing = answer !== 'all' && outstanding > 0
  return {
    ...outcome,
    changes: { ...outcome.changes, ...changes },
    effects: [
      ...(outcome.effects ?? []),
      ...(isMissing ? [notifyRider('outstanding_not_paid', outstanding)] : []),
    ],
  }
}

function closeOther(facts: Facts, now: number): Outcome {
  const payer = payerOf(facts)
  return payer ? settle(facts, payer, now) : pending(facts)
}

/** Who pays immediately, or null when the rider has to act first. */
function payerOf({ booking, rider }: Facts): Payer | null {
  const due = dueOf(booking)
  // A difference to the advance payment is settled with the wallet, and settling is never refused.
  if (due <= 0 || booking.prepaid) return { from: 'wallet' }
  if (booking.payment_mode === 'wallet') return canPay(rider.walletBalance, due) ? { from: 'wallet' } : null
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
