import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { booking, start } from '../bookings/booking.fixture.ts'
import { Refusal } from '../error-keys.ts'
import { unit } from '../money/amount.ts'
import { delivery, deliveryPlan, deliveryRequest } from './delivery.fixture.ts'
import { expectedAt } from './delivery.ts'
import { freshDelivery, newDelivery, parcelChoices, parcelExtras, returnStop } from './new-delivery.ts'

describe('parcel', () => {
  const carType = {
    parcel_types: [
      { description: 'Letter', amount: 0 },
      { description: 'Box', amount: 5 * unit },
    ],
    options: [],
  }

  test('no index -> first entry; empty list -> none', () => {
    expect(parcelChoices(carType, {})).toEqual({ parcel_type: carType.parcel_types[0], option: null })
  })

  test('chosen entry -> its amount is added; unknown entry -> select_proper', () => {
    const choices = parcelChoices(carType, { parcelTypeIndex: 1 })
    if (choices instanceof Refusal) throw choices
    expect(parcelExtras(choices)).toBe(5 * unit)
    expect(parcelChoices(carType, { parcelTypeIndex: 2 })).toMatchObject({ key: 'select_proper' })
    const seen = (parcelType: string) => parcelChoices(carType, { parcelTypeIndex: 1, parcelType })
    expect(seen('Box')).toMatchObject({ parcel_type: { description: 'Box' } })
    // An admin has changed the list meanwhile.
    expect(seen('Letter')).toMatchObject({ key: 'select_proper' })
  })
})

describe('new delivery', () => {
  test('stops in visiting order, shares add up to the fare', () => {
    const { stops, return_leg } = delivery
    expect(stops.map(({ n, kind, person }) => [n, kind, person])).toEqual([
      [0, 'pickup', 'Rita'],
      [1, 'drop', 'Ada'],
      [2, 'drop', 'Ben'],
      [3, 'drop', 'Cleo'],
    ])
    expect(stops.reduce((sum, { share }) => sum + share, 0)).toBe(booking.trip_cost)
    expect(return_leg.cost).toBe(return_leg.driver_share + return_leg.convenience_fees)
  })

  test('best order -> codes and recipients stay with their drop', () => {
    const { stops } = newDelivery({
      request: deliveryRequest,
      plan: { ...deliveryPlan, order: [2, 0, 1] },
      choices: { parcel_type: null, option: null },
      pickup: booking.pickup,
      sender: { name: 'Rita', contact: null, email: null },
      trip_cost: booking.trip_cost,
      fare_rule: booking.fare_rule,
      units: { decimal: 0, convert_to_mile: false },
      inCash: false,
      codes: ['1111', '2222', '3333'],
    })
    expect(stops.map(({ person, code }) => [person, code])).toEqual([
      ['Rita', null],
      ['Cleo', '3333'],
      ['Ada', '1111'],
      ['Ben', '2222'],
    ])
  })

  test.each([
    [false, 'drop', null],
    [true, 'drop', 'drop'],
    [true, null, 'pickup'],
  ] as const)('in cash: %s, asked to be collected at %s -> %s', (inCash, cash_at, collected) => {
    const made = newDelivery({
      request: { ...deliveryRequest, cash_at },
      plan: deliveryPlan,
      choices: { parcel_type: null, option: null },
      pickup: booking.pickup,
      sender: { name: 'Rita', contact: null, email: null },
      trip_cost: booking.trip_cost,
      fare_rule: booking.fare_rule,
      units: { decimal: 0, convert_to_mile: false },
      inCash,
      codes: null,
    })
    expect(made.cash_at).toBe(collected)
  })

  test('return stop -> after the last drop, once; a replaced booking starts without it', () => {
    const back = returnStop(delivery, start)
    expect(back).toMatchObject({
      n: 4,
      kind: 'return',
      place: booking.pickup,
      share: delivery.return_leg.cost,
    })
    const opened = { ...delivery, stops: [...delivery.stops, ...(back ? [back] : [])] }
    expect(returnStop(opened, start)).toBeNull()
    expect(freshDelivery(opened)).toEqual(delivery)
  })
})

describe('expected arrival', () => {
  const minute = 60_000
  /** Minutes of driving to each drop, and when its window opens after the departure; null for none. */
  const route = fc.array(
    fc.record({ drive: fc.integer({ min: 0, max: 60 }), opens: fc.option(fc.integer({ min: 0, max: 600 })) }),
    { minLength: 1, maxLength: 8 },
  )
  type Route = { drive: number; opens: number | null }[]

  /** Arrivals and starts of handing over at each drop, for a courier who leaves drop `from` - 1 at `at`. */
  function driven(drops: Route, from: number, at: number) {
    const times: { arrival: number; served: number }[] = []
    let left = at
    for (const { drive, opens } of drops.slice(from)) {
      const arrival = left + drive * minute
      left = Math.max(arrival, opens === null ? arrival : start + opens * minute)
      times.push({ arrival, served: left })
    }
    return times
  }

  test('any windows, early or late -> when the courier would be there, not before the window', () => {
    const input = fc.record({ drops: route, settled: fc.nat(7), off: fc.integer({ min: -120, max: 300 }) })
    fc.assert(
      fc.property(input, ({ drops, settled, off }) => {
        const plan = driven(drops, 0, start)
        const count = settled % drops.length
        const before = count === 0 ? start : (plan[count - 1]?.served ?? start)
        const done = Math.max(start + 1, before + off * minute)
        const stops = [
          { planned_at: start, window_from: null },
          ...plan.map(({ arrival }, index) => {
            const opens = drops[index]?.opens ?? null
            return { planned_at: arrival, window_from: opens === null ? null : start + opens * minute }
          }),
        ].map((stop, n) => ({ ...stop, n, done_at: n < count ? start + n / 100 : n === count ? done : null }))
        const actual = driven(drops, count, done)
        for (const [index, { served }] of actual.entries()) {
          expect(expectedAt({ stops }, { n: count + 1 + index }, done)).toBe(served)
        }
      }),
    )
  })

  test('nothing done yet -> as planned, from the window on; a courier who is overdue delays all stops', () => {
    const stops = [
      { n: 0, planned_at: start, window_from: null, done_at: null },
      { n: 1, planned_at: start + 10 * minute, window_from: start + 30 * minute, done_at: null },
      { n: 2, planned_at: start + 40 * minute, window_from: null, done_at: null },
    ]
    const at = (now: number) => [1, 2].map((n) => (expectedAt({ stops }, { n }, now) - start) / minute)
    expect(at(start)).toEqual([30, 40])
    expect(at(start + 15 * minute)).toEqual([30, 40])
    expect(at(start + 25 * minute)).toEqual([35, 45])
  })

  test('courier seen on the way -> their arrival at the next stop, and later ones moved by the same time', () => {
    const stops = [
      { n: 0, planned_at: start, window_from: null, done_at: start },
      { n: 1, planned_at: start + 10 * minute, window_from: null, done_at: null },
      { n: 2, planned_at: start + 40 * minute, window_from: start + 50 * minute, done_at: null },
      { n: 3, planned_at: start + 60 * minute, window_from: null, done_at: null },
    ]
    const at = (seen: number) =>
      [1, 2, 3].map((n) => (expectedAt({ stops }, { n }, start, seen) - start) / minute)
    expect(at(start + 15 * minute)).toEqual([15, 50, 60])
    expect(at(start + 25 * minute)).toEqual([25, 55, 65])
  })
})
