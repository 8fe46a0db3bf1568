import type { Me } from '@hansom/contract/users'
import { unit } from '@hansom/domain/money/amount'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { storeMe } from '../../../lib/session.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import ConfirmDialog, { type TripToConfirm } from './confirm-dialog.tsx'
import { rememberPayment } from './last-payment.ts'

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const fare = {
  base: 138 * unit,
  distance: 0,
  time: 0,
  extras: 0,
  minimum_top_up: 0,
  convenience_fees: 0,
}
const place = { lat: 1, lng: 1, add: 'Here' }
const trip = {
  pickup: place,
  drop: { ...place, add: 'There' },
  offer: { carType: { id: 'c', name: 'Sedan', extra_info: '', translations: {} }, pickupS: null, fare },
  tripdate: null,
  office: null,
} as unknown as TripToConfirm

/** Confirms a trip of $138 with $138 outstanding, paid by wallet and card. */
async function show(balance: number) {
  const me = { uid: 'r', usertype: 'rider', version: 1, walletBalance: balance * unit } as Me
  startEnglish({
    'booking.confirm_for': 'Confirm {{fare}}',
    'bookingTexts.note': 'Note',
    'bookingTexts.optional': '{{field}} (optional)',
  })
  queryClient.clear()
  storeMe(me)
  rememberPayment({ mode: 'wallet_card', inAdvance: false })
  storeTestSettings({
    symbol: '$',
    decimal: 0,
    timezone: 'UTC',
    version: 1,
    cardAvailable: true,
  })
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.method === 'POST' && url.endsWith('/bookings')) sent.push(JSON.parse(String(init.body)))
    if (url.endsWith('/me')) return Response.json(me)
    if (url.endsWith('/outstanding')) return Response.json({ total: 138 * unit })
    return Response.json({ fare, discount_amount: 0, payableAmount: 138 * unit, estimateFare: 138 * unit })
  })
  const nothing = () => undefined
  render(
    <QueryClientProvider client={queryClient}>
      <ConfirmDialog trip={trip} onClose={nothing} onBooked={nothing} onError={nothing} />
    </QueryClientProvider>,
  )
  await screen.findByRole('button', { name: /^Confirm .*\$/ })
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0))
  return sent
}
const amounts = (element: HTMLElement) =>
  [...(element.textContent ?? '').matchAll(/\$(\d+)/g)].map(([, amount]) => Number(amount))
const total = () => amounts(screen.getByRole('button', { name: /^Confirm/ }))[0]
const parts = () =>
  amounts(screen.getByRole('radio', { name: /method_wallet_card/ }).closest('label') as HTMLElement)

it('outstanding amount -> wallet and card add up to the total, the wallet pays for the trip only', async () => {
  await show(93)
  expect([total(), parts()]).toEqual([276, [93, 183]])
  fireEvent.click(screen.getByRole('radio', { name: /pay_cash/ }))
  expect([total(), parts()]).toEqual([276, [93, 183]])
})

it('outstanding amount, wallet covers the trip -> it is not collected', async () => {
  await show(200)
  expect([total(), parts()]).toEqual([138, [138, 0]])
})

it('note to the driver -> sent with the booking', async () => {
  const sent = await show(200)
  fireEvent.change(screen.getByLabelText('Note (optional)'), { target: { value: 'Blue door' } })
  fireEvent.click(screen.getByRole('button', { name: /^Confirm/ }))
  await vi.waitFor(() => expect(sent).toMatchObject([{ note: 'Blue door' }]))
})
