import type { BookingView } from '@hansom/contract/bookings'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { CashDue } from './payment-due.tsx'

beforeEach(() => {
  startEnglish({ 'trip.due_cash': 'Pay in cash' })
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
})
afterEach(cleanup)

const arrived = {
  viewer: 'rider',
  status: 'REACHED',
  payment_mode: 'cash',
  prepaid: false,
  collect: { trip: 1_380_000, outstanding: 300_000, total: 1_680_000 },
} as BookingView
function shown(changes: Partial<BookingView>): string | undefined {
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <CashDue view={{ ...arrived, ...changes }} />
    </QueryClientProvider>,
  )
  return container.textContent?.replace(/[\u2066-\u2069]/g, '')
}

it('cash due: outstanding amount -> sum and parts', () => {
  const text = shown({})
  expect(text).toContain('Pay in cash$168')
  expect(text).toContain('$138')
  expect(text).toContain('$30')
})

it.each<[string, Partial<BookingView>]>([
  ['paid by card', { payment_mode: 'card' }],
  ['paid in advance', { prepaid: true }],
  ['still on the road', { status: 'STARTED' }],
  ['the driver reads it', { viewer: 'driver' }],
  ['nothing to pay', { collect: { trip: 0, outstanding: 0, total: 0 } }],
])('cash due: %s -> nothing shown', (_case, changes) => {
  expect(shown(changes)).toBe('')
})
