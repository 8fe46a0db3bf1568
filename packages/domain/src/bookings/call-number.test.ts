import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { visibleBooking } from '../access/visible-booking.ts'
import { booking, bookingIn, settings } from './booking.fixture.ts'
import { callNumberFor, mayCallStop, noCallNumber, senderStop, shownNumber } from './call-number.ts'
import { bookingStatuses, drivingStatuses, isOneOf } from './status.ts'

const numbers = ['+14155550100', '+14155550101', '+14155550102']
const phone = (n: number) => `+5989900000${n}`

describe('call number', () => {
  test('calls not masked -> null', () => {
    expect(callNumberFor(null, phone(1), phone(2))).toBeNull()
    expect(callNumberFor(undefined, phone(1), phone(2))).toBeNull()
  })

  test.each([
    [null, phone(2)],
    [phone(1), null],
    [phone(1), phone(1)],
    ['099 123 456', phone(2)],
  ])('rider %s, driver %s -> no number, and never a real one', (rider, driver) => {
    expect(callNumberFor({ numbers, taken: [] }, rider, driver)).toBe(noCallNumber)
  })

  test('any order of trips -> each number of a person leads to one open trip; without a number only if all are taken', () => {
    const step = fc.record({ rider: fc.nat(9), driver: fc.nat(9), ends: fc.option(fc.nat(5)) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const open: { people: string[]; number: string }[] = []
        for (const { rider, driver, ends } of steps) {
          if (ends !== null) open.splice(ends, 1)
          const people = [phone(rider), phone(driver)]
          const taken = open
            .filter((one) => one.people.some((two) => people.includes(two)))
            .map((one) => one.number)
          const number = callNumberFor({ numbers, taken }, phone(rider), phone(driver))
          if (number === noCallNumber) {
            expect(rider === driver || numbers.every((one) => taken.includes(one))).toBe(true)
            continue
          }
          expect(numbers).toContain(number)
          open.push({ people, number: number ?? '' })
          const lines = open.flatMap((one) => one.people.map((caller) => `${caller} ${one.number}`))
          expect(new Set(lines).size).toBe(lines.length)
        }
      }),
    )
  })
})

test.each([
  ['drop', null, true],
  ['drop', 'delivered', false],
  ['drop', 'failed', false],
  ['drop', 'not_done', false],
  ['pickup', 'done', true],
  ['return', null, true],
] as const)('stop of kind %s with the outcome %s -> the courier may call: %s', (kind, outcome, may) => {
  expect(mayCallStop({ kind, outcome } as Parameters<typeof mayCallStop>[0])).toBe(may)
})

describe('shown number', () => {
  test('masked trip -> the pool number while the driver has the trip, none before and after', () => {
    for (const status of bookingStatuses) {
      const shown = shownNumber({ call_number: '+14155550100', status }, phone(1))
      expect(shown).toBe(isOneOf(drivingStatuses, status) ? '+14155550100' : null)
    }
  })

  test('stop of a delivery -> its number of two digits after one pause; no real number -> none', () => {
    const masked = { call_number: '+14155550100', status: 'STARTED' } as const
    expect(shownNumber(masked, phone(1), senderStop)).toBe('+14155550100,00')
    expect(shownNumber(masked, phone(1), 3)).toBe('+14155550100,03')
    expect(shownNumber(masked, phone(1), 12)).toBe('+14155550100,12')
    expect(shownNumber(masked, null)).toBeNull()
    expect(shownNumber({ ...masked, call_number: noCallNumber }, phone(1))).toBeNull()
    expect(shownNumber({ ...masked, call_number: null }, phone(1), 3)).toBe(phone(1))
  })

  test('sender of a masked delivery -> a stop for the courier, the plain number of the courier for the sender', () => {
    const masked = { ...bookingIn('STARTED'), driver_contact: phone(2), call_number: '+14155550100' }
    expect(visibleBooking(masked, 'driver', settings, true).customer_contact).toBe('+14155550100,00')
    expect(visibleBooking(masked, 'driver', settings).customer_contact).toBe('+14155550100')
    expect(visibleBooking(masked, 'rider', settings, true).driver_contact).toBe('+14155550100')
  })

  test('views of a masked trip -> no real number for rider and driver in any status, the real ones for admins', () => {
    for (const status of bookingStatuses) {
      const masked = { ...bookingIn(status), driver_contact: phone(2), call_number: '+14155550100' }
      for (const viewer of ['rider', 'driver'] as const) {
        const text = JSON.stringify(visibleBooking(masked, viewer, settings))
        expect(text).not.toContain(phone(2))
        expect(text).not.toContain(booking.customer_contact)
      }
    }
    const seen = visibleBooking({ ...bookingIn('STARTED'), call_number: '+14155550100' }, 'admin', {
      AllowCriticalEditsAdmin: true,
    })
    expect(seen.customer_contact).toBe(booking.customer_contact)
    expect(seen.driver_contact).toBe('+59890000002')
  })
})
