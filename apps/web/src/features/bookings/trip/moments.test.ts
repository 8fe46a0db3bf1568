import type { BookingView } from '@hansom/contract/bookings'
import { expect, it } from 'vitest'
import { momentsOf } from './timeline.tsx'

const cancelled = {
  status: 'CANCELLED',
  viewer: 'rider',
  bookingDate: 1000,
  accepted_at: 2000,
  driver_arrive_time: null,
  trip_start_time: null,
  trip_end_time: null,
  closed_at: 3000,
  cancelledBy: 'rider',
  reason: 'Changed my mind',
} as BookingView

it('timeline: cancelled by the viewer -> says so, with their reason', () => {
  const last = momentsOf(cancelled).at(-1)
  expect(last).toMatchObject({
    at: 3000,
    key: 'trip.moment_cancelled',
    actor: 'you',
    reason: 'Changed my mind',
  })
})

it('timeline: cancelled by someone else -> says who', () => {
  const last = momentsOf({ ...cancelled, viewer: 'driver' }).at(-1)
  expect(last).toMatchObject({ actor: 'rider', reason: 'Changed my mind' })
})

it('timeline: trip closed -> does not say by whom', () => {
  const last = momentsOf({ ...cancelled, status: 'COMPLETE', cancelledBy: null, reason: null }).at(-1)
  expect(last).toMatchObject({ key: 'trip.moment_closed', actor: null, reason: null })
})
