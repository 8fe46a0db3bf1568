import type { BookingView } from '@hansom/contract/bookings'
import { expect, it } from 'vitest'
import { momentsOf, withRefunds } from './timeline.tsx'

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

it('timeline: refunds -> when asked and by whom, and how they ended, in order', () => {
  const refund = { at: 5, ended_at: 9, state: 'confirmed', amount: 40, reason: 'Long route', by_name: 'Ada' }
  const reported = { at: 3, ended_at: null, state: 'pending', amount: 7, reason: '', by_name: null }
  const closed = {
    at: 4,
    key: 'trip.event_close',
    actor: null,
    name: null,
    reason: null,
    step: null,
    sent: [],
  }
  const moments = withRefunds([closed], [refund, reported] as Parameters<typeof withRefunds>[1])
  expect(moments.map(({ at, key, actor, name }) => [at, key, actor, name])).toEqual([
    [3, 'trip.event_refund', 'system', null],
    [4, 'trip.event_close', null, null],
    [5, 'trip.event_refund', 'admin', 'Ada'],
    [9, 'trip.event_refund_confirmed', null, null],
  ])
})
