import type { BookingView } from '@hansom/contract/bookings'
import { beforeEach, expect, it } from 'vitest'
import { orpc } from './api.ts'
import { cacheLive, storeBooking, storeUnread } from './live.ts'
import { queryClient } from './query-client.ts'

const view = (id: string, version: number) => ({ id, version }) as BookingView
const read = (id: string) => queryClient.getQueryData(orpc.bookings.get.queryKey({ input: { id } }))

beforeEach(() => queryClient.clear())

it('storeBooking: view -> updates the booking and every list page, never with an older version', () => {
  const listKey = orpc.bookings.list.key({ type: 'infinite', input: {} })
  queryClient.setQueryData(listKey, {
    pages: [{ items: [view('a', 1)], next: null }],
    pageParams: [undefined],
  })
  storeBooking(view('a', 3))
  storeBooking(view('a', 2))
  expect(read('a')?.version).toBe(3)
  expect(queryClient.getQueryData(listKey)).toMatchObject({ pages: [{ items: [{ id: 'a', version: 3 }] }] })
})

it('storeBooking: delivery in a list -> the row stays without its stops', () => {
  const listKey = orpc.bookings.list.key({ type: 'infinite', input: {} })
  queryClient.setQueryData(listKey, { items: [{ ...view('a', 1), refunded: 5 }], next: null })
  const delivery = { drops: 2, stops: [{ n: 0 }, { n: 1 }, { n: 2 }] }
  storeBooking({ ...view('a', 2), delivery } as unknown as BookingView)
  expect(queryClient.getQueryData(listKey)).toEqual({
    items: [{ id: 'a', version: 2, refunded: 5, delivery: { drops: 2 } }],
    next: null,
  })
})

it('storeUnread: one booking -> only its row changes, and no page where it is not', () => {
  const listKey = orpc.bookings.list.key({ type: 'infinite', input: {} })
  const page = (...ids: string[]) => ({
    items: ids.map((id) => ({ ...view(id, 1), unread_messages: 0 })),
    next: null,
  })
  queryClient.setQueryData(listKey, { pages: [page('a'), page('b', 'c')], pageParams: [undefined, 'x'] })
  const pages = () => queryClient.getQueryData<{ pages: ReturnType<typeof page>[] }>(listKey)?.pages ?? []
  const [first] = pages()
  storeUnread('b', 2)
  storeUnread('unknown', 5)
  expect(pages().map(({ items }) => items.map((row) => row.unread_messages))).toEqual([[0], [2, 0]])
  expect(pages()[0]).toBe(first)
})

it('live list: snapshot and changed items -> update the bookings, never with an older version', () => {
  cacheLive('bookings', [view('a', 2), view('b', 1)])
  cacheLive('bookings', { put: view('a', 1) })
  cacheLive('bookings', { put: view('c', 1) })
  cacheLive('bookings', { remove: 'b' })
  expect(['a', 'b', 'c'].map((id) => read(id)?.version)).toEqual([2, 1, 1])
})
