import type { BookingView } from '@hansom/contract/bookings'
import type { Me } from '@hansom/contract/users'
import { unit } from '@hansom/domain/money/amount'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { storeMe } from '../../../lib/session.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import ConfirmDialog, { type TripToConfirm } from './confirm-dialog.tsx'
import OfficeBookedDialog from './office-booked-dialog.tsx'
import { noOptions, type OfficeBooking, type OfficeOptions } from './office-booking.ts'

const there = { lat: 1, lng: 1, add: 'There' }
const here = { lat: 2, lng: 2, add: 'Here' }
const fare = { base: 0, distance: 0, time: 0, extras: 0, minimum_top_up: 0, convenience_fees: 0 }
const office = (options: Partial<OfficeOptions>): OfficeBooking => ({
  rider: { guest: { name: 'Ana', mobile: '099 700 901' } },
  name: 'Ana',
  mobile: '099 700 901',
  outstanding: 0,
  options: { ...noOptions, ...options },
})
let asked: URL[]

beforeEach(() => {
  queryClient.clear()
  asked = []
  startEnglish({
    'booking.confirm_for': 'Confirm {{fare}}',
    'booking.group_total': 'All {{count}}',
    'booking.return_fare': 'Back',
  })
  storeMe({ uid: 'a', usertype: 'admin' } as Me)
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
    const address = new URL(url, 'http://x')
    asked.push(address)
    if (address.pathname.endsWith('/bookings')) {
      const item = (code: string, bookLater: boolean) => ({
        id: code,
        booking_id: code,
        bookLater,
        tripdate: 0,
      })
      return Response.json({ items: [item('AAAAAA', false), item('BBBBBB', true)], next: null })
    }
    // The way back is longer.
    const isBack = (JSON.parse(String(body)) as { pickup: { lat: number } }).pickup.lat === here.lat
    const cost = (isBack ? 150 : 100) * unit
    return Response.json({ fare, discount_amount: 0, payableAmount: cost, estimateFare: cost })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(dialog: ReactNode): void {
  const router = createRouter({
    routeTree: createRootRoute({ component: () => dialog }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}
const confirm = (options: Partial<OfficeOptions>) => {
  const carType = { id: 'c', name: 'Sedan', extra_info: '', translations: {} }
  const trip = { pickup: there, drop: here, offer: { carType, pickupS: null, fare }, tripdate: null }
  show(
    <ConfirmDialog
      trip={{ ...trip, office: office(options) } as unknown as TripToConfirm}
      onClose={() => {}}
      onBooked={() => {}}
      onError={() => {}}
    />,
  )
}

it('two cars and the way back -> fare of the return trip and the total before confirming', async () => {
  confirm({ cars: 2, returnAt: '2030-01-01T10:00' })
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: /^Confirm .*500/ })
  expect(button.disabled).toBe(false)
  expect(screen.getByText('Back').parentElement?.textContent).toContain('150')
  expect(screen.getByText('All 4').parentElement?.textContent).toContain('500')
})

it('one car, no way back -> one fare, none is requested for the return', async () => {
  confirm({})
  await screen.findByRole('button', { name: /^Confirm .*100/ })
  expect(screen.queryByText('Back')).toBeNull()
  expect(screen.queryByText(/^All/)).toBeNull()
})

it('booked: several bookings -> the codes of all', async () => {
  const view = { id: 'AAAAAA', booking_id: 'AAAAAA', group_id: 'g', payment_mode: 'cash', status: 'NEW' }
  show(
    <OfficeBookedDialog
      view={view as BookingView}
      office={office({ returnAt: '2030-01-01T10:00' })}
      onClose={() => {}}
    />,
  )
  expect(await screen.findByRole('link', { name: 'BBBBBB' })).toBeTruthy()
  expect(screen.getAllByText('AAAAAA')).toHaveLength(1)
  expect(asked.at(-1)?.searchParams.get('group_id')).toBe('g')
})
