import { expect, test } from 'vitest'
import { booking, start } from '../bookings/booking.fixture.ts'
import { delivery } from './delivery.fixture.ts'
import type { Delivery, StopWithProofs } from './delivery.ts'
import { recipientView } from './recipient-view.ts'

const started = {
  ...booking,
  status: 'STARTED' as const,
  vehicle_number: 'SDX 4021',
  driver_name: 'Dora Driver',
  trip_end_time: null,
  closed_at: null,
}
const withStop = (n: number, more: Partial<StopWithProofs>): Delivery => ({
  ...delivery,
  stops: delivery.stops.map((stop) => (stop.n === n ? { ...stop, ...more } : stop)),
})
const withCode = withStop(1, { code: '1234', instructions: 'Blue door' })
const done = {
  outcome: 'delivered',
  done_at: start + 600_000,
  received_by: 'Ada',
  photo: start,
  signature: start + 1,
} as const
const monthMs = 30 * 24 * 3_600_000

test('recipient: parcel on its way -> own address, vehicle and code, nothing of the pickup, the courier or others', () => {
  const view = recipientView(started, withCode, 1, null, start)
  expect(view).toMatchObject({
    stage: 'next',
    place: delivery.stops[1]?.place,
    vehicle: { vehicle_number: 'SDX 4021' },
    code: '1234',
    may_edit: true,
  })
  expect(JSON.stringify(view)).not.toMatch(/Dora|Ben|099/)
  expect(JSON.stringify(view)).not.toContain(booking.pickup.add)
})

test('recipient: before the parcel is collected -> no vehicle', () => {
  const view = recipientView({ ...started, status: 'ACCEPTED' }, withCode, 1, null, start)
  expect(view).toMatchObject({ stage: 'waiting', vehicle: null, before: 0 })
  expect(recipientView(started, withCode, 2, null, start)).toMatchObject({ stage: 'coming', before: 1 })
})

test('recipient: fee in cash at the last drop -> shown to that recipient only', () => {
  const cash: Delivery = { ...withCode, cash_at: 'drop' }
  const inCash = { ...started, payment_mode: 'cash', prepaid: false } as const
  const collects = [1, 2, 3].map((n) => recipientView(inCash, cash, n, null, start)?.collect)
  expect(collects).toEqual([null, null, booking.trip_cost])
})

test('recipient: courier on the way to them -> arrival by the position, instructions until they are near', () => {
  const place = delivery.stops[1]?.place ?? booking.drop
  const car = { lat: place.lat + 0.1, lng: place.lng, at: start, arrivalS: 300 }
  const [pickup, ...drops] = withCode.stops as [StopWithProofs, ...StopWithProofs[]]
  const collected = {
    ...withCode,
    stops: [{ ...pickup, outcome: 'collected', done_at: start }, ...drops],
  } as Delivery
  expect(recipientView(started, collected, 1, car, start)).toMatchObject({
    expected_at: start + 300_000,
    may_edit: true,
  })
  const near = { ...car, lat: place.lat + 0.001 }
  expect(recipientView(started, withCode, 1, near, start)?.may_edit).toBe(false)
})

test('recipient: delivered -> outcome, time, receiver and proof only, for 30 days', () => {
  const view = recipientView(
    started,
    withStop(1, { ...done, code: '1234', instructions: 'Blue door' }),
    1,
    null,
    start,
  )
  const shown = Object.fromEntries(Object.entries(view ?? {}).filter(([, value]) => value))
  expect(shown).toEqual({
    stage: 'delivered',
    sender: booking.customer_name,
    done_at: start + 600_000,
    received_by: 'Ada',
    photo_at: start,
    signature_at: start + 1,
  })
  const at = (ms: number) => recipientView(started, withStop(1, done), 1, null, start + 600_000 + ms)
  expect(at(monthMs)).not.toBeNull()
  expect(at(monthMs + 1)).toBeNull()
})

test('recipient: failed -> on its way back until the courier has returned the parcels', () => {
  const failed = withStop(1, { outcome: 'failed', failure: 'refused', done_at: start })
  const back = { ...(delivery.stops[0] as StopWithProofs), n: 4, kind: 'return' as const, outcome: null }
  const view = (outcome: 'returned' | 'not_done' | null) =>
    recipientView(started, { ...failed, stops: [...failed.stops, { ...back, outcome }] }, 1, null, start)
  expect(view(null)).toMatchObject({ stage: 'failed', failure: 'refused', returned: false })
  expect(view('not_done')?.returned).toBe(false)
  expect(view('returned')?.returned).toBe(true)
})

test('recipient: an admin ended the delivery without an outcome -> ended, for 30 days from its end', () => {
  const ended = { ...started, status: 'PAID' as const, trip_end_time: start, closed_at: start }
  expect(recipientView(ended, withCode, 1, null, start)).toMatchObject({
    stage: 'ended',
    done_at: start,
    code: null,
    collect: null,
    place: null,
  })
  expect(recipientView(ended, withCode, 1, null, start + monthMs + 1)).toBeNull()
})

test('recipient: cancelled, unpaid or cleared -> no view', () => {
  for (const status of ['CANCELLED', 'PAYMENT_PENDING'] as const) {
    expect(recipientView({ ...started, status }, withCode, 1, null, start)).toBeNull()
  }
  expect(recipientView(started, withStop(1, { person: '' }), 1, null, start)).toBeNull()
  expect(recipientView(started, delivery, 0, null, start)).toBeNull()
})
