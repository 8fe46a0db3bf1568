import { expect, test } from 'vitest'
import { Breaker, failuresToOpen, openMs } from './breaker.ts'

/** Calls that end one after the other at time 0; true: the call fails. Returns the state then. */
function after(breaker: Breaker, outcomes: boolean[]) {
  for (const hasFailed of outcomes) {
    const call = breaker.begin()
    if (hasFailed) breaker.fail(call, 0)
    else breaker.succeed(call)
  }
  return breaker.state(0)
}

function opened(): Breaker {
  const breaker = new Breaker()
  for (let failure = 1; failure <= failuresToOpen; failure++)
    expect(breaker.fail(breaker.begin(), 0)).toBe(failure === failuresToOpen)
  return breaker
}

test.each([
  ['four in a row', [true, true, true, true], 'open'],
  ['three of four', [true, true, true, false, true], 'open'],
  ['every second', [true, false, true, false, true, false, true], 'open'],
  ['three in a row', [true, true, true, false, false], 'closed'],
  ['every third', [true, false, false, true, false, false, true, false, false, true], 'closed'],
] as const)('breaker: failures of %s -> %s', (_case, outcomes, state) => {
  expect(after(new Breaker(), [...outcomes])).toBe(state)
})

test('breaker: open time over -> one probe; its success closes, its failure opens again', () => {
  const breaker = opened()
  expect(breaker.state(openMs - 1)).toBe('open')
  expect(breaker.state(openMs)).toBe('half_open')
  const first = breaker.begin()
  expect(breaker.state(openMs)).toBe('open')
  expect(breaker.fail(first, openMs)).toBe(true)
  expect(breaker.state(2 * openMs - 1)).toBe('open')
  expect(breaker.state(2 * openMs)).toBe('half_open')
  breaker.succeed(breaker.begin())
  expect(breaker.state(2 * openMs)).toBe('closed')
  // The failures from before do not count any more.
  expect(after(breaker, [true, true, true])).toBe('closed')
})

test('breaker: late outcomes of calls that began before -> change neither the open time nor a probe', () => {
  const breaker = new Breaker()
  const early = breaker.begin()
  after(breaker, [true, true, true, true])
  expect(breaker.fail(early, openMs - 1)).toBe(false)
  breaker.succeed(early)
  expect(breaker.state(openMs - 1)).toBe('open')
  expect(breaker.state(openMs)).toBe('half_open')
  const probe = breaker.begin()
  breaker.succeed(early)
  expect(breaker.fail(early, openMs)).toBe(false)
  expect(breaker.state(openMs)).toBe('open')
  breaker.succeed(probe)
  expect(breaker.state(openMs)).toBe('closed')
})
