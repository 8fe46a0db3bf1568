import { expect, test } from 'vitest'
import { booking } from '../bookings/booking.fixture.ts'
import { bookingStatuses } from '../bookings/status.ts'
import { sharedFields, sharedTrip } from './shared-trip.ts'

const named = {
  ...booking,
  customer_name: 'Rita Rider',
  customer_contact: '+59890000001',
  driver_name: 'Dora Driver',
  driver_contact: '+59890000002',
  otp: '12345',
  vehicle_number: 'SDX 4021',
}

test('trip link: before and during the trip -> the trip, otherwise nothing', () => {
  const shown = bookingStatuses.filter((status) => sharedTrip({ ...named, status }) !== null)
  expect(shown).toEqual(['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'])
})

test('trip link: any status -> the car, but no person, contact, code or money', () => {
  const trip = sharedTrip({ ...named, status: 'ACCEPTED' })
  expect(Object.keys(trip ?? {})).toEqual([...sharedFields])
  expect(trip?.vehicle_number).toBe('SDX 4021')
  expect(JSON.stringify(trip)).not.toMatch(/Rita|Dora|\+598|12345|trip_cost|otp/)
})
