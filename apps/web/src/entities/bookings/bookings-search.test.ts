import { bookingsTableSpec } from '@hansom/contract/bookings-table'
import { tableInput } from '@hansom/contract/tables'
import { expect, test } from 'vitest'
import { countedTrips, countedTripsOf, tripsWith } from './bookings-search.ts'

const days = { from: '2026-11-01', to: '2026-11-21' }

test.each([
  countedTrips(),
  countedTrips(days),
  countedTripsOf({ year: null, month: null }),
  tripsWith('NEW'),
])('links to bookings: %j -> accepted by the table of bookings', (search) => {
  expect(tableInput(bookingsTableSpec).strict().parse(search)).toEqual(search)
})

test.each([
  [{ year: 2026, month: 2 }, '2026-02-01..2026-02-28'],
  [{ year: 2028, month: 2 }, '2028-02-01..2028-02-29'],
  [{ year: 2026, month: null }, '2026-01-01..2026-12-31'],
  [{ year: null, month: null }, undefined],
])('counted trips: row of a report %j -> days %s', (row, tripdate) => {
  expect(countedTripsOf(row).tripdate).toBe(tripdate)
})

test('counted trips: driver and days -> both in the search', () => {
  expect(countedTrips(days, 'ana')).toEqual({
    status: 'PAID,COMPLETE',
    tripdate: '2026-11-01..2026-11-21',
    driver: 'ana',
  })
})
