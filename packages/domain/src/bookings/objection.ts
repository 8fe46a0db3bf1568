import { Refusal } from '../error-keys.ts'
import type { Amount } from '../money/amount.ts'
import { objectionDecided } from '../wallet/user-entries.ts'
import { dueOf, outstandingOf, owedOf } from './amounts.ts'
import type { Booking } from './booking.ts'
import type { Effect, Outcome } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { type Notice, notify } from './notices.ts'
import { settle, settleOthers } from './settle.ts'
import { isOneOf, type ObjectionSubject, returnObjectionMs } from './status.ts'

/**
 * What a rider can object to, once; null for nothing. The driver's cash answer comes first: nothing paid, or the trip
 * without the outstanding amount, for a complete trip only while the rider has other debt (`outstanding`). Otherwise the
 * return leg of a delivery, if it was charged to the rider.
 */
export function objectionTo(booking: Booking, outstanding: Amount): ObjectionSubject | null {
  const { status, objection, cash_answer, outstanding_amount, customer_paid, fare_parts } = booking
  if (objection !== null || !isOneOf(['PENDING', 'PAID', 'COMPLETE'], status)) return null
  if (status === 'PENDING' && cash_answer === 'nothing') return 'cash'
  const isMissing = status !== 'PENDING' && cash_answer === 'trip' && (outstanding_amount ?? 0) > 0
  if (isMissing && (status === 'PAID' || outstanding > 0)) return 'cash'
  const isCharged = (fare_parts.return_leg ?? 0) > 0 && (status === 'PENDING' || customer_paid > 0)
  return isCharged ? 'return_leg' : null
}

/**
 * The rider objects to what `objectionTo` names. Nothing of it is collected from them until an admin decides. One to the
 * return leg is refused with reason_needed without a reason, and with wrong_status 14 days after the end of the delivery.
 */
export function object(
  { booking, rider, delivery }: Facts,
  input: InputOf<'object'>,
  now: number,
): Outcome | Refusal {
  const outstanding = outstandingOf(rider, booking)
  const to = objectionTo(booking, outstanding)
  if (to === null) return new Refusal('wrong_status')
  const isReturn = to === 'return_leg'
  if (isReturn && now > (booking.closed_at ?? now) + returnObjectionMs) return new Refusal('wrong_status')
  if (isReturn && !input.reason?.trim()) return new Refusal('reason_needed')
  // A return leg that the wallet did not cover is a negative balance; an unpaid trip is not collected while it is contested.
  const missing = booking.status === 'PENDING' ? 0 : Math.max(0, -rider.walletBalance)
  const returnLeg = Math.min(delivery?.return_leg.cost ?? 0, missing)
  const contested = isReturn ? returnLeg : (booking.outstanding_amount ?? 0)
  const notice = isReturn ? 'return_objected' : 'objected'
  return {
    // Several trips may have carried the same debt: it is contested once.
    changes: {
      objection: 'open',
      objection_to: to,
      contested_amount: Math.min(contested, outstanding),
    },
    effects: booking.driver === null ? [] : [notify(booking, booking.driver, notice, 'DriverTrips')],
    reason: input.reason?.trim() || null,
  }
}

/**
 * An admin decides an objection. Paid: the driver has the cash, and owes it. Not paid: the rider still owes it. Written
 * off: the platform bears the unpaid rest. The amount to collect in addition to the trip settles the debts it was for. A
 * return leg is charged (not paid) or written off: see `decidedReturn`.
 */
export function decideObjection(
  facts: Facts,
  input: InputOf<'decide_objection'>,
  now: number,
): Outcome | Refusal {
  const { booking } = facts
  if (booking.objection !== 'open') return new Refusal('wrong_status')
  if (!input.reason.trim()) return new Refusal('reason_needed')
  const isReturn = booking.objection_to === 'return_leg'
  if (isReturn && input.outcome === 'paid') return new Refusal('wrong_status')
  const objection = input.outcome === 'write_off' ? ('written_off' as const) : input.outcome
  const outcome = isReturn ? decidedReturn(facts, input, now) : decided(facts, input.outcome, now)
  return {
    ...outcome,
    to: outcome.to ?? booking.status,
    changes: { ...outcome.changes, objection },
    effects: [
      ...(outcome.effects ?? []),
      ...noticesFor(booking, isReturn ? 'return_decided' : 'objection_decided', objection),
    ],
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

/**
 * The platform bears the return leg; the driver keeps their share. Of an unpaid trip, the rider owes the rest. Otherwise
 * the wallet gets what was paid and not `returned` yet: it settles a negative balance, too.
 */
function decidedReturn(
  facts: Facts,
  { outcome, returned, waived }: InputOf<'decide_objection'>,
  now: number,
): Outcome {
  const { booking, delivery } = facts
  if (outcome !== 'write_off') return {}
  const cost = delivery?.return_leg.cost ?? 0
  if (booking.status !== 'PENDING') {
    const written_off_amount = Math.max(0, Math.min(cost - waived, booking.customer_paid - returned))
    return {
      changes: { written_off_amount, customer_paid: booking.customer_paid - written_off_amount },
      entries: objectionDecided(booking.id, booking.customer, written_off_amount),
    }
  }
  const reduced = { ...booking, written_off_amount: cost }
  const due = dueOf(reduced)
  // The wallet may hold more than the rest already.
  const rest =
    due > 0
      ? { changes: { payableAmount: due } }
      : settle({ ...facts, booking: reduced }, { from: 'wallet' }, now)
  return { ...rest, changes: { ...rest.changes, written_off_amount: cost } }
}

function noticesFor(booking: Booking, notice: Notice, outcome: string): Effect[] {
  const params = { outcome }
  return [
    notify(booking, booking.customer, notice, 'BookedCab', params),
    ...(booking.driver === null ? [] : [notify(booking, booking.driver, notice, 'DriverTrips', params)]),
  ]
}
