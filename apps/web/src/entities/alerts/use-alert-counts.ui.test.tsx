import type { TopicListener } from '@hansom/client/live-client'
import type { AlertCount } from '@hansom/contract/alerts'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { live } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { countsByScreen, reloadIntervalMs, useAlertCounts } from './use-alert-counts.ts'

let count = 1
let requests = 0
let office: Required<TopicListener<'office'>>

function Count() {
  return <p>{useAlertCounts().data?.counts[0]?.count}</p>
}

beforeEach(async () => {
  count = 1
  requests = 0
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.stubGlobal('fetch', async () => {
    requests += 1
    return Response.json({ counts: [{ kind: 'withdrawal', count }] })
  })
  vi.spyOn(live, 'subscribe').mockImplementation((_topic, listener) => {
    office = listener as Required<TopicListener<'office'>>
    return () => {}
  })
  render(
    <QueryClientProvider client={queryClient}>
      <Count />
    </QueryClientProvider>,
  )
  await screen.findByText('1')
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('alerts announced -> counted again; another table -> not', async () => {
  count = 2
  act(() => office.event({ tables: ['drivers'] }))
  expect(requests).toBe(1)
  act(() => office.event({ tables: ['alerts'] }))
  await screen.findByText('2')
  expect(requests).toBe(2)
})

it('announced several times at once -> counted at once and once more after five seconds', async () => {
  act(() => office.event({ tables: ['alerts'] }))
  await vi.waitFor(() => expect(requests).toBe(2))
  count = 3
  act(() => {
    for (let times = 0; times < 5; times++) office.event({ tables: ['alerts'] })
  })
  expect(requests).toBe(2)
  await act(() => vi.advanceTimersByTimeAsync(reloadIntervalMs))
  await screen.findByText('3')
  expect(requests).toBe(3)
})

it('first snapshot -> contains nothing new; a snapshot after a lost connection -> counted again', async () => {
  act(() => office.snapshot({ tables: ['alerts'] }))
  act(() => office.current(true))
  expect(requests).toBe(1)
  count = 4
  act(() => office.snapshot({ tables: ['alerts'] }))
  await screen.findByText('4')
})

it('counts by page -> kinds that are settled on one page are added', () => {
  const counts: AlertCount[] = [
    { kind: 'driver_waiting', count: 1 },
    { kind: 'refund', count: 2 },
    { kind: 'objection', count: 4 },
  ]
  expect(Object.fromEntries(countsByScreen(counts, 'admin'))).toEqual({ '/drivers': 1, '/disputes': 6 })
  expect(Object.fromEntries(countsByScreen(counts, 'fleetadmin'))).toMatchObject({ '/bookings': 4 })
})
