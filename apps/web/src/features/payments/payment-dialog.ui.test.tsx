import type { BookingView } from '@hansom/contract/bookings'
import type { PaymentOrder } from '@hansom/contract/payments'
import type { Me } from '@hansom/contract/users'
import { unit } from '@hansom/domain/money/amount'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { storeMe } from '../../lib/session.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import PaymentDialog from './payment-dialog.tsx'

const me = { uid: 'r', usertype: 'rider', version: 1, walletBalance: 0 } as Me
/** A cash trip that the driver has not been paid for. */
const ended = {
  id: 'b',
  version: 7,
  viewer: 'rider',
  status: 'PENDING',
  payment_mode: 'cash',
  trip_cost: 138 * unit,
  written_off_amount: 0,
  discount_amount: 0,
  usedWalletMoney: 0,
  cardPaymentAmount: 0,
  payableAmount: 138 * unit,
  collect: { trip: 138 * unit, outstanding: 0, total: 138 * unit },
  commands: ['choose_payment', 'pay_by_wallet'],
} as unknown as BookingView
const order: PaymentOrder = {
  id: 'b',
  kind: 'booking',
  booking: 'b',
  booking_id: 'K7X2QP',
  amount: 138 * unit,
  currency: 'USD',
  fields: [],
  providers: [{ name: 'stripe', link: '/pay/stripe', takes: true, live: true }],
}

let sent: unknown[]
/** A provider has an undecided payment. */
let isPaying: boolean
beforeEach(() => {
  sent = []
  isPaying = false
  queryClient.clear()
  startEnglish()
  storeTestSettings({
    symbol: '$',
    decimal: 0,
    timezone: 'UTC',
    version: 1,
    cardAvailable: true,
  })
  storeMe(me)
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method !== 'GET') sent.push([url, JSON.parse(String(body))])
    if (url.endsWith('/me')) return Response.json(me)
    if (url.endsWith('/payments')) return Response.json({ items: isPaying ? [{ state: 'pending' }] : [] })
    return Response.json(method === 'GET' ? order : { ...ended, payment_mode: 'card', version: 8 })
  })
})
afterEach(() => {
  vi.useRealTimers()
  cleanup()
  vi.unstubAllGlobals()
})

const dialogOf = (view: BookingView, onClose: () => void) => (
  <QueryClientProvider client={queryClient}>
    <PaymentDialog view={view} onClose={onClose} />
  </QueryClientProvider>
)
function show(changes: Partial<BookingView> = {}) {
  const onClose = vi.fn()
  const { rerender } = render(dialogOf({ ...ended, ...changes }, onClose))
  return { onClose, next: (view: Partial<BookingView>) => rerender(dialogOf({ ...ended, ...view }, onClose)) }
}
/** Longer than any automatic request takes to start. */
const settle = () => waitFor(() => expect(queryClient.isFetching() + queryClient.isMutating()).toBe(0))

it('cash trip: closed without a choice -> sends nothing', async () => {
  show()
  await settle()
  expect(screen.queryByRole('button', { name: /provider_stripe/ })).toBeNull()
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
  await screen.findByText('payments.nothing_charged')
  await settle()
  expect(sent).toEqual([])
})

it.each([
  ['cash', 1],
  ['return_leg', 0],
] as const)('rider may object to %s -> told to do so before paying: %s', async (objection_to, count) => {
  show({ commands: [...ended.commands, 'object'], objection_to })
  expect(screen.queryAllByText('payments.object_first')).toHaveLength(count)
  await settle()
})

it.each([
  ['the button', () => fireEvent.click(screen.getByRole('button', { name: 'payments.card_title' }))],
  [
    'another way and back',
    () => {
      fireEvent.click(screen.getByRole('radio', { name: /method_cash/ }))
      fireEvent.click(screen.getByRole('radio', { name: /method_card/ }))
    },
  ],
])('a trip in cash: the card by %s -> chosen once, then the providers are shown', async (_by, choose) => {
  const { next } = show()
  choose()
  await waitFor(() => expect(sent).toHaveLength(1))
  await settle()
  next({ payment_mode: 'card', version: 8 })
  await screen.findByRole('button', { name: /provider_stripe/ })
  expect(sent).toMatchObject([[expect.stringContaining('b'), { payment_mode: 'card' }]])
})

it('card trip: opened -> shows the providers, sends nothing', async () => {
  show({ payment_mode: 'card' })
  await screen.findByRole('button', { name: /provider_stripe/ })
  await settle()
  expect(sent).toEqual([])
})

it('outstanding amount: any method -> paid with card, not with cash or wallet', async () => {
  show({
    payment_mode: 'card',
    collect: { trip: 138 * unit, outstanding: 50 * unit, total: 188 * unit },
  })
  const left = () => screen.getAllByRole('definition').at(-1)?.textContent
  expect(left()).toContain('$188')
  expect(screen.getByRole('radio', { name: /method_card.*188/ })).toBeTruthy()
  fireEvent.click(screen.getByRole('radio', { name: /method_cash/ }))
  expect(left()).toContain('$138')
  await settle()
})

/** A delivery that waits for its payment in advance. */
const unpaid: Partial<BookingView> = {
  status: 'PAYMENT_PENDING',
  payment_mode: 'card',
  bookingDate: 0,
  collect: null,
  delivery: {} as BookingView['delivery'],
}
const closeDialog = () => fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
const cancelled = () => sent.filter((one) => String((one as unknown[])[0]).endsWith('/cancel'))

it('unpaid delivery: closed -> cancelled after 1.5 s with the reason, and the sender is told', async () => {
  const { onClose, next } = show(unpaid)
  await screen.findByRole('button', { name: /provider_stripe/ })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  closeDialog()
  expect(screen.getByText('payments.giving_up')).toBeTruthy()
  await vi.advanceTimersByTimeAsync(1_400)
  expect(cancelled()).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  vi.useRealTimers()
  await waitFor(() => expect(cancelled()).toMatchObject([[{}, { reason: 'cancelled incomplete booking' }]]))
  next({ ...unpaid, status: 'CANCELLED', version: 9 })
  await screen.findByText('delivery.cancelled_unpaid')
  expect(onClose).not.toHaveBeenCalled()
})

it('unpaid delivery: closed, then kept -> nothing is cancelled', async () => {
  show(unpaid)
  await screen.findByRole('button', { name: /provider_stripe/ })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  closeDialog()
  fireEvent.click(screen.getByRole('button', { name: 'payments.keep_booking' }))
  await vi.advanceTimersByTimeAsync(5_000)
  vi.useRealTimers()
  expect(screen.getByRole('button', { name: /provider_stripe/ })).toBeTruthy()
  expect(cancelled()).toEqual([])
})

it('unpaid delivery: closed while a payment is under way -> closes, nothing is cancelled', async () => {
  isPaying = true
  const { onClose } = show(unpaid)
  await screen.findByRole('button', { name: /provider_stripe/ })
  closeDialog()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce(), { timeout: 5_000 })
  expect(cancelled()).toEqual([])
})

it('unpaid delivery: methods -> none in cash, none that is impossible', async () => {
  show(unpaid)
  await screen.findByRole('button', { name: /provider_stripe/ })
  expect(screen.getAllByRole<HTMLInputElement>('radio').map(({ value }) => value)).toEqual(['card'])
})
