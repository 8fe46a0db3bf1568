import type { SafetyAlarm } from '@hansom/contract/safety'
import alarms from '@hansom/domain/languages/packs/en/alarms.json'
import alert from '@hansom/domain/languages/packs/en/alert.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { orpc } from '../../lib/api.ts'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { AlarmBanner } from './alarm-banner.tsx'

const vibrate = vi.fn()
let alarm: SafetyAlarm
let calls: string[]
let isTaken: boolean

beforeEach(() => {
  calls = []
  isTaken = false
  vibrate.mockReset()
  const id = '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f'
  alarm = {
    id,
    kind: 'panic',
    state: 'alarm',
    closing: null,
    at: 1,
    booking: id,
    booking_id: 'ABC123',
    booking_seen: true,
    status: 'STARTED',
    pickup: 'A',
    drop: 'B',
    rider: { id, name: 'Rita Paz', phone: '+59899111222', contacts: [] },
    driver: { id, name: 'Dan Sosa', phone: '+59899333444', plate: 'SBA 1', contacts: [] },
    raised_by: 'driver',
    point: null,
    acknowledged: null,
    timeline: [],
  }
  Object.defineProperty(navigator, 'vibrate', { value: vibrate, configurable: true })
  startEnglish({
    ...Object.fromEntries(Object.entries(alarms).map(([name, text]) => [`alarms.${name}`, text])),
    'alert.safety.title': alert['safety.title'],
  })
  storeTestSettings({})
  vi.stubGlobal('fetch', async (url: string | Request, { method = 'GET' }: RequestInit = {}) => {
    const path = new URL(url instanceof Request ? url.url : url, 'http://x.test').pathname
    if (method === 'GET' && !(url instanceof Request && url.method !== 'GET'))
      return Response.json({ alarms: [alarm] })
    calls.push(path.split('/').at(-1) ?? '')
    if (path.endsWith('/acknowledge')) {
      alarm = { ...alarm, acknowledged: { at: 2, name: isTaken ? 'Abe Admin' : 'Ada Admin' } }
      if (isTaken) return Response.json({ error: 'conflict' }, { status: 409 })
    }
    return Response.json(alarm)
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'vibrate')
})

function Page({ title }: { title: string }) {
  usePageTitle(title)
  return <AlarmBanner />
}

async function show(usertype: 'admin' | 'fleetadmin' = 'admin') {
  queryClient.setQueryData(orpc.users.me.queryKey(), { uid: 'a', usertype } as never)
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <Page title="Dashboard" /> }),
    history: createMemoryHistory(),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  await screen.findByRole('alert')
}

it('open alarm -> announced with its people and phone numbers, sounds, and is noted as seen once', async () => {
  await show()
  expect(screen.getByRole('alert').textContent).toContain('Panic button (Driver), ')
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toContain('tel:+59899111222')
  await waitFor(() => expect(calls).toEqual(['seen']))
  expect(vibrate).toHaveBeenCalled()
})

it('taken over -> quiet, with the name', async () => {
  await show()
  fireEvent.click(screen.getByRole('button', { name: alarms.acknowledge }))
  await screen.findByText(/Ada Admin/)
  expect(screen.queryByRole('button', { name: alarms.acknowledge })).toBeNull()
})

it('window title -> counts the alarms that no one has taken over; then the page’s again', async () => {
  await show()
  expect(document.title).toBe('(1) Safety alarm · Hansom')
  fireEvent.click(screen.getByRole('button', { name: alarms.acknowledge }))
  await waitFor(() => expect(document.title).toBe('Dashboard · Hansom'))
})

it('another admin was faster -> their name', async () => {
  isTaken = true
  await show()
  fireEvent.click(screen.getByRole('button', { name: alarms.acknowledge }))
  await screen.findByText(/Abe Admin/)
})

it('fleet admin -> sees it, without sound and without the button', async () => {
  await show('fleetadmin')
  expect(vibrate).not.toHaveBeenCalled()
  expect(screen.queryByRole('button')).toBeNull()
  expect(document.title).toBe('Dashboard · Hansom')
})

it('the window was not touched yet -> says that its sound is off; touched -> no more', async () => {
  const activation = { hasBeenActive: false }
  Object.defineProperty(navigator, 'userActivation', { value: activation, configurable: true })
  await show('admin')
  await screen.findByText(alarms.sound_blocked)
  activation.hasBeenActive = true
  fireEvent.click(document.body)
  await waitFor(() => expect(screen.queryByText(alarms.sound_blocked)).toBeNull())
  Reflect.deleteProperty(navigator, 'userActivation')
})
