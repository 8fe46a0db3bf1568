import type { BookingView } from '@hansom/contract/bookings'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { storeMe } from '../../../lib/session.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { EditBookingDialog, editableFields } from './edit-booking.tsx'
import { changesOf } from './edit-fields.tsx'
import { PaymentLine } from './payment-due.tsx'

const view = {
  id: 'b',
  booking_id: 'K7X2QP',
  version: 3,
  status: 'ACCEPTED',
  viewer: 'admin',
  commands: ['change', 'choose_payment'],
  payment_mode: 'cash',
  customer_email: 'rita@example.test',
  payableAmount: 0,
  driver: 'd',
  pickup: { lat: 1, lng: 2, add: 'Pickup' },
  drop: { lat: 3, lng: 4, add: 'Drop' },
  carType: 'Economy',
  car_type_id: 'ct',
  bookLater: false,
  passengers: 2,
  note: 'Blue door',
  tripdate: 0,
  trip_cost: 1_100_000,
  discount_amount: 0,
  prepaid: false,
  promo_applied: false,
  requestedDrivers: {},
  estimateDistance: 6,
  estimateTime: 1200,
  delivery: null,
} as unknown as BookingView

let fare = 0
let sent: { url: string; body: Record<string, unknown> }[] = []
beforeEach(() => {
  fare = 1_490_000
  sent = []
  queryClient.clear()
  storeMe(null)
  startEnglish()
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
  vi.stubGlobal('fetch', async (asked: string, { body }: RequestInit = {}) => {
    const url = new URL(asked, 'http://x').pathname
    if (url.endsWith('/car-types')) {
      return Response.json([
        { id: 'ct', name: 'Economy', translations: {} },
        { id: 'ct2', name: 'Comfort', translations: {} },
      ])
    }
    const given = JSON.parse(String(body)) as Record<string, unknown>
    sent.push({ url, body: given })
    if (url.endsWith('/change') && given.estimate !== fare) {
      return Response.json({ error: 'fare_changed', data: { trip_cost: fare } }, { status: 409 })
    }
    const payment_mode = given.payment_mode ?? view.payment_mode
    return Response.json({ ...view, payment_mode, car_type_id: 'ct2', trip_cost: fare, version: 4 })
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function dialog(trip = view) {
  const onClose = vi.fn()
  render(
    <QueryClientProvider client={queryClient}>
      <EditBookingDialog view={trip} fields={editableFields(trip)} onClose={onClose} />
    </QueryClientProvider>,
  )
  await screen.findByRole('dialog')
  const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'trip.edit_confirm' })
  const choose = async (carType: string) => {
    await screen.findByRole('option', { name: 'Comfort' })
    fireEvent.change(screen.getByRole('combobox', { name: 'history.carType' }), {
      target: { value: carType },
    })
  }
  return { onClose, save, choose }
}

it('another car chosen -> old and new fare are shown, saved with the fare that was shown', async () => {
  const { onClose, save, choose } = await dialog()
  expect(save().disabled).toBe(true)
  await choose('ct2')
  await waitFor(() => expect(save().disabled).toBe(false))
  const fares = screen.getByRole('region', { name: 'trip.edit_fare' })
  expect(fares.textContent).toMatch(/110.*149/)
  expect(fares.textContent).toContain('trip.edit_driver_told')
  fireEvent.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(sent.at(-1)).toEqual({
    url: '/api/v1/bookings/b/change',
    body: { car_type_id: 'ct2', estimate: 1_490_000 },
  })
})

it('fare changes before saving -> said so, the new fare is shown, saving again succeeds', async () => {
  const { onClose, save, choose } = await dialog()
  await choose('ct2')
  await waitFor(() => expect(save().disabled).toBe(false))
  fare = 1_600_000
  fireEvent.click(save())
  expect(await screen.findByText('trip.edit_fare_changed')).toBeTruthy()
  await waitFor(() => expect(screen.getByRole('region').textContent).toMatch(/160/))
  await waitFor(() => expect(save().disabled).toBe(false))
  fireEvent.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})

const urls = () => sent.map(({ url }) => url.split('/').at(-1))

it('payment method chosen in the dialog -> sent with the button only, before the other changes', async () => {
  const { save, choose, onClose } = await dialog()
  await choose('ct2')
  await waitFor(() => expect(save().disabled).toBe(false))
  expect(screen.getByRole('group', { name: /trip.payment/ }).textContent).toContain('149')
  fireEvent.click(screen.getByRole('radio', { name: /payments.method_wallet/ }))
  expect(urls()).not.toContain('choose-payment')
  fireEvent.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(urls().filter((url) => url !== 'quote')).toEqual(['choose-payment', 'change'])
  expect(sent.find(({ url }) => url.endsWith('/choose-payment'))?.body).toEqual({ payment_mode: 'wallet' })
})

it('only another payment method -> saved without a change of the booking', async () => {
  const { save, onClose } = await dialog()
  fireEvent.click(screen.getByRole('radio', { name: /payments.method_wallet/ }))
  fireEvent.click(save())
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(urls()).toEqual(['choose-payment'])
})

it.each([
  ['admin', 'ACCEPTED', 'trip.paymentpayments.method_cash'],
  ['admin', 'COMPLETE', ''],
  ['rider', 'ACCEPTED', ''],
] as const)('payment line: %s, %s -> %j', (viewer, status, text) => {
  const { container } = render(<PaymentLine view={{ ...view, viewer, status }} />)
  expect(container.textContent).toBe(text)
})

it('fields by viewer and status -> as the domain states', () => {
  expect(editableFields(view)).toEqual(['pickup', 'drop', 'car_type', 'passengers', 'note'])
  expect(editableFields({ ...view, viewer: 'rider' })).toEqual(['drop'])
  expect(editableFields({ ...view, viewer: 'rider', status: 'NEW', bookLater: true })).toEqual([
    'drop',
    'time',
  ])
  expect(editableFields({ ...view, viewer: 'driver' })).toEqual([])
  const delivery = {} as BookingView['delivery']
  expect(editableFields({ ...view, delivery })).toEqual(['note'])
  expect(editableFields({ ...view, delivery, viewer: 'rider', status: 'NEW', bookLater: true })).toEqual([
    'time',
  ])
})

it('changes -> only what differs; null while a place or a valid time is missing', () => {
  const { pickup, drop } = view
  const same = { pickup, drop, carType: 'ct', later: false, at: '', passengers: 2, note: 'Blue door' }
  expect(changesOf(view, same, 'UTC')).toEqual({ id: 'b' })
  expect(changesOf(view, { ...same, drop: null }, 'UTC')).toBeNull()
  expect(changesOf(view, { ...same, later: true, at: '2000-01-01T10:00' }, 'UTC')).toBeNull()
  const tomorrow = { ...view, bookLater: true, tripdate: Date.UTC(2020, 1, 1, 10, 0, 30) }
  const kept = { ...same, later: true, at: '2020-02-01T10:00' }
  expect(changesOf(tomorrow, kept, 'UTC')).toEqual({ id: 'b' })
  const corrected = { ...same, passengers: null, note: ' Second door ' }
  expect(changesOf(view, corrected, 'UTC')).toEqual({ id: 'b', passengers: null, note: 'Second door' })
  const moved = { ...drop, lat: 5 }
  expect(changesOf(view, { ...same, drop: moved }, 'UTC')).toEqual({ id: 'b', drop: moved })
})

it('payment method: card for an account, not for a guest, who has no checkout', async () => {
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 2, cardAvailable: true })
  const isCardShown = () => screen.queryByRole('radio', { name: /payments.method_card/ }) !== null
  await dialog()
  expect(isCardShown()).toBe(true)
  cleanup()
  await dialog({ ...view, customer_email: null })
  expect(screen.getByRole('radio', { name: /payments.method_cash/ })).toBeTruthy()
  expect(isCardShown()).toBe(false)
})
