import type { Booking } from '@hansom/domain/bookings/booking'
import { expect, test } from 'vitest'
import { ActiveTrips } from './active-trips.ts'

const trip = (id: string, version: number, status: Booking['status']) =>
  ({ id, version, status, driver: 'driver', trip_start_time: null }) as Booking

test('trips: an older state of the running trip is noted late -> the newer one stands', () => {
  const trips = new ActiveTrips()
  trips.note(trip('one', 4, 'STARTED'))
  trips.note(trip('one', 3, 'ARRIVED'))
  expect(trips.of('driver')).toMatchObject({ booking: 'one', status: 'STARTED' })
})

test('trips: an older state of the last trip is noted late -> it neither comes back nor takes the place of the next', () => {
  const trips = new ActiveTrips()
  trips.note(trip('one', 5, 'REACHED'))
  trips.note(trip('one', 6, 'PAID'))
  trips.note(trip('one', 5, 'REACHED'))
  expect(trips.of('driver')).toBeNull()
  trips.note(trip('two', 2, 'ACCEPTED'))
  trips.note(trip('one', 5, 'REACHED'))
  expect(trips.of('driver')).toMatchObject({ booking: 'two' })
})

test('trips: a trip that was given back and taken again by its driver -> runs again', () => {
  const trips = new ActiveTrips()
  trips.note(trip('one', 2, 'ACCEPTED'))
  trips.note(trip('one', 3, 'NEW'))
  trips.note(trip('one', 4, 'ACCEPTED'))
  expect(trips.of('driver')).toMatchObject({ booking: 'one', version: 4 })
})
