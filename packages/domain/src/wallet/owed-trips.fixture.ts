import { bookingIn, inputFor, minute, start } from '../bookings/booking.fixture.ts'
import { decide } from '../bookings/decide.ts'
import type { Decision } from '../bookings/decision.ts'
import type { Facts } from '../bookings/facts.ts'
import { Refusal } from '../error-keys.ts'
import { unit } from '../money/amount.ts'
import type { Entry } from './ledger.ts'

/** An amount of the currency's units. */
export const u = (amount: number) => amount * unit
export const now = start + 30 * minute

/** The legs of entries as texts, in units. */
export function legs(entries: Entry | readonly Entry[]): string[] {
  return [entries].flat().flatMap((one) => one.legs.map((leg) => `${leg.account} ${leg.amount / unit}`))
}

/** The decision on a command; throws its refusal. */
export function decided(
  facts: Facts,
  command: Parameters<typeof inputFor>[0],
  more: object = {},
  at = now,
): Decision {
  const answer = decide(facts, inputFor(command, more), at)
  if (answer instanceof Refusal) throw answer
  return answer
}

/** Trip 1 of driver D1, not paid by the rider. */
export const unpaid = bookingIn('PENDING', {
  id: 'trip1',
  driver: 'D1',
  payment_mode: 'cash',
  cash_answer: 'nothing',
})

/** The legs that share a paid trip. */
export const out = (trip: string, driver: string) => [
  `trip:${trip} -110`,
  `user:${driver} 100`,
  'platform 10',
]
