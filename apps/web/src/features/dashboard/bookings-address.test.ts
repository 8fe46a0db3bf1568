import { bookingsTableSpec } from '@hansom/contract/bookings-table'
import { tableInput } from '@hansom/contract/tables'
import { expect, it } from 'vitest'
import { earningTrips, monthStart, tripsOf } from './bookings-address.ts'

const asked = tableInput(bookingsTableSpec)

it('asks for what the table of bookings offers', () => {
  const today = '2026-11-21'
  const addresses = [
    earningTrips(),
    earningTrips({ from: today, to: today }),
    earningTrips({ from: monthStart(today), to: today }),
    tripsOf('NEW'),
  ]
  for (const address of addresses) expect(asked.strict().parse(address)).toEqual(address)
  expect(addresses[2]?.tripdate).toBe('2026-11-01..2026-11-21')
})
