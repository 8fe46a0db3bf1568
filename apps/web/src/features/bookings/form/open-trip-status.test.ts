import { bookingStatuses } from '@hansom/domain/bookings/status'
import en from '@hansom/domain/languages/packs/en/history.json'
import { expect, it } from 'vitest'
import { openTrips, tripStatusKey } from './booking-dialogs.tsx'

const now = 1_790_000_000_000

it('openTrips -> unfinished trips, next one first', () => {
  const all = bookingStatuses.map((status, index) => ({ status, tripdate: now - index }))
  const shown = openTrips(
    all.filter(({ status }) => ['STARTED', 'PENDING', 'PAID', 'CANCELLED'].includes(status)),
  )
  expect(shown.map(({ status }) => status)).toEqual(['PENDING', 'STARTED'])
  expect(openTrips(all)).toHaveLength(3)
})

it('tripStatusKey: later trip -> its time until drivers are asked, otherwise the status', () => {
  expect(tripStatusKey({ status: 'NEW', drivers_asked_at: now + 1 }, now)).toBe('trip.rider_NEW_later')
  expect(tripStatusKey({ status: 'NEW', drivers_asked_at: now }, now)).toBe('history.status_NEW')
  for (const status of bookingStatuses) {
    expect(en).toHaveProperty([
      tripStatusKey({ status, drivers_asked_at: null }, now).replace('history.', ''),
    ])
  }
})
