import { Refusal } from '../error-keys.ts'
import { canPay } from '../wallet/user-entries.ts'
import { dueOf } from './amounts.ts'
import type { Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { settle } from './settle.ts'

/** The rider pays a pending trip from the wallet. */
export function payByWallet(facts: Facts, _input: InputOf<'pay_by_wallet'>, now: number): Outcome | Refusal {
  const { booking, rider } = facts
  if (!canPay(rider.walletBalance, dueOf(booking))) return new Refusal('low_wallet')
  return settle(facts, { from: 'wallet' }, now)
}

/** A payment provider has captured the amount due for a pending trip, and the rider's other debt. */
export function settleCapture(
  facts: Facts,
  input: InputOf<'settle_capture'>,
  now: number,
): Outcome | Refusal {
  const { provider, payment, amount } = input
  const due = dueOf(facts.booking)
  if (amount < due || due <= 0) return new Refusal('conflict')
  return settle(facts, { from: 'card', provider, payment }, now, amount - due)
}

/** The driver has received cash for a pending trip. */
export function confirmCash(facts: Facts, _input: InputOf<'confirm_cash'>, now: number): Outcome {
  const outcome = settle(facts, { from: 'cash' }, now)
  return { ...outcome, changes: { ...outcome.changes, cash_answer: 'trip' } }
}

/** An admin writes off an unpaid trip; the platform bears it. */
export function writeOffTrip(facts: Facts, input: InputOf<'write_off'>, now: number): Outcome | Refusal {
  if (!input.reason.trim()) return new Refusal('reason_needed')
  return { ...settle(facts, { from: 'platform' }, now), reason: input.reason }
}
