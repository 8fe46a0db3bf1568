import { expect, it } from 'vitest'
import { bookingIn, factsFor, inputFor, minute, start } from './booking.fixture.ts'
import { decide } from './decide.ts'
import { momentOf, oldestStepMs } from './moment.ts'

const started = bookingIn('STARTED')
const now = start + 60 * minute

it('believes a late step within the step before it and now', () => {
  expect(momentOf(started, start + 20 * minute, now)).toBe(start + 20 * minute)
  expect(momentOf(started, undefined, now)).toBe(now)
  expect(momentOf(started, now + minute, now)).toBe(now)
  expect(momentOf(started, start - minute, now)).toBe(started.trip_start_time)
})

it('believes no step of yesterday', () => {
  expect(momentOf(started, start + minute, start + 24 * 60 * minute)).toBe(
    start + 24 * 60 * minute - oldestStepMs,
  )
})

it.each([
  ['ACCEPTED', 'arrive', (at: number) => ({ driver_arrive_time: at })],
  ['ARRIVED', 'start', (at: number) => ({ trip_start_time: at })],
  ['STARTED', 'reach', (at: number) => ({ trip_end_time: at, total_trip_time: 20 * 60 })],
  ['REACHED', 'close', (at: number) => ({ closed_at: at })],
] as const)('in %s, %s has the time at which it was taken', (status, command, expected) => {
  const at = start + 25 * minute
  const decision = decide(factsFor(bookingIn(status), 'driver'), inputFor(command, { at }), now)
  expect(decision).toMatchObject({ changes: expected(at) })
})
