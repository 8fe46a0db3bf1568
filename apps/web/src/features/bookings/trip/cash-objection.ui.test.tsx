import type { BookingView } from '@hansom/contract/bookings'
import delivery from '@hansom/domain/languages/packs/en/delivery.json'
import trip from '@hansom/domain/languages/packs/en/trip.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { CashObjection } from './cash-objection.tsx'

beforeEach(() => {
  const textsOf = (group: string, pack: object) =>
    Object.entries(pack).map(([name, words]) => [`${group}.${name}`, words])
  startEnglish(Object.fromEntries([...textsOf('trip', trip), ...textsOf('delivery', delivery)]))
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const unpaid = {
  id: 'b',
  viewer: 'rider',
  status: 'PENDING',
  commands: ['object'],
  cash_answer: 'nothing',
  objection: null,
  payableAmount: 1_380_000,
  outstanding_amount: 300_000,
} as BookingView

const show = (view: BookingView) =>
  render(
    <QueryClientProvider client={queryClient}>
      <CashObjection view={view} />
    </QueryClientProvider>,
  )
const words = () => (document.body.textContent ?? '').replace(/[\u2066-\u2069]/g, '')

it('objection: driver reports unpaid -> full amount shown, objection sent', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push([new URL(url, 'http://x').pathname, JSON.parse(String(init.body))])
    return Response.json({ ...unpaid, objection: 'open' })
  })
  show(unpaid)
  expect(words()).toContain('Your driver says you didn’t pay the $168 in cash.')
  expect(words()).toContain('once the trip is paid, you can no longer object')
  fireEvent.click(screen.getByRole('button', { name: 'I already paid' }))
  fireEvent.change(screen.getByRole('textbox'), { target: { value: ' Two notes of 100 ' } })
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(sent).toEqual([['/api/v1/bookings/b/object', { reason: 'Two notes of 100' }]]))
})

it('objection: only the trip was paid -> remaining amount shown', () => {
  show({ ...unpaid, status: 'PAID', cash_answer: 'trip', payableAmount: 0 })
  expect(words()).toContain('Your driver says you didn’t pay the outstanding amount of $30.')
})

it('objection: open -> says that nothing is collected meanwhile', () => {
  show({ ...unpaid, status: 'PAID', commands: [], objection: 'open' })
  expect(words()).toContain('We won’t collect anything until')
  expect(screen.queryByRole('button')).toBeNull()
})

it('objection: nothing unpaid -> nothing shown', () => {
  show({ ...unpaid, commands: [], cash_answer: 'all' })
  expect(document.body.textContent).toBe('')
})

const returned = {
  ...unpaid,
  status: 'PAID',
  cash_answer: null,
  objection_to: 'return_leg',
  payableAmount: 0,
  outstanding_amount: null,
  closed_at: Date.now(),
  delivery: { return_leg: { distanceKm: 3, durationS: 600, cost: 250_000 } },
} as BookingView

it('return leg charged -> its amount shown, and an objection needs a reason', () => {
  show(returned)
  expect(words()).toContain('You were charged $25 to bring back what couldn’t be delivered.')
  fireEvent.click(screen.getByRole('button', { name: 'Object to the return charge' }))
  const send = screen.getByRole<HTMLButtonElement>('button', { name: 'Send' })
  expect(send.disabled).toBe(true)
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'No one rang' } })
  expect(send.disabled).toBe(false)
})

it('return leg of a delivery that ended 15 days ago -> nothing shown', () => {
  show({ ...returned, closed_at: Date.now() - 15 * 86_400_000 })
  expect(document.body.textContent).toBe('')
})

it.each([
  ['open', 'we won’t collect what’s unpaid'],
  ['not_paid', 'the return charge stands'],
  ['written_off', 'you don’t pay the return charge'],
] as const)('objection to the return leg: %s -> says so', (objection, text) => {
  show({ ...returned, commands: [], objection })
  expect(words()).toContain(text)
})
