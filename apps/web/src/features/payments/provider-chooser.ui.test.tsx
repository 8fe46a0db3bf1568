import { ApiError } from '@hansom/client/api-error'
import type { PaymentOrder } from '@hansom/contract/payments'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, createEvent, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { ProviderChooser } from './provider-chooser.tsx'
import type { KnownOrder } from './use-order.ts'

const texts = {
  'error.no_provider_found': 'No payment provider is set up.',
  'error.provider_fetch_error': 'The payment providers could not be read.',
  'common.retry': 'Try again',
  'payments.provider_stripe': 'Stripe',
  'payments.provider_paytm': 'Paytm',
  'payments.provider_test': 'Test payment',
  'payments.takes_not': 'Does not take {{currency}}',
  'payments.sandbox': 'Sandbox',
}
const order: PaymentOrder = {
  id: 'o',
  kind: 'booking',
  booking: 'o',
  booking_id: 'K7X2QP',
  amount: 1_100_000,
  currency: 'UYU',
  fields: [
    { name: 'order_id', value: 'o' },
    { name: 'amount', value: '110.00' },
  ],
  providers: [
    { name: 'stripe', link: '/pay/stripe', takes: true, live: true },
    { name: 'paytm', link: '/pay/paytm', takes: false, live: true },
    { name: 'test', link: '/pay/test', takes: true, live: false },
  ],
}

beforeEach(() => {
  startEnglish(texts)
  storeTestSettings({
    symbol: '$',
    decimal: 2,
    swipe_symbol: false,
    timezone: 'UTC',
    version: 1,
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
})

function show(known: Partial<KnownOrder>, onGo = vi.fn()) {
  const retry = vi.fn()
  render(
    <QueryClientProvider client={queryClient}>
      <ProviderChooser known={{ order: undefined, error: null, retry, ...known }} onGo={onGo} />
    </QueryClientProvider>,
  )
  return { retry, onGo }
}

/** Clicks a provider; true if its form is submitted. */
function goes(name: RegExp): boolean {
  const form = screen.getByRole('button', { name }).closest('form') as HTMLFormElement
  const event = createEvent.submit(form)
  fireEvent(form, event)
  return !event.defaultPrevented
}

it('provider chosen twice -> posts the fields of the order to its link once', () => {
  const { onGo } = show({ order })
  const form = screen.getByRole('button', { name: /Stripe/ }).closest('form') as HTMLFormElement
  expect([form.method, form.getAttribute('action')]).toEqual(['post', '/pay/stripe'])
  expect([...new FormData(form)]).toEqual([
    ['order_id', 'o'],
    ['amount', '110.00'],
  ])
  expect(goes(/Stripe/)).toBe(true)
  expect(goes(/Stripe/)).toBe(false)
  expect(goes(/Test payment/)).toBe(false)
  expect(onGo).toHaveBeenCalledTimes(1)
})

it('page restored from history -> provider can be chosen again', () => {
  show({ order })
  expect(goes(/Stripe/)).toBe(true)
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }))
  expect(goes(/Stripe/)).toBe(true)
})

it('provider that refuses the amount, test provider -> shown with the reason', () => {
  show({ order })
  const paytm = screen.getByRole('button', { name: /Paytm/ })
  expect(paytm).toHaveProperty('disabled', true)
  expect(paytm.textContent).toMatch(/Does not take .UYU/)
  expect(screen.getByRole('button', { name: /Test payment/ }).textContent).toContain('Sandbox')
  expect(screen.getByRole('button', { name: /Stripe/ }).textContent).not.toContain('Sandbox')
})

it('empty list, failed request -> different errors, the latter with a retry', () => {
  show({ order: { ...order, providers: [] } })
  expect(screen.getByRole('alert').textContent).toBe('No payment provider is set up.')
  cleanup()
  const { retry } = show({ error: new ApiError('provider_fetch_error', 502) })
  expect(screen.getByRole('alert').textContent).toContain('could not be read')
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(retry).toHaveBeenCalledTimes(1)
})
