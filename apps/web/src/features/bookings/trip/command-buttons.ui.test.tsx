import type { BookingView } from '@hansom/contract/bookings'
import texts from '@hansom/domain/languages/packs/en/trip.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { StatusTag } from '../list/status-tag.tsx'
import { CommandButtons } from './command-buttons.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const unpaid = {
  id: 'b',
  booking_id: 'KUN283',
  viewer: 'admin',
  status: 'PENDING',
  commands: ['write_off'],
  customer_name: 'Quique',
  trip_cost: 1_400_000,
  discount_amount: 20_000,
  written_off_amount: 0,
  usedWalletMoney: 0,
  cardPaymentAmount: 0,
  cashPaymentAmount: 0,
  customer_paid: 0,
  collect: null,
} as unknown as BookingView

it('write off -> asks with the amount, and sends only after the confirmation', () => {
  startEnglish(Object.fromEntries(Object.entries(texts).map(([key, text]) => [`trip.${key}`, text])))
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
  const fetched = vi.fn((..._args: unknown[]) => new Promise(() => {}))
  vi.stubGlobal('fetch', fetched)
  render(
    <QueryClientProvider client={queryClient}>
      <CommandButtons view={unpaid} />
    </QueryClientProvider>,
  )
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'No way to reach them' } })
  fireEvent.submit(screen.getByRole('textbox').closest('form') as HTMLFormElement)
  expect(screen.getByRole('dialog', { name: /Write off .*\$138/ })).toBeTruthy()
  expect(fetched).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', { name: /Write off .*\$138/ }))
  expect(screen.queryByRole('dialog')).toBeNull()
  return vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce())
})

it.each([
  ['admin', 0, 'history.status_written_off'],
  ['admin', 1_380_000, 'history.status_PAID'],
  // A driver does not see what the rider paid.
  ['driver', 0, 'history.status_PAID'],
] as const)('status: %s, %s paid -> %s', (viewer, customer_paid, text) => {
  startEnglish({})
  render(<StatusTag booking={{ ...unpaid, status: 'PAID', viewer, customer_paid }} />)
  expect(screen.getByText(text)).toBeTruthy()
})
