import type { BookingRow as BookingRowData } from '@hansom/contract/bookings'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { BookingRow } from './bookings-screen.tsx'

vi.mock('../../../lib/live.ts', () => ({ useLive: () => ({ data: undefined }) }))
vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children: React.ReactNode }) => <a href="/trip">{children}</a>,
}))
afterEach(cleanup)

function row(changes: Partial<BookingRowData>) {
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC' })
  startEnglish()
  const booking = { id: 'b', tripdate: 0, trip_cost: 0, discount_amount: 0, ...changes } as BookingRowData
  const onAct = vi.fn()
  render(
    <QueryClientProvider client={queryClient}>
      <BookingRow booking={booking} onAct={onAct} />
    </QueryClientProvider>,
  )
  for (const button of screen.queryAllByRole('button')) fireEvent.click(button)
  return onAct.mock.calls.flat()
}

it.each([
  ['rider', 'NEW', ['cancel'], ['cancel']],
  ['rider', 'STARTED', [], []],
  ['rider', 'PAYMENT_PENDING', ['cancel'], ['cancel', 'pay']],
  ['rider', 'PENDING', ['pay_by_wallet'], ['pay']],
  ['driver', 'ACCEPTED', ['arrive', 'cancel'], []],
] as const)('row of a %s, %s, who may %s -> buttons %s', (viewer, status, commands, acts) => {
  const card = { payment_mode: 'card', payableAmount: 10 } as const
  expect(row({ ...card, viewer, status, commands: [...commands] })).toEqual(acts)
})

it('unpaid booking, objection undecided -> no payment', () => {
  expect(row({ viewer: 'rider', status: 'PENDING', commands: [], objection: 'open' })).toEqual([])
})

it('unread messages -> their number, named for screen readers; none -> nothing', () => {
  row({ viewer: 'rider', status: 'ACCEPTED', commands: [], unread_messages: 12 })
  expect(screen.getByText('9+')).toBeTruthy()
  expect(screen.getByText('chatButton.unread')).toBeTruthy()
  cleanup()
  row({ viewer: 'rider', status: 'PAID', commands: [], unread_messages: 3 })
  expect(screen.getByText('3')).toBeTruthy()
  cleanup()
  row({ viewer: 'rider', status: 'PAID', commands: [], unread_messages: 0 })
  expect(screen.queryByText('chatButton.unread')).toBeNull()
})
