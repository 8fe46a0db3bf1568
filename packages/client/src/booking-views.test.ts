import type { BookingView } from '@hansom/contract/bookings'
import { expect, it } from 'vitest'
import { newerView, upsertView } from './booking-views.ts'

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
