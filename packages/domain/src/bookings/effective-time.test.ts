import { expect, it } from 'vitest'
import { bookingIn, factsFor, inputFor, minute, start } from './booking.fixture.ts'
import { decide } from './decide.ts'
import { effectiveTime, lateStepsMs, oldestStepMs } from './effective-time.ts'

const started = bookingIn('STARTED')
const now = start + 60 * minute

const silence = { from: start + 10 * minute, to: now - minute }

it.each([
  ['within the loss of contact -> its time', start + 20 * minute, start + 20 * minute],
  ['before the loss of contact -> when it began', start + 8 * minute, silence.from],
  ["after the loss of contact -> the server's time", now - minute / 2, now],
  ["in the future -> the server's time", now + minute, now],
  ["without a time -> the server's time", undefined, now],
])('late step: %s', (_name, at, expected) => {
  expect(effectiveTime(started, at, now, silence)).toBe(expected)
})

it("late step: no loss of contact -> the server's time", () => {
  expect(effectiveTime(started, start + 20 * minute, now, null)).toBe(now)
})

it("late step: long after contact was restored -> the server's time", () => {
  expect(effectiveTime(started, start + 20 * minute, silence.to + lateStepsMs + 1, silence)).toBe(
    silence.to + lateStepsMs + 1,
  )
})

it('late step: earlier than the step before it -> the time of that step', () => {
  const long = { from: start - minute, to: now }
  expect(effectiveTime(started, start, now, long)).toBe(started.trip_start_time)
})

it('late step: dated yesterday -> six hours ago', () => {
  const later = start + 24 * 60 * minute
  expect(effectiveTime(started, start + minute, later, { from: start, to: later })).toBe(later - oldestStepMs)
})

it.each([
  ['ACCEPTED', 'arrive', (at: number) => ({ driver_arrive_time: at })],
  ['ARRIVED', 'start', (at: number) => ({ trip_start_time: at })],
  ['STARTED', 'reach', (at: number) => ({ trip_end_time: at, total_trip_time: 20 * 60 })],
  ['REACHED', 'close', (at: number) => ({ closed_at: at })],
] as const)('late step: %s, %s -> dated when it was taken', (status, command, expected) => {
  const at = start + 25 * minute
  const decision = decide(
    factsFor(bookingIn(status), 'driver', { silence: { from: start, to: now } }),
    inputFor(command, { at }),
    now,
  )
  expect(decision).toMatchObject({ changes: expected(at) })
})
