import { Refusal } from '../error-keys.ts'
import { canPay } from '../wallet/user-entries.ts'
import { dueOf } from './amounts.ts'
import type { Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { settle } from './settle.ts'

/** The rider pays a pending trip from the wallet. */
export function payByWallet(facts: Facts, _input: InputOf<'pay_by_wallet'>, now: number): Outcome | Refusal {
  const { booking, rider, settings } = facts
  if (!canPay(rider.walletBalance, dueOf(booking), settings.negativeBalance)) return new Refusal('low_wallet')
  return settle(facts, { from: 'wallet' }, now)
}

/** A payment provider has captured what was due for a pending trip: exactly that. */
export function settleCapture(
  facts: Facts,
  input: InputOf<'settle_capture'>,
  now: number,
): Outcome | Refusal {
  if (input.amount !== dueOf(facts.booking)) return new Refusal('conflict')
  const { provider, payment } = input
  return settle(facts, { from: 'card', provider, payment }, now)
}

/** The driver has received cash for a pending trip. */
export function confirmCash(facts: Facts, _input: InputOf<'confirm_cash'>, now: number): Outcome {
  return settle(facts, { from: 'cash' }, now)
}

/** An admin lets the platform bear an unpaid trip. */
export function writeOffTrip(facts: Facts, input: InputOf<'write_off'>, now: number): Outcome | Refusal {
  if (!input.reason.trim()) return new Refusal('reason_needed')
  return { ...settle(facts, { from: 'platform' }, now), reason: input.reason }
}
