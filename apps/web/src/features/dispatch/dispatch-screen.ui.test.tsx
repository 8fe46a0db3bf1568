import type { TopicListener } from '@hansom/client/live-client'
import type { Candidate, DispatchBooking, DispatchChange, DispatchState } from '@hansom/contract/dispatch'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { live } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish } from '../../lib/test-data.fixture.ts'
import { DispatchScreen } from './dispatch-screen.tsx'

type Listener = TopicListener<'dispatch'>
const topics = new Map<string, Listener>()
const calls: { method: string; path: string; body: unknown }[] = []

const booking = (id: string, changes: Partial<DispatchBooking> = {}): DispatchBooking => ({
  id,
  version: 4,
  booking_id: id.toUpperCase(),
  status: 'NEW',
  bookLater: false,
  bookingDate: Date.now() - 60_000,
  tripdate: Date.now(),
  car_type_id: 'economy',
  carType: 'Economy',
  customer_name: `Rider ${id}`,
  pickup: { lat: -34.9, lng: -56.17, add: `Pickup ${id}` },
  drop: { lat: -34.88, lng: -56.12, add: `Drop ${id}` },
  drops: null,
  payment_mode: 'cash',
  note: null,
  driver: null,
  driver_name: null,
  vehicle_number: null,
  promised_arrival: null,
  driver_arrive_time: null,
  asked: [],
  ...changes,
})
const driver = (id: string, changes: Partial<Candidate> = {}): Candidate => ({
  id,
  name: `Driver ${id}`,
  vehicle_number: `SBA ${id}`,
  rating: 4.5,
  lat: -34.9,
  lng: -56.17,
  freeS: 0,
  arrivalS: 120,
  km: 1,
  asked: null,
  blocked: null,
  ...changes,
})
/** The answer to commands, and the booking with its contacts. */
const reply = { ok: true, id: 'b1', version: 5, customer_contact: '+59899700001', driver_contact: null }
const candidates = [driver('soon', { freeS: 60 }), driver('near'), driver('far', { arrivalS: 600 })]
let answer: Candidate[] = candidates

beforeEach(() => {
  answer = candidates
  startEnglish({
    'delivery.drops_one': '{{count}} stop',
    'delivery.drops_other': '{{count}} stops',
    'dispatch.waiting': 'Waiting {{duration}}',
    'dispatch.waiting_new': 'Just booked',
    'dispatch.arrives': 'By {{time}}',
    'dispatch.arrived': 'There since {{time}}',
    'dispatch.late': 'Late, due {{time}}',
    'dispatch.assign_by': 'Assign by {{time}}',
    'dispatch.assign': 'Assign {{name}}',
    'dispatch.assign_next': 'Next trip for {{name}}',
    'dispatch.assigned_next': '{{name}} was asked next',
    'dispatch.soon_text': 'Asked now, free in {{duration}}',
    'dispatch.assign_anyway': 'Assign {{name}} anyway',
    'dispatch.held_by': '{{name}} has this open',
    'dispatch.alarm': 'Waiting too long',
    'dispatch.title': 'Dispatch',
    'dispatch.part_searching': 'Searching',
    'dispatch.assigned': '{{name}} was asked',
    'dispatch.new_rows_other': '{{count}} new',
    'dispatch.gone': 'Gone',
  })
  vi.spyOn(live, 'subscribe').mockImplementation((name, listener) => {
    topics.set(name, listener as Listener)
    return () => topics.delete(name)
  })
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    const path = new URL(url, 'http://x').pathname
    calls.push({ method: method ?? 'GET', path, body: typeof body === 'string' ? JSON.parse(body) : null })
    return Response.json(path.endsWith('/candidates') ? answer : reply)
  })
})
afterEach(async () => {
  cleanup()
  // An open booking is released.
  await new Promise((resolve) => setTimeout(resolve))
  queryClient.clear()
  topics.clear()
  calls.length = 0
  vi.restoreAllMocks()
})

async function show(state: Partial<DispatchState> = {}): Promise<void> {
  const routeTree = createRootRoute({ component: DispatchScreen })
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/dispatch'] }) })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await waitFor(() => expect(topics.has('dispatch')).toBe(true))
  act(() =>
    topics.get('dispatch')?.snapshot?.({
      rules: { alarmAfter: 3, leadMinutes: 15 },
      bookings: [booking('b1'), booking('b2', { bookingDate: Date.now() })],
      holds: [],
      ...state,
    }),
  )
  await screen.findByText('Pickup b1')
}

const rowOf = (id: string) => document.querySelector(`[data-booking="${id}"]`) as HTMLElement
const focused = () => document.activeElement?.textContent ?? ''
const event = (change: DispatchChange) => act(() => topics.get('dispatch')?.event?.(change))

it('keys: arrow, Enter, Enter -> the nearest free driver is asked, and the next booking has the focus', async () => {
  await show()
  fireEvent.keyDown(document.body, { key: 'ArrowDown' })
  await waitFor(() => expect(focused()).toContain('Pickup b1'))
  fireEvent.keyDown(rowOf('b1'), { key: 'j' })
  // A row that cannot have the focus yet gets it with the next frame.
  await waitFor(() => expect(focused()).toContain('Pickup b2'))
  fireEvent.keyDown(rowOf('b2'), { key: 'ArrowUp' })
  fireEvent.click(rowOf('b1'))
  await waitFor(() => expect(focused()).toContain('Driver near'))
  fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowDown' })
  expect(screen.getByRole('radio', { checked: true }).textContent).toContain('Driver far')
  fireEvent.keyDown(document.activeElement as Element, { key: 'k' })
  fireEvent.keyDown(document.activeElement as Element, { key: 'Enter' })
  await waitFor(() => expect(focused()).toContain('Pickup b2'))
  expect(calls.find(({ path }) => path.endsWith('/assign-driver'))?.body).toEqual({
    driver: 'near',
    version: 4,
  })
  expect(screen.getAllByText(/Driver near.* was asked/)).not.toHaveLength(0)
})

it('row -> says how long it waits, whether its driver is late or has arrived, and when someone must assign', async () => {
  const minute = 60_000
  const driven = { status: 'ACCEPTED', driver: 'd', promised_arrival: Date.now() - 2 * minute } as const
  await show({
    bookings: [
      booking('b1', { bookingDate: Date.now() }),
      booking('on', { ...driven, promised_arrival: Date.now() + minute }),
      booking('late', driven),
      booking('there', { ...driven, status: 'ARRIVED', driver_arrive_time: Date.now() - minute }),
      booking('plan', { bookLater: true, tripdate: Date.now() + 120 * minute }),
    ],
  })
  expect(rowOf('b1').textContent).toContain('Just booked')
  expect(rowOf('on').textContent).toContain('By ')
  expect(rowOf('late').textContent).toContain('Late, due ')
  expect(rowOf('there').textContent).toContain('There since ')
  // The test settings have automatic dispatch off.
  expect(rowOf('plan').textContent).toContain('Assign by ')
})

it('row of a delivery -> the number of its stops if there are several', async () => {
  await show({ bookings: [booking('b1', { drops: 1 }), booking('b2', { drops: 3 })] })
  expect(rowOf('b2').textContent).toContain('3 stops')
  expect(rowOf('b1').textContent).not.toContain('stop')
})

it('only a driver who is free soon -> chosen, and asked for the next trip', async () => {
  await show()
  answer = [driver('soon', { freeS: 240 })]
  fireEvent.click(rowOf('b1'))
  await screen.findByRole('button', { name: /Next trip for .*Driver soon/ })
  expect(screen.getByText(/Asked now, free in .*4 min/)).toBeTruthy()
  fireEvent.keyDown(screen.getByRole('radio', { checked: true }), { key: 'Enter' })
  await waitFor(() => expect(screen.getAllByText(/Driver soon.* was asked next/)).not.toHaveLength(0))
  expect(calls.find(({ path }) => path.endsWith('/assign-driver'))?.body).toMatchObject({ driver: 'soon' })
})

it('booking with a driver: Enter -> asks for the reason first', async () => {
  await show({ bookings: [booking('b1', { status: 'ACCEPTED', driver: 'd', driver_name: 'Old' })] })
  fireEvent.click(rowOf('b1'))
  await waitFor(() => expect(focused()).toContain('Driver near'))
  fireEvent.keyDown(document.activeElement as Element, { key: 'Enter' })
  await screen.findByRole('dialog')
  expect(calls.some(({ path }) => path.endsWith('/assign-driver'))).toBe(false)
})

it('requests withdrawn while a driver accepts -> the version before, which the server refuses', async () => {
  await show({ bookings: [booking('b1', { asked: [['near', null]] })] })
  fireEvent.click(rowOf('b1'))
  fireEvent.click(await screen.findByRole('button', { name: 'dispatch.withdraw_requests' }))
  await screen.findByRole('dialog')
  const reasons = screen.getAllByRole('radio').filter((one) => one.tagName === 'INPUT')
  fireEvent.click(reasons[0] as HTMLElement)
  event({ put: booking('b1', { version: 5, status: 'ACCEPTED', driver: 'near', driver_name: 'Near' }) })
  fireEvent.click(screen.getByRole('button', { name: 'dispatch.withdraw_confirm' }))
  await waitFor(() =>
    expect(calls.find(({ path }) => path.endsWith('/withdraw-driver'))?.body).toMatchObject({ version: 4 }),
  )
})

it('hold: taken while open and released by Esc; that of another admin is shown and blocks nothing', async () => {
  const hold = { booking: 'b1', user: 'elena', name: 'Elena', until: Date.now() + 30_000 }
  await show({ holds: [hold] })
  expect(rowOf('b1').textContent).toContain('Elena')
  fireEvent.click(rowOf('b1'))
  const assign = await screen.findByRole('button', { name: /Assign .*Driver near.* anyway/ })
  expect(assign.hasAttribute('disabled')).toBe(false)
  const call = await screen.findByRole('link', { name: '+59899700001' })
  expect(call.getAttribute('href')).toBe('tel:+59899700001')
  event({ released: { booking: 'b1', user: 'elena' } })
  await screen.findByRole('button', { name: /Assign .*Driver near.*/ })
  expect(rowOf('b1').textContent).not.toContain('Elena')
  fireEvent.keyDown(document.body, { key: 'Escape' })
  const holds = () => calls.filter(({ path }) => path.endsWith('/b1/hold')).map(({ method }) => method)
  await waitFor(() => expect(holds()).toEqual(['PUT', 'DELETE']))
  await waitFor(() => expect(focused()).toContain('Pickup b1'))
})

it('pointer over the queue -> rows stay in place, new ones wait', async () => {
  await show()
  const list = rowOf('b1').closest('section')?.parentElement as HTMLElement
  fireEvent.pointerEnter(list, { pointerType: 'mouse' })
  event({ remove: 'b1' })
  event({ put: booking('b3') })
  expect(rowOf('b1').textContent).toContain('Gone')
  expect(screen.queryByText('Pickup b3')).toBeNull()
  fireEvent.pointerLeave(list)
  await screen.findByText('Pickup b3')
  expect(screen.queryByText('Pickup b1')).toBeNull()
})

it('search longer than the alarm -> marked in the queue and counted in the title', async () => {
  await show({ bookings: [booking('b1', { bookingDate: Date.now() - 181_000 }), booking('b2')] })
  expect(screen.getAllByText('Waiting too long')).toHaveLength(1)
  await waitFor(() => expect(document.title).toMatch(/^\(1\) Dispatch/))
  event({ put: booking('b1', { version: 5, status: 'ACCEPTED' }) })
  await waitFor(() => expect(document.title).toMatch(/^Dispatch/))
})
