import { expect, test } from 'vitest'
import { AskedDrivers } from './asked-drivers.ts'

const request = (asked: number, requested_at = 0) => ({
  id: 'trip',
  request: { requested_at, expires_at: requested_at + 30_000, pickupKm: 1, pickupS: 60, asked },
})

function noted(...drivers: string[]): AskedDrivers {
  const asked = new AskedDrivers()
  for (const driver of drivers) asked.record(driver, request(drivers.length))
  return asked
}

test('isPersonAsked: all asked drivers simulated -> false', () => {
  expect(noted('one', 'two').isPersonAsked(request(2))).toBe(false)
})

test('isPersonAsked: one more driver asked -> true', () => {
  expect(noted('one', 'two').isPersonAsked(request(3))).toBe(true)
})

test('isPersonAsked: same driver noted twice -> counted once', () => {
  expect(noted('one', 'one').isPersonAsked(request(2))).toBe(true)
})

test('isPersonAsked: next wave -> drivers of earlier waves not counted', () => {
  const asked = noted('one', 'two')
  asked.record('three', request(2, 30_000))
  expect(asked.isPersonAsked(request(2, 30_000))).toBe(true)
  expect(asked.isPersonAsked(request(1, 30_000))).toBe(false)
})
