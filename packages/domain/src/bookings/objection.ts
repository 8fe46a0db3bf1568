import { Refusal } from '../error-keys.ts'
import type { Amount } from '../money/amount.ts'
import { outstandingOf, owedOf } from './amounts.ts'
import type { Booking } from './booking.ts'
import type { Effect, Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'
import { settle, settleOthers } from './settle.ts'

/**
 * True when a rider can object to the driver's cash answer: nothing paid, or the trip without the outstanding amount.
 * For a complete trip only while the rider has other debt (`outstanding`).
 */
export function mayObject(booking: Booking, outstanding: Amount): boolean {
  if (booking.objection !== null) return false
  if (booking.status === 'PENDING') return booking.cash_answer === 'nothing'
  const isMissing = booking.cash_answer === 'trip' && (booking.outstanding_amount ?? 0) > 0
  return isMissing && (booking.status === 'PAID' || outstanding > 0)
}

/** The rider objects that the cash was paid. Nothing of it is collected from them until an admin decides. */
export function object({ booking, rider }: Facts, input: InputOf<'object'>): Outcome | Refusal {
  const outstanding = outstandingOf(rider, booking)
  if (!mayObject(booking, outstanding)) return new Refusal('wrong_status')
  return {
    // Several trips may have carried the same debt: it is contested once.
    changes: {
      objection: 'open',
      contested_amount: Math.min(booking.outstanding_amount ?? 0, outstanding),
    },
    effects: booking.driver === null ? [] : [notify(booking, booking.driver, 'objected', 'DriverTrips')],
    reason: input.reason?.trim() || null,
  }
}

/**
 * An admin decides an objection. Paid: the driver has the cash, and owes it. Not paid: the rider still owes it. Written
 * off: the platform bears the unpaid rest. The amount to collect in addition to the trip settles the debts it was for.
 */
export function decideObjection(
  facts: Facts,
  input: InputOf<'decide_objection'>,
  now: number,
): Outcome | Refusal {
  const { booking } = facts
  if (booking.objection !== 'open') return new Refusal('wrong_status')
  if (!input.reason.trim()) return new Refusal('reason_needed')
  const objection = input.outcome === 'write_off' ? ('written_off' as const) : input.outcome
  const outcome = decided(facts, input.outcome, now)
  return {
    ...outcome,
    to: outcome.to ?? booking.status,
    changes: { ...outcome.changes, objection },
    effects: [...(outcome.effects ?? []), ...noticesFor(booking, objection)],
    reason: input.reason,
  }
}

function decided(facts: Facts, outcome: InputOf<'decide_objection'>['outcome'], now: number): Outcome {
  const { booking, rider } = facts
  if (outcome === 'not_paid') return {}
  const isPaid = outcome === 'paid'
  const payer = { from: isPaid ? 'cash' : 'platform' } as const
  const more = isPaid
    ? (booking.outstanding_amount ?? 0)
    : Math.min(booking.contested_amount, owedOf(rider, booking))
  const done =
    booking.status === 'PENDING' ? settle(facts, payer, now, more) : settleOthers(facts, payer, more, now)
  return isPaid ? { ...done, changes: { ...done.changes, cash_answer: 'all' } } : done
}

function noticesFor(booking: Booking, outcome: string): Effect[] {
  const params = { outcome }
  return [
    notify(booking, booking.customer, 'objection_decided', 'BookedCab', params),
    ...(booking.driver === null
      ? []
      : [notify(booking, booking.driver, 'objection_decided', 'DriverTrips', params)]),
  ]
}
