import { refundsTableSpec } from '@hansom/contract/refunds-table'
import type { DashboardView, EarningFigures } from '@hansom/contract/reports'
import { tableInput } from '@hansom/contract/tables'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { EarningCards } from './earning-cards.tsx'

const none: EarningFigures = {
  trips: 0,
  cancelled: 0,
  tripCost: 0,
  driverShare: 0,
  convenienceFee: 0,
  cancellationFees: 0,
  waiting: 0,
  driverRefunds: 0,
  driversEarned: 0,
  discountAmount: 0,
  profit: 0,
  writeOffs: 0,
  platformRefunds: 0,
  disputeFees: 0,
  net: 0,
  openRefunds: 0,
  bonuses: 0,
  credits: 0,
}

beforeEach(() => {
  vi.stubGlobal('scrollTo', () => {})
  startEnglish({ 'dashboard.refunds': 'Refunds' })
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(earnings: DashboardView['earnings']) {
  const cards = () => <EarningCards earnings={earnings} today="2026-11-25" timezone="UTC" />
  const router = createRouter({
    routeTree: createRootRoute({ component: cards }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

it('refunds: link of a card -> the refunds in its figure, without failed ones and those of others', async () => {
  show({ today: none, month: none, total: none })
  const links = await screen.findAllByRole('link', { name: /^Refunds/ })
  const searches = links.map((link) =>
    tableInput(refundsTableSpec)
      .strict()
      .parse(Object.fromEntries(new URL(link.getAttribute('href') ?? '', 'http://x').searchParams)),
  )
  const counted = { bearer: 'platform', state: 'asked,pending,by_hand,confirmed' }
  expect(searches).toEqual([
    { ...counted, at: '2026-11-25..2026-11-25' },
    { ...counted, at: '2026-11-01..2026-11-25' },
    counted,
  ])
})

it('card of an admin: booking fees and the lines up to net -> add up', async () => {
  const costs = {
    discountAmount: 118_160_000,
    writeOffs: 1_380_000,
    platformRefunds: 23_670_000,
    disputeFees: 0,
  }
  const total = { ...none, ...costs, convenienceFee: 878_970_000, driverRefunds: 5_900_000, net: 735_760_000 }
  show({ today: none, month: none, total })
  const fees = (await screen.findAllByText('$87,897'))[0]
  const lines = [...(fees?.closest('a')?.parentElement?.querySelectorAll('li') ?? [])]
  const texts = lines.map((line) => line.textContent?.replace(/[\u2066-\u2069]/g, '') ?? '')
  expect(texts.slice(2, 6)).toEqual([
    'dashboard.discounts −$11,816',
    'dashboard.write_offs −$138',
    'Refunds −$2,367',
    'dashboard.net $73,576',
  ])
})

it('card of a fleet admin -> no costs of the platform', async () => {
  const hidden = {
    discountAmount: null,
    writeOffs: null,
    platformRefunds: null,
    disputeFees: null,
    net: null,
  }
  const figures = { ...none, ...hidden }
  show({ today: figures, month: figures, total: figures })
  expect(await screen.findAllByText(/dashboard.trip_revenue/)).toHaveLength(3)
  expect(screen.queryByText(/dashboard.discounts|Refunds|dashboard.net/)).toBeNull()
})
