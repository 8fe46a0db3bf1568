import { refundsTableSpec } from '@hansom/contract/refunds-table'
import type { EarningFigures } from '@hansom/contract/reports'
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

it('refunds: link of a card -> the refunds in its figure, without failed ones and those of the payer', async () => {
  const earnings = { today: none, month: none, total: none }
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
  const links = await screen.findAllByRole('link', { name: /^Refunds/ })
  const searches = links.map((link) =>
    tableInput(refundsTableSpec)
      .strict()
      .parse(Object.fromEntries(new URL(link.getAttribute('href') ?? '', 'http://x').searchParams)),
  )
  const counted = { bearer: 'platform,driver', state: 'asked,pending,by_hand,confirmed' }
  expect(searches).toEqual([
    { ...counted, at: '2026-11-25..2026-11-25' },
    { ...counted, at: '2026-11-01..2026-11-25' },
    counted,
  ])
})
