import type { TopicListener } from '@hansom/client/live-client'
import type { SafetyAlarm } from '@hansom/contract/safety'
import alarms from '@hansom/domain/languages/packs/en/alarms.json'
import chatButton from '@hansom/domain/languages/packs/en/chatButton.json'
import safety from '@hansom/domain/languages/packs/en/safety.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { orpc } from '../../lib/api.ts'
import { live } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { AlarmCard } from './alarm-card.tsx'

const id = '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f'
const topics = new Map<string, Required<TopicListener<'booking' | 'tracking'>>>()
const alarm: SafetyAlarm = {
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
  rider: { id: 'rita', name: 'Rita Paz', phone: null, contacts: [] },
  driver: { id: 'dan', name: 'Dan Sosa', phone: null, plate: 'SBA 1', contacts: [] },
  raised_by: 'rider',
  point: { lat: 1, lng: 2, at: 1 },
  acknowledged: null,
  timeline: [],
}

beforeEach(() => {
  topics.clear()
  startEnglish(
    Object.fromEntries(
      Object.entries({ alarms, chatButton, safety }).flatMap(([group, texts]) =>
        Object.entries(texts).map(([name, text]) => [`${group}.${name}`, text]),
      ),
    ),
  )
  storeTestSettings({ country: 'UY' })
  vi.spyOn(live, 'subscribe').mockImplementation((topic, listener) => {
    topics.set(topic, listener as never)
    return () => topics.delete(topic)
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
})

async function show(shown: SafetyAlarm, usertype: 'admin' | 'fleetadmin' = 'admin') {
  queryClient.setQueryData(orpc.users.me.queryKey(), { uid: 'a', usertype } as never)
  const router = createRouter({
    routeTree: createRootRoute({ component: () => <AlarmCard alarm={shown} heading="h2" /> }),
    history: createMemoryHistory(),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
  return within(await screen.findByRole('article'))
}
const moveTo = (lat: number) =>
  act(() => topics.get(`tracking:${id}`)?.snapshot({ id: 1, lat, lng: 2, at: Date.now() } as never))
const bookingIs = (tracked: boolean) =>
  act(() => topics.get(`booking:${id}`)?.snapshot({ id, version: 1, tracked } as never))

it('open alarm of a trip under way -> the car where it is now, beside the place of the alarm', async () => {
  const card = await show(alarm)
  card.getByText('1.00000, 2.00000')
  bookingIs(true)
  moveTo(3)
  card.getByText('3.00000, 2.00000')
  moveTo(4)
  expect(card.getByText('4.00000, 2.00000').closest('li')?.textContent).toContain(alarms.position_now)
  expect(card.queryByText('3.00000, 2.00000')).toBeNull()
  card.getByText('1.00000, 2.00000')
})

it('trip that is not tracked any more -> the place of the alarm alone', async () => {
  const card = await show(alarm)
  bookingIs(false)
  expect(topics.has(`tracking:${id}`)).toBe(false)
  card.getByText('1.00000, 2.00000')
  expect(card.queryByText(alarms.position_now)).toBeNull()
})

it('closed alarm -> says who closed it, not who is on it', async () => {
  const taken = { at: 2, name: 'Ada Admin' }
  const moment = { at: 3, what: 'closed', name: 'Abe Admin', note: 'Fine', point: null } as const
  const card = await show({
    ...alarm,
    state: 'closed',
    closing: 'admin',
    acknowledged: taken,
    timeline: [moment],
  })
  expect(card.getByText(/^Closed by/).textContent).toContain('Abe Admin')
  expect(card.queryByText(/is on it/)).toBeNull()
})

it('links of an open alarm -> records, chat and emergency number; of a fleet admin, only what they may open', async () => {
  const links = async (usertype: 'admin' | 'fleetadmin', shown = alarm) => {
    const hrefs = (await show(shown, usertype)).getAllByRole('link').map((link) => link.getAttribute('href'))
    cleanup()
    return hrefs
  }
  const trip = `/trip/${id}`
  expect(await links('admin')).toEqual([
    'tel:911',
    `${trip}?chat=open`,
    trip,
    '/riders?open=rita',
    '/drivers?open=dan',
  ])
  expect(await links('fleetadmin')).toEqual(['tel:911', trip, '/drivers?open=dan'])
  expect(await links('fleetadmin', { ...alarm, driver: { ...alarm.driver, id: null } })).toEqual([
    'tel:911',
    trip,
  ])
  expect(await links('admin', { ...alarm, state: 'closed', closing: 'admin' })).toEqual([
    trip,
    '/riders?open=rita',
    '/drivers?open=dan',
  ])
  storeTestSettings({ AllowCriticalEditsAdmin: false })
  expect(await links('admin')).not.toContain(`${trip}?chat=open`)
})

it('fleet admin of a driver who was taken off -> no trip, addresses or rider, but why', async () => {
  const rider = { ...alarm.rider, id: null, name: '' }
  const left = { ...alarm, booking_seen: false, status: null, pickup: null, drop: null, rider }
  const card = await show(left, 'fleetadmin')
  card.getByText(alarms.driver_left)
  expect(card.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    'tel:911',
    '/drivers?open=dan',
  ])
  expect(card.getAllByRole('term').map((term) => term.textContent)).toEqual([
    'Trip \u2068ABC123\u2069',
    'Driver',
  ])
  cleanup()
  const seen = await show(alarm, 'fleetadmin')
  seen.getByText('Rita Paz')
  seen.getByText('A')
  expect(seen.queryByText(alarms.driver_left)).toBeNull()
})

it('heading -> who pressed the panic button; of another kind, the kind alone', async () => {
  const heading = async (shown: SafetyAlarm) =>
    (await show(shown)).getByRole('heading', { level: 2 }).textContent
  expect(await heading(alarm)).toBe('Panic button (Rider)')
  cleanup()
  expect(await heading({ ...alarm, kind: 'stop', raised_by: null })).toBe('Unusual stop')
})
