import type { BookingView } from '@hansom/contract/bookings'
import type { DispatchBooking, DispatchState } from '@hansom/contract/dispatch'
import { expect, it } from 'vitest'
import { newerView, reducers, upsertView } from './live-topics.ts'

const view = (id: string, version: number) => ({ id, version }) as BookingView

it('newer: two versions of one booking -> the higher one', () => {
  expect(newerView(view('a', 3), view('a', 2)).version).toBe(3)
  expect(newerView(view('a', 3), view('a', 4)).version).toBe(4)
  expect(newerView(undefined, view('a', 1)).version).toBe(1)
  expect(newerView(view('a', 3), view('b', 1)).id).toBe('b')
})

it('upsertView: known view -> replaced in place, new view -> added in front', () => {
  const list = [view('a', 1), view('b', 5)]
  expect(upsertView(list, view('b', 6))).toEqual([view('a', 1), view('b', 6)])
  expect(upsertView(list, view('b', 4))).toEqual(list)
  expect(upsertView(list, view('c', 1))[0]).toEqual(view('c', 1))
})

it('list topic: changed, added and removed items -> list follows', () => {
  const { event, snapshot } = reducers.bookings
  let list = snapshot(undefined, [view('a', 2), view('b', 1)]) as BookingView[] | undefined
  list = event(list, { put: view('a', 1) })
  expect(list?.[0]?.version).toBe(2)
  list = event(list, { put: view('c', 1) })
  list = event(list, { remove: 'b' })
  expect(list?.map(({ id }) => id)).toEqual(['c', 'a'])
})

it('tracking: positions out of order -> the latest one', () => {
  const point = (at: number) => ({ id: at, at, lat: 0, lng: 0, status: 'STARTED', arrivalS: null })
  expect(reducers.tracking.event(point(5), point(4))?.at).toBe(5)
  expect(reducers.tracking.event(point(5), point(6))?.at).toBe(6)
})

it('dispatch: older bookings and releases of another admin change nothing', () => {
  const booking = (id: string, version: number) => ({ id, version }) as DispatchBooking
  const hold = { booking: 'a', user: 'ann', name: 'Ann', until: 1 }
  const { event, snapshot } = reducers.dispatch
  const rules = { alarmAfter: 3, leadMinutes: 15 }
  const start = snapshot(undefined, { rules, bookings: [booking('a', 2)], holds: [hold] })
  const changes = [
    { put: booking('a', 1) },
    { put: booking('b', 1) },
    { released: { booking: 'a', user: 'bob' } },
    { hold: { ...hold, until: 2 } },
  ]
  const now = changes.reduce<DispatchState | undefined>((state, change) => event(state, change), start)
  expect(now?.bookings.map(({ id, version }) => `${id}${version}`)).toEqual(['a2', 'b1'])
  expect(now?.holds).toEqual([{ ...hold, until: 2 }])
  expect(event(now, { released: { booking: 'a', user: 'ann' } })?.holds).toEqual([])
  expect(event(now, { remove: 'a' })?.bookings).toEqual([booking('b', 1)])
  expect(event(now, { rules: { ...rules, alarmAfter: 0 } })?.rules.alarmAfter).toBe(0)
})
