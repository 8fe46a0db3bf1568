import type { BookingView } from '@hansom/contract/bookings'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { AssignDriverDialog } from './assign-driver.tsx'

const view = { id: 'b', booking_id: 'K7X2QP', driver: null, carType: 'Economy' } as BookingView
const refuser = {
  id: 'd',
  name: 'Paula',
  vehicle_number: 'SBT 1',
  rating: null,
  lat: 1,
  lng: 2,
  freeS: 0,
  arrivalS: 120,
  km: 1,
  asked: null,
  blocked: 'declined',
}

let calls: string[] = []
beforeEach(() => {
  calls = []
  queryClient.clear()
  startEnglish({ 'dispatch.held_by': '{{name}} has this open' })
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1, autoDispatch: false })
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    const path = new URL(url, 'http://x').pathname
    calls.push(`${method} ${path.slice('/api/v1/bookings/b/'.length)}`)
    if (path.endsWith('/candidates')) return Response.json([refuser])
    if (method === 'PUT')
      return Response.json({ booking: 'b', user: 'elena', name: 'Elena', until: Date.now() + 30_000 })
    return Response.json({ ok: true })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('another admin has the booking open -> named; the hold is released with the dialog', async () => {
  const dialog = () => <AssignDriverDialog view={view} onClose={() => undefined} />
  const router = createRouter({
    routeTree: createRootRoute({ component: dialog }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  const { unmount } = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  expect(await screen.findByText(/Elena.* has this open/)).toBeTruthy()
  // A driver who declined is not chosen at first, but can be.
  const assign = screen.getByRole<HTMLButtonElement>('button', { name: 'trip.assign' })
  expect(assign.disabled).toBe(true)
  fireEvent.click(await screen.findByRole('radio', { name: /Paula/ }))
  expect(screen.getByText('dispatch.declined_text')).toBeTruthy()
  expect(assign.disabled).toBe(false)
  unmount()
  await waitFor(() => expect(calls.at(-1)).toBe('DELETE hold'))
})
