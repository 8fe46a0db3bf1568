import { expect, test } from 'vitest'
import { relations } from '../access/relation.ts'
import { derivedFields, maxCoords, visibleBooking } from '../access/visible-booking.ts'
import { encodePolyline } from '../geo/polyline.ts'
import { booking } from './booking.fixture.ts'
import type { Booking } from './booking.ts'

const derived = (changes: Partial<Booking>, viewer: (typeof relations)[number] = 'rider') =>
  derivedFields(
    visibleBooking({ ...booking, ...changes }, viewer, { AllowCriticalEditsAdmin: true }),
    viewer,
    'taxi',
  )

const paidByCard: Partial<Booking> = {
  payment_mode: 'wallet_card',
  trip_cost: 1_100_000,
  discount_amount: 200_000,
  usedWalletMoney: 300_000,
  cardPaymentAmount: 600_000,
  payableAmount: 0,
}

test('derived fields: start, end and discount -> the stored times and amount', () => {
  const view = derived({ trip_start_time: 5, trip_end_time: 9, discount_amount: 70 })
  expect([view.startTime, view.endTime, view.discount]).toEqual([5, 9, 70])
})

test('derived fields: a long route -> at most 25 waypoints with both ends', () => {
  const path = Array.from({ length: 300 }, (_, at) => ({ lat: at / 1000, lng: -at / 1000 }))
  const { coords } = derived({ route: encodePolyline(path) })
  expect(coords).toHaveLength(maxCoords)
  expect([coords[0], coords.at(-1)]).toEqual([
    { latitude: 0, longitude: 0 },
    { latitude: 0.299, longitude: -0.299 },
  ])
  expect(derived({ route: encodePolyline(path.slice(0, 2)) }).coords).toHaveLength(2)
  expect(derived({ route: '' }).coords).toEqual([])
})

test('payment packet: a card payment -> its amounts, for the rider and admins only', () => {
  expect(derived(paidByCard).paymentPacket).toMatchObject({
    appcat: 'taxi',
    payment_mode: 'card',
    customer_paid: 900_000,
    discount_amount: 200_000,
    usedWalletMoney: 300_000,
    cardPaymentAmount: 600_000,
    cashPaymentAmount: 0,
  })
  const seen = relations.filter((viewer) => derived(paidByCard, viewer).paymentPacket !== null)
  expect(seen).toEqual(['rider', 'admin'])
})

test('payment packet: cash -> none', () => {
  expect(derived({ ...paidByCard, payment_mode: 'cash' }).paymentPacket).toBeNull()
})

test('fare parts: rider -> no driver share, driver -> the share', () => {
  const parts = (viewer: (typeof relations)[number]) =>
    visibleBooking(booking, viewer, { AllowCriticalEditsAdmin: true }).fare_parts
  expect(parts('rider').driver_share).toBeNull()
  for (const viewer of ['driver', 'requested', 'fleetadmin', 'admin'] as const) {
    expect(parts(viewer)).toEqual({ ...booking.fare_parts, return_leg: 0 })
  }
})
