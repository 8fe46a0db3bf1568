import type { Me } from '@hansom/contract/users'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { storeMe } from '../../../lib/session.ts'
import { storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { rememberPayment } from './last-payment.ts'
import { type BookingFor, useBooking } from './use-booking.ts'

vi.mock('@tanstack/react-router', () => ({ useNavigate: () => () => {}, useSearch: () => ({}) }))

let answer: () => Response
let asked: { payment_mode?: string }[]

beforeEach(() => {
  asked = []
  queryClient.clear()
  sessionStorage.clear()
  localStorage.clear()
  storeMe({ uid: 'r', usertype: 'rider', version: 1, walletBalance: 50 } as Me)
  storeTestSettings({ timezone: 'UTC', cardAvailable: true })
  vi.stubGlobal('fetch', (_: string, { body }: RequestInit) => {
    asked.push(JSON.parse(String(body)))
    return Promise.resolve(answer())
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function booking(bookingFor?: BookingFor) {
  const { result } = renderHook(() => useBooking(bookingFor), {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
  const choose = (which: 'pickup' | 'drop', lat: number) =>
    act(() => result.current.change({ type: 'place', which, point: { lat, lng: 0, add: which } }))
  return { result, choose }
}

it.each(['No Route Found', 'outside_region'])(
  'two places without a route (%s) -> alert place_to_coords_error, once per pair of places',
  async (error) => {
    answer = () => new Response(JSON.stringify({ error }), { status: 422 })
    const { result, choose } = booking()
    choose('pickup', 1)
    choose('drop', 2)
    await waitFor(() => expect(result.current.error).toMatchObject({ key: 'place_to_coords_error' }))
    act(() => result.current.setError(null))
    await act(() => result.current.offers.refetch())
    expect(result.current.error).toBeNull()
    choose('drop', 3)
    await waitFor(() => expect(result.current.error).not.toBeNull())
  },
)

it('delivery with an unreachable stop -> alert with its number, once', async () => {
  answer = () =>
    new Response(JSON.stringify({ error: 'stop_unreachable', data: { stop: 2 } }), { status: 422 })
  const { result, choose } = booking()
  choose('pickup', 1)
  choose('drop', 2)
  await waitFor(() =>
    expect(result.current.error).toMatchObject({ key: 'stop_unreachable', data: { stop: 2 } }),
  )
  act(() => result.current.setError(null))
  await act(() => result.current.offers.refetch())
  expect(result.current.error).toBeNull()
})

it('offers -> queried with the last payment method, with cash if the wallet does not suffice', async () => {
  const offers = (trip_cost: number) => [
    { carType: { id: 'c' }, fare: { trip_cost }, pickupS: 60, nearby: 1 },
  ]
  answer = () => new Response(JSON.stringify({ route: {}, offers: offers(asked.length === 1 ? 40 : 60) }))
  rememberPayment({ mode: 'wallet', inAdvance: false })
  const { result, choose } = booking()
  choose('pickup', 1)
  choose('drop', 2)
  await waitFor(() => expect(result.current.offer?.fare.trip_cost).toBe(40))
  choose('drop', 3)
  await waitFor(() => expect(result.current.offer?.fare.trip_cost).toBe(60))
  await waitFor(() => expect(asked.map((body) => body.payment_mode)).toEqual(['wallet', 'wallet', 'cash']))
})

it.each([
  [null, 'economy'],
  ['moto', 'moto'],
  ['removed', 'economy'],
])('office: last car type %s -> %s preselected, never the cheapest', async (lastCar, expected) => {
  const offer = (id: string, trip_cost: number, pickupS: number | null) => ({
    carType: { id },
    fare: { trip_cost },
    pickupS,
  })
  const offers = [offer('van', 90, null), offer('economy', 60, 60), offer('moto', 40, 60)]
  answer = () => new Response(JSON.stringify({ route: {}, offers }))
  const { result, choose } = booking({ office: null, payment_mode: 'cash', lastCar })
  choose('pickup', 1)
  choose('drop', 2)
  await waitFor(() => expect(result.current.draft.carTypeId).toBe(expected))
})
