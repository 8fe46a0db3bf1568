import type { BookingEvent, BookingView } from '@hansom/contract/bookings'
import { expect, it } from 'vitest'
import { momentsFrom, momentsOf, withRefunds } from './timeline.tsx'

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

it('timeline: delivery -> its stops in order of time between pickup and end, a failure with its reason', () => {
  const stops = [
    { n: 0, kind: 'pickup', outcome: 'collected', done_at: 2500, failure: null },
    { n: 1, kind: 'drop', outcome: 'delivered', done_at: 2800, failure: null },
    { n: 2, kind: 'drop', outcome: 'failed', done_at: 2700, failure: 'refused' },
    { n: 3, kind: 'drop', outcome: 'not_done', done_at: 2900, failure: null },
    { n: 4, kind: 'return', outcome: 'returned', done_at: 2850, failure: null },
  ]
  const delivery = { drops: 3, stops } as BookingView['delivery']
  const ended = { ...cancelled, status: 'COMPLETE', trip_start_time: 2500, trip_end_time: 2950, delivery }
  const moments = momentsOf(ended as BookingView).slice(2)
  expect(moments.map(({ at, key, stop, reason }) => [at, key, stop, reason])).toEqual([
    [2500, 'trip.moment_started', undefined, null],
    [2700, 'trip.event_fail_drop', 2, 'refused'],
    [2800, 'trip.event_deliver', 1, null],
    [2850, 'delivery.event_return', undefined, null],
    [2950, 'trip.moment_reached', undefined, null],
    [3000, 'trip.moment_closed', undefined, null],
  ])
})

it('timeline of admins: steps of a courier -> at which stop, the return as such, wrong codes of a stop together', () => {
  const step = (at: number, field: string, to: number) =>
    ({
      at,
      command: field === 'failed' ? 'fail_drop' : 'deliver',
      name: 'Dora',
      from: 'STARTED',
      to: 'STARTED',
      changes: [{ field, from: null, to }],
      sent: [],
    }) as unknown as BookingEvent
  const events = [
    step(1, 'wrong_code', 1),
    step(2, 'wrong_code', 1),
    step(3, 'delivered', 1),
    step(4, 'wrong_code', 2),
    step(5, 'failed', 2),
    step(6, 'returned', 3),
    { ...step(7, 'photo', 3), command: 'add_proof' },
  ]
  expect(momentsFrom(events).map(({ key, stop, count }) => [key, stop, count])).toEqual([
    ['delivery.event_wrong_code', 1, 2],
    ['trip.event_deliver', 1, undefined],
    ['delivery.event_wrong_code', 2, 1],
    ['trip.event_fail_drop', 2, undefined],
    ['delivery.event_return', undefined, undefined],
    ['trip.event_add_proof', undefined, undefined],
  ])
  expect(momentsFrom(events).flatMap(({ changes }) => changes ?? [])).toEqual([
    { field: 'photo', from: null, to: 3 },
  ])
})
