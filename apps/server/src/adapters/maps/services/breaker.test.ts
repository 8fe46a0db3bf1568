import { expect, test } from 'vitest'
import { Breaker, failuresToOpen, openMs } from './breaker.ts'

function opened(): Breaker {
  const breaker = new Breaker()
  for (let failure = 1; failure <= failuresToOpen; failure++) {
    breaker.begin()
    expect(breaker.fail(0)).toBe(failure === failuresToOpen)
  }
  return breaker
}

test('breaker: failures in a row -> open; a success in between -> stays closed', () => {
  expect(opened().state(0)).toBe('open')
  const breaker = new Breaker()
  for (let failure = 1; failure < failuresToOpen; failure++) breaker.fail(0)
  breaker.succeed()
  for (let failure = 1; failure < failuresToOpen; failure++) breaker.fail(0)
  expect(breaker.state(0)).toBe('closed')
})

test('breaker: open time over -> one probe; its success closes, its failure opens again', () => {
  const breaker = opened()
  expect(breaker.state(openMs - 1)).toBe('open')
  expect(breaker.state(openMs)).toBe('half_open')
  breaker.begin()
  expect(breaker.state(openMs)).toBe('open')
  expect(breaker.fail(openMs)).toBe(true)
  expect(breaker.state(2 * openMs - 1)).toBe('open')
  expect(breaker.state(2 * openMs)).toBe('half_open')
  breaker.begin()
  breaker.succeed()
  expect(breaker.state(2 * openMs)).toBe('closed')
})

test('breaker: late failures of calls that began before -> do not extend the open time', () => {
  const breaker = opened()
  expect(breaker.fail(openMs - 1)).toBe(false)
  expect(breaker.state(openMs)).toBe('half_open')
})
