import { Refusal } from '../error-keys.ts'
import { objectionDecided } from '../wallet/user-entries.ts'
import type { Booking } from './booking.ts'
import type { Effect, Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { notify } from './notices.ts'
import { settle } from './settle.ts'

/** True when a rider can object to what the driver said of the cash: nothing, or the trip without the outstanding amount. */
export function mayObject(booking: Booking): boolean {
  if (booking.objection !== null) return false
  if (booking.status === 'PENDING') return booking.cash_answer === 'nothing'
  return booking.cash_answer === 'trip' && (booking.outstanding_amount ?? 0) > 0
}

/** The rider says that the cash was paid. Nothing is collected from them until an admin decides. */
export function object({ booking }: Facts, input: InputOf<'object'>): Outcome | Refusal {
  if (!mayObject(booking)) return new Refusal('wrong_status')
  return {
    changes: { objection: 'open' },
    effects: booking.driver === null ? [] : [notify(booking, booking.driver, 'objected', 'DriverTrips')],
    reason: input.reason?.trim() || null,
  }
}

/**
 * An admin decides an objection. Paid: the driver has the cash, and owes it. Not paid: the rider still owes it. Written
 * off: the platform bears it.
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
    effects: [...(outcome.effects ?? []), ...told(booking, objection)],
    reason: input.reason,
  }
}

function decided(facts: Facts, outcome: InputOf<'decide_objection'>['outcome'], now: number): Outcome {
  const { booking } = facts
  if (outcome === 'not_paid') return {}
  if (booking.status === 'PENDING') {
    if (outcome === 'write_off') return settle(facts, { from: 'platform' }, now)
    const paid = settle(facts, { from: 'cash' }, now)
    return { ...paid, changes: { ...paid.changes, cash_answer: 'trip' } }
  }
  const bearer = outcome === 'paid' && booking.driver !== null ? { driver: booking.driver } : 'platform'
  return {
    entries: objectionDecided(booking.id, booking.customer, bearer, booking.outstanding_amount ?? 0),
  }
}

function told(booking: Booking, outcome: string): Effect[] {
  const params = { outcome }
  return [
    notify(booking, booking.customer, 'objection_decided', 'BookedCab', params),
    ...(booking.driver === null
      ? []
      : [notify(booking, booking.driver, 'objection_decided', 'DriverTrips', params)]),
  ]
}
