import type { Booking } from '@hansom/domain/bookings/booking'
import { expect, test } from 'vitest'
import { ActiveTrips, type TripNote } from './active-trips.ts'

const trip = (booking: string, version: number, status: Booking['status']) =>
  ({ booking, version, status, driver: 'driver', started: null }) as TripNote

test('active trips: older state of the current trip arrives late -> ignored', () => {
  const trips = new ActiveTrips()
  trips.note(trip('one', 4, 'STARTED'))
  trips.note(trip('one', 3, 'ARRIVED'))
  expect(trips.of('driver')).toMatchObject({ booking: 'one', status: 'STARTED' })
})

test('active trips: older state of the last trip arrives late -> neither restored nor replaces the next trip', () => {
  const trips = new ActiveTrips()
  trips.note(trip('one', 5, 'REACHED'))
  trips.note(trip('one', 6, 'PAID'))
  trips.note(trip('one', 5, 'REACHED'))
  expect(trips.of('driver')).toBeNull()
  trips.note(trip('two', 2, 'ACCEPTED'))
  trips.note(trip('one', 5, 'REACHED'))
  expect(trips.of('driver')).toMatchObject({ booking: 'two' })
})

test('active trips: driver returns a trip and accepts it again -> active again', () => {
  const trips = new ActiveTrips()
  trips.note(trip('one', 2, 'ACCEPTED'))
  trips.note(trip('one', 3, 'NEW'))
  trips.note(trip('one', 4, 'ACCEPTED'))
  expect(trips.of('driver')).toMatchObject({ booking: 'one', version: 4 })
})

test('active trips: given to another driver, the state in between unseen -> the first driver has none', () => {
  const trips = new ActiveTrips()
  const ended: string[] = []
  trips.whenEnded((driver) => ended.push(driver))
  trips.note(trip('one', 2, 'ACCEPTED'))
  trips.note({ ...trip('one', 4, 'ACCEPTED'), driver: 'other' })
  expect([trips.of('driver'), trips.of('other')?.booking, ended]).toEqual([null, 'one', ['driver']])
})
