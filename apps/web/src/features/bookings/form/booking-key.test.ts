import { beforeEach, expect, it } from 'vitest'
import { type BookingRequest, bookingKey, forgetBookingKey } from './booking-key.ts'

const request: BookingRequest = {
  pickup: { lat: -34.9, lng: -56.2, add: 'A' },
  drop: { lat: -34.91, lng: -56.16, add: 'B' },
  car_type_id: 'c',
  bookLater: false,
  estimate: 2_600_000,
  payment_mode: 'cash',
}

beforeEach(() => sessionStorage.clear())

it('same request -> same key', () => {
  const key = bookingKey(request)
  expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(bookingKey({ ...request })).toBe(key)
})

it('another request, or the same one after it was booked -> new key', () => {
  const key = bookingKey(request)
  expect(bookingKey({ ...request, estimate: 2_700_000 })).not.toBe(key)
  const again = bookingKey(request)
  forgetBookingKey()
  expect(bookingKey(request)).not.toBe(again)
})
