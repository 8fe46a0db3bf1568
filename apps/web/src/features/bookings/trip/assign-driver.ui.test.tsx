import type { BookingView } from '@hansom/contract/bookings'
import { withdrawReasons } from '@hansom/domain/cancel-reasons/reasons'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useEffect, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { AssignDriverDialog, WithdrawDriverDialog } from './assign-driver.tsx'

const view = { id: 'b', booking_id: 'K7X2QP', driver: null, carType: 'Economy', version: 3 } as BookingView
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
let bodies: unknown[] = []
let candidates: object[] = []
beforeEach(() => {
  calls = []
  bodies = []
  candidates = [refuser]
  queryClient.clear()
  startEnglish({ 'dispatch.held_by': '{{name}} has this open' })
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1, autoDispatch: false })
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const path = new URL(url, 'http://x').pathname
    calls.push(`${method} ${path.slice('/api/v1/bookings/b/'.length)}`)
    if (path.endsWith('/candidates')) return Response.json(candidates)
    if (method === 'PUT')
      return Response.json({ booking: 'b', user: 'elena', name: 'Elena', until: Date.now() + 30_000 })
    if (method === 'POST') bodies.push(JSON.parse(String(body)))
    return Response.json({ ok: true })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(first: React.ReactNode) {
  let change: (next: React.ReactNode) => void = () => undefined
  const Shown = () => {
    const [shown, setShown] = useState(first)
    useEffect(() => {
      change = setShown
    }, [])
    return shown
  }
  const router = createRouter({
    routeTree: createRootRoute({ component: Shown }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  const { unmount } = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return { unmount, change: (next: React.ReactNode) => act(() => change(next)) }
}

it('another admin has the booking open -> named; the hold is released with the dialog', async () => {
  const { unmount } = show(<AssignDriverDialog view={view} onClose={() => undefined} />)
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

it('driver who is soon free, automatic dispatch -> the request lasts longer, and is named as the next trip', async () => {
  startEnglish({
    'trip.assign_for': 'Lasts {{duration}}.',
    'dispatch.assigned_next': '{{name}} was asked next',
  })
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 2, autoDispatch: true })
  candidates = [{ ...refuser, blocked: null, freeS: 240 }]
  show(<AssignDriverDialog view={view} onClose={() => undefined} />)
  expect(await screen.findByText(/Lasts .*1 min/)).toBeTruthy()
  expect(await screen.findByText(/Lasts .*12 min/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'trip.assign' }))
  expect(await screen.findByText(/Paula.* was asked next/)).toBeTruthy()
  expect(bodies).toEqual([{ driver: 'd', version: 3 }])
})

it('withdraw: a driver accepts while the admin picks a reason -> the version before, which the server refuses', async () => {
  const dialog = (changes: Partial<BookingView>) => (
    <WithdrawDriverDialog view={{ ...view, ...changes }} onClose={() => undefined} />
  )
  const { change } = show(dialog({}))
  const [first] = await screen.findAllByRole('radio')
  fireEvent.click(first as HTMLElement)
  change(dialog({ version: 4 }))
  change(dialog({ version: 5, driver: 'd', driver_name: 'Paula' }))
  fireEvent.click(screen.getByRole('button', { name: 'trip.withdraw_confirm' }))
  await waitFor(() => expect(bodies).toEqual([{ reason: withdrawReasons[0], version: 4 }]))
})
