import type { BookingView } from '@hansom/contract/bookings'
import { noDriverFound } from '@hansom/domain/bookings/status'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { orpc } from '../../../lib/api.ts'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish } from '../../../lib/test-data.fixture.ts'
import { loadModal } from '../../../ui/modal.tsx'
import { Replaced, SearchAgain } from './search-again.tsx'

let bookings: { status: string; bookLater: boolean }[] | undefined
vi.mock('../../../lib/live.ts', () => ({
  useLive: () => ({ data: bookings, error: null }),
  useConnection: () => 'good',
}))
vi.mock('@tanstack/react-router', () => ({
  useNavigate: () => () => {},
  Link: ({ params, children }: { params: { id: string }; children: ReactNode }) => (
    <a href={`/trip/${params.id}`}>{children}</a>
  ),
}))
beforeAll(loadModal)
// A closed dialog leaves its history entry within 0.3 s, for which the window must still exist.
afterAll(() => new Promise((resolve) => setTimeout(resolve, 400)))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function search() {
  const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(new Response('{}', { status: 500 })))
  vi.stubGlobal('fetch', fetch)
  startEnglish()
  const view = { viewer: 'rider', status: 'CANCELLED', reason: noDriverFound, pickup: {}, drop: {} }
  render(
    <QueryClientProvider client={queryClient}>
      <SearchAgain view={view as BookingView} />
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByText('trip.search_again'))
  return fetch
}

it('search again: another trip under way -> asks first', async () => {
  bookings = [{ status: 'ACCEPTED', bookLater: false }]
  const fetch = search()
  expect(fetch).not.toHaveBeenCalled()
  fireEvent.click(await screen.findByText('trip.second_go_on'))
  await waitFor(() => expect(fetch).toHaveBeenCalledOnce())
})

it('search again: other trips still loading -> books nothing yet', () => {
  bookings = undefined
  const fetch = search()
  expect(fetch).not.toHaveBeenCalled()
  expect(screen.getByText('trip.search_again').closest('button')?.getAttribute('aria-busy')).toBe('true')
})

it('search again: no other trip -> books', async () => {
  bookings = [{ status: 'CANCELLED', bookLater: false }]
  const fetch = search()
  await waitFor(() => expect(fetch).toHaveBeenCalledOnce())
})

it.each([
  ['rider', 'x', '/trip/x'],
  ['rider', null, undefined],
  ['driver', 'x', undefined],
] as const)('replaced: shown to a %s, earlier booking %s -> link %s', (viewer, id, href) => {
  const key = orpc.bookings.get.queryKey({ input: { id: 'x' } })
  queryClient.setQueryData(key, { booking_id: '9SSKEP' } as BookingView)
  startEnglish()
  render(
    <QueryClientProvider client={queryClient}>
      <Replaced view={{ viewer, rebooked_from: id } as BookingView} className={undefined} />
    </QueryClientProvider>,
  )
  expect(screen.queryByRole('link')?.getAttribute('href')).toBe(href)
})
