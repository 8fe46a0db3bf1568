import type { BookingView } from '@hansom/contract/bookings'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, renderHook, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { keptTrip } from '../../lib/stored-keys.ts'
import { Announcer } from '../../ui/announcer.tsx'
import { startConsole } from './driver.fixture.ts'
import { tripOf } from './trip.fixture.ts'
import { useCancelledTrip } from './use-cancelled-trip.tsx'

beforeEach(() => {
  startConsole()
  localStorage.clear()
  queryClient.clear()
  startConsole()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** A console with `open` bookings; undefined while disconnected. `ended`: the trip on the server. */
function follow(open: BookingView[] | undefined, ended: BookingView) {
  vi.stubGlobal('fetch', async () => Response.json(ended))
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>
      <Announcer />
      {children}
    </QueryClientProvider>
  )
  return renderHook(({ known }) => useCancelledTrip('d', known, known?.[0] ?? null), {
    initialProps: { known: open },
    wrapper,
  })
}
const trip = tripOf()
const cancelled = tripOf({ status: 'CANCELLED', version: 2, cancelledBy: 'rider', reason: 'Changed my mind' })

it('trip leaves the list: cancelled by the rider -> shown and announced until dismissed', async () => {
  const hook = follow([trip], cancelled)
  expect(hook.result.current.cancelled).toBeNull()
  hook.rerender({ known: [] })
  await waitFor(() => expect(hook.result.current.cancelled?.reason).toBe('Changed my mind'))
  expect(screen.getByText('The rider cancelled this trip')).toBeTruthy()
  act(() => hook.result.current.read())
  expect(hook.result.current.cancelled).toBeNull()
  expect(localStorage.getItem(keptTrip)).toBeNull()
})

it('trip leaves the list: given to another driver -> shown with the notification’s reason until dismissed', async () => {
  const notice = {
    id: 'n',
    at: 1,
    title: 'notify.trip_withdrawn.title',
    msg: 'notify.trip_withdrawn.msg',
    params: { booking_id: 'ABC234', reason: 'driver_late' },
    booking: 'b',
  }
  const hook = follow([trip], cancelled)
  vi.stubGlobal('fetch', async (asked: string) =>
    asked.includes('notifications')
      ? Response.json({ items: [notice], next: null })
      : Response.json({ error: 'not_found' }, { status: 404 }),
  )
  hook.rerender({ known: [] })
  await waitFor(() => expect(hook.result.current.withdrawn?.id).toBe('n'))
  expect(screen.getByText('This trip was given to another driver')).toBeTruthy()
  act(() => hook.result.current.read())
  expect([hook.result.current.withdrawn, localStorage.getItem(keptTrip)]).toEqual([null, null])
})

it('cancelled while offline -> shown once connected', async () => {
  const hook = follow([trip], cancelled)
  hook.rerender({ known: undefined })
  expect(hook.result.current.cancelled).toBeNull()
  hook.rerender({ known: [] })
  await waitFor(() => expect(hook.result.current.cancelled?.id).toBe('b'))
})

it('cancelled while the page was closed -> shown on reopening', async () => {
  localStorage.setItem(keptTrip, JSON.stringify({ uid: 'd', items: ['b'] }))
  const hook = follow([], cancelled)
  await waitFor(() => expect(hook.result.current.cancelled?.id).toBe('b'))
})

it.each([
  ['cancelled by the driver', tripOf({ status: 'CANCELLED', cancelledBy: 'driver' })],
  ['complete', tripOf({ status: 'COMPLETE' })],
])('trip leaves the list: %s -> nothing shown, forgotten', async (_case, ended) => {
  const hook = follow([trip], ended)
  hook.rerender({ known: [] })
  await waitFor(() => expect(localStorage.getItem(keptTrip)).toBeNull())
  expect(hook.result.current.cancelled).toBeNull()
})
