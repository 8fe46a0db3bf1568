import type { BookingView } from '@hansom/contract/bookings'
import { expect, it } from 'vitest'
import { reducers } from './live-topics.ts'

const view = (id: string, version: number) => ({ id, version }) as BookingView

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
