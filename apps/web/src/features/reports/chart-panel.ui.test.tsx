import type { EarningFigures } from '@hansom/contract/reports'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { ChartPanel } from './chart-panel.tsx'
// Loaded in advance: the panel imports it lazily.
import './months-chart.tsx'

const october = { year: 2026, month: 10, values: { earned: 1 } }
const november = { year: 2026, month: 11, values: { earned: 2 } }
const series = [{ name: 'earned', label: 'reports.earned', color: 'red' }]
let asked = 0

beforeEach(() => {
  asked = 0
  // The thirty days that end on 25 November.
  vi.stubGlobal('fetch', async () => {
    asked += 1
    return Response.json({ days: [{ day: '2026-10-27' }, { day: '2026-11-25' }] })
  })
  vi.stubGlobal('scrollTo', () => {})
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
  startEnglish({ 'reports.by_day': 'Last 30 days', 'reports.months': 'By month' })
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
  vi.unstubAllGlobals()
})

async function show(months: (typeof november)[], isNarrowed: boolean): Promise<string | null> {
  const ofDay = ({ driversEarned }: EarningFigures) => ({ earned: driversEarned })
  const panel = () => (
    <ChartPanel months={months} series={series} label="chart" isNarrowed={isNarrowed} ofDay={ofDay} />
  )
  const router = createRouter({
    routeTree: createRootRoute({ component: panel }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  await screen.findByRole('img', { name: 'chart' })
  return screen.getByRole('heading').textContent
}

it('chart: one month within the last thirty days -> its days', async () => {
  expect(await show([november], false)).toBe('Last 30 days')
})

it('chart: a search or a year -> the months found, never the days of everyone', async () => {
  expect([await show([november], true), asked]).toEqual(['By month', 0])
})

it('chart: a month that the last thirty days do not cover -> the months', async () => {
  expect([await show([october, november], false), asked]).toEqual(['By month', 1])
})
