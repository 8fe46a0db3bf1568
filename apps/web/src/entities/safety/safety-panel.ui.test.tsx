import type { TopicListener } from '@hansom/client/live-client'
import type { BookingView } from '@hansom/contract/bookings'
import type { SafetyState } from '@hansom/contract/safety'
import type { Me } from '@hansom/contract/users'
import safety from '@hansom/domain/languages/packs/en/safety.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { live } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { storeMe } from '../../lib/session.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { SafetyPanel } from './safety-panel.tsx'
import { TripSafety } from './trip-safety.tsx'

const id = '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f'
let topic: Required<TopicListener<'safety'>>
let sent: { url: string; body: Record<string, unknown>; key: string | null }[]
let failures: number

beforeEach(() => {
  sent = []
  failures = 0
  storeMe({ uid: 'rita', usertype: 'rider' } as Me)
  startEnglish({
    ...Object.fromEntries(Object.entries(safety).map(([name, text]) => [`safety.${name}`, text])),
    'common.close': 'Close',
  })
  storeTestSettings({ country: 'UY', category: 'taxi', panic: true })
  vi.spyOn(live, 'subscribe').mockImplementation((_topic, listener) => {
    topic = listener as unknown as Required<TopicListener<'safety'>>
    return () => {}
  })
  vi.stubGlobal('fetch', async (request: Request | string, init?: RequestInit) => {
    const { url, headers, body } =
      request instanceof Request
        ? { url: request.url, headers: request.headers, body: await request.text() }
        : { url: request, headers: new Headers(init?.headers), body: String(init?.body ?? '{}') }
    sent.push({ url, body: JSON.parse(body), key: headers.get('idempotency-key') })
    if (failures > 0) {
      failures -= 1
      throw new TypeError('no connection')
    }
    return Response.json(
      url.endsWith('/panic') ? { alarm: id } : { question: null, alarm: null, left_at: null },
    )
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const show = (
  status: BookingView['status'] = 'STARTED',
  own: { lat: number; lng: number } | null = null,
  endedAt: number | null = null,
) =>
  render(
    <QueryClientProvider client={queryClient}>
      <SafetyPanel view={{ id, status }} own={own} endedAt={endedAt} />
    </QueryClientProvider>,
  )
const push = (state: SafetyState) => act(() => topic.snapshot(state))
const stop: SafetyState = { question: { id, kind: 'stop', at: 1, answer: null }, alarm: null, left_at: null }

it('question -> asked in a dialog that does not block; answered -> sent', async () => {
  show()
  push(stop)
  const dialog = screen.getByRole('alertdialog', { name: safety.question_title })
  expect(dialog.getAttribute('aria-modal')).toBe('false')
  fireEvent.click(screen.getByRole('button', { name: safety.fine }))
  await screen.findByText(safety.fine_noted)
  expect(sent).toMatchObject([{ body: { event: id, answer: 'fine' } }])
  // Help can be called until the question is closed.
  expect(screen.getByRole('button', { name: safety.help })).toBeTruthy()
  push({ question: null, alarm: null, left_at: null })
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

it('alarm -> says that the team knows, then that someone is on it, then that it is closed', () => {
  show()
  push({ question: null, alarm: { at: 1, acknowledged: false, closed_at: null }, left_at: null })
  screen.getByText(safety.alarm_sent)
  // The button does not look as if nothing had happened.
  screen.getByRole('button', { name: safety.panic_repeat })
  expect(screen.queryByRole('button', { name: safety.panic })).toBeNull()
  push({ question: null, alarm: { at: 1, acknowledged: true, closed_at: null }, left_at: null })
  screen.getByText(safety.alarm_taken)
  push({ question: null, alarm: { at: 1, acknowledged: true, closed_at: 2 }, left_at: null })
  screen.getByText(safety.alarm_closed)
  expect(screen.queryByText(safety.alarm_taken)).toBeNull()
  screen.getByRole('button', { name: safety.panic })
})

it('closed alarm -> shown until it is dismissed or the trip ends; the next one again', () => {
  const closed = (closed_at: number) =>
    push({ question: null, alarm: { at: 1, acknowledged: true, closed_at }, left_at: null })
  show('COMPLETE', null, Date.now())
  closed(2)
  expect(screen.queryByText(safety.alarm_closed)).toBeNull()
  cleanup()
  show()
  closed(2)
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByText(safety.alarm_closed)).toBeNull()
  cleanup()
  show()
  closed(2)
  expect(screen.queryByText(safety.alarm_closed)).toBeNull()
  closed(3)
  screen.getByText(safety.alarm_closed)
})

it('panic without a connection -> sent again with the same key and the phone’s position', async () => {
  failures = 2
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 })
  show('STARTED', { lat: -34.9, lng: -56.1 })
  fireEvent.click(screen.getByRole('button', { name: safety.panic }))
  fireEvent.click(screen.getByRole('button', { name: safety.panic_again }))
  await screen.findByText(safety.panic_sending)
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  await waitFor(() => expect(sent).toHaveLength(3))
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  expect(sent[0]?.key).toMatch(/^[0-9a-f]{32}$/)
  expect(sent[2]?.body).toEqual({ position: { lat: -34.9, lng: -56.1 } })
})

it('setting off -> the emergency number alone; a delivery -> nothing', () => {
  show()
  expect(screen.getByRole('link', { name: 'Call 911' }).getAttribute('href')).toBe('tel:911')
  cleanup()
  storeTestSettings({ country: 'UY', category: 'taxi', panic: false })
  show()
  screen.getByRole('link', { name: 'Call 911' })
  expect(screen.queryByRole('button')).toBeNull()
  cleanup()
  storeTestSettings({ country: 'UY', category: 'delivery', panic: true })
  show()
  expect(screen.queryByRole('link')).toBeNull()
})

it('driver cancels with the rider in the car -> button and alarm stay; a quarter of an hour later the alarm only', () => {
  show('CANCELLED', null, Date.now() - 60_000)
  screen.getByRole('button', { name: safety.panic })
  cleanup()
  show('CANCELLED', null, Date.now() - 16 * 60_000)
  expect(screen.queryByRole('button')).toBeNull()
  push({ question: null, alarm: { at: 1, acknowledged: false, closed_at: null }, left_at: null })
  screen.getByText(safety.alarm_sent)
})

it('the office takes the driver off the trip -> the button stays', async () => {
  const at = (status: BookingView['status'], driver: string | null) => (
    <QueryClientProvider client={queryClient}>
      <TripSafety view={{ id, status, driver, viewer: 'rider', trip_end_time: null, closed_at: null }} />
    </QueryClientProvider>
  )
  const { rerender } = render(at('ARRIVED', id))
  await screen.findByRole('button', { name: safety.panic })
  rerender(at('NEW', null))
  screen.getByRole('button', { name: safety.panic })
})

it('page loaded again after the driver left -> the button; a quarter of an hour later the alarm only', async () => {
  const load = (left_at: number | null) => {
    cleanup()
    render(
      <QueryClientProvider client={queryClient}>
        <TripSafety
          view={{ id, status: 'NEW', driver: null, viewer: 'rider', trip_end_time: null, closed_at: null }}
        />
      </QueryClientProvider>,
    )
    push({ question: null, alarm: null, left_at })
  }
  load(null)
  expect(screen.queryByRole('region')).toBeNull()
  load(Date.now() - 60_000)
  await screen.findByRole('button', { name: safety.panic })
  load(Date.now() - 16 * 60_000)
  push({ question: null, alarm: { at: 1, acknowledged: false, closed_at: null }, left_at: null })
  screen.getByText(safety.alarm_sent)
  expect(screen.queryByRole('button')).toBeNull()
})

it('"I need help" without a connection -> sent again until it arrives', async () => {
  failures = 2
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 })
  show()
  push(stop)
  fireEvent.click(screen.getByRole('button', { name: safety.help }))
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  await waitFor(() => expect(sent).toHaveLength(3))
  expect(sent[2]?.body).toEqual({ event: id, answer: 'help' })
})

it('page loaded again while a panic waits for a connection -> sent with the same key', async () => {
  failures = 1
  vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 })
  const { unmount } = show('STARTED', { lat: -34.9, lng: -56.1 })
  fireEvent.click(screen.getByRole('button', { name: safety.panic }))
  fireEvent.click(screen.getByRole('button', { name: safety.panic_again }))
  await waitFor(() => expect(sent).toHaveLength(1))
  unmount()
  queryClient.getMutationCache().clear()
  show()
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  await waitFor(() => expect(sent.length).toBeGreaterThan(1))
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1)
  expect(sent[1]?.body).toEqual({ position: { lat: -34.9, lng: -56.1 } })
  await waitFor(() => expect(localStorage.getItem('hansom-panic')).toBeNull())
})
