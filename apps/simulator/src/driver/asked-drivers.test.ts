import { expect, test } from 'vitest'
import { AskedDrivers } from './asked-drivers.ts'

const request = (asked: number, requested_at = 0) => ({
  id: 'trip',
  request: { requested_at, expires_at: requested_at + 30_000, pickupKm: 1, pickupS: 60, asked },
})

function noted(...drivers: string[]): AskedDrivers {
  const asked = new AskedDrivers()
  for (const driver of drivers) asked.note(driver, request(drivers.length))
  return asked
}

test('a request: every driver it asks is simulated -> no person is asked', () => {
  expect(noted('one', 'two').isPersonAsked(request(2))).toBe(false)
})

test('a request: asks one driver more, wherever that car is -> a person is asked', () => {
  expect(noted('one', 'two').isPersonAsked(request(3))).toBe(true)
})

test('a request: the same driver hears of it twice -> counts once', () => {
  expect(noted('one', 'one').isPersonAsked(request(2))).toBe(true)
})

test('the next wave: drivers of an earlier wave are not counted', () => {
  const asked = noted('one', 'two')
  asked.note('three', request(2, 30_000))
  expect(asked.isPersonAsked(request(2, 30_000))).toBe(true)
  expect(asked.isPersonAsked(request(1, 30_000))).toBe(false)
})
