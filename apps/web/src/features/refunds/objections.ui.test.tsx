import type { BookingView } from '@hansom/contract/bookings'
import refunds from '@hansom/domain/languages/packs/en/refunds.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { loadModal } from '../../ui/modal.tsx'
import { Objections } from './objections.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children: React.ReactNode }) => <a href="/trip">{children}</a>,
}))

const contested = {
  id: 'b',
  booking_id: 'T96UM9',
  customer_name: 'Ana Torres',
  driver_name: 'Bruno Silva',
  tripdate: 0,
  closed_at: 0,
  payableAmount: 1_380_000,
} as BookingView

/** Open objections on the server. */
let open: BookingView[]

beforeAll(loadModal)
beforeEach(() => {
  const texts = Object.entries(refunds).map(([name, words]) => [`refunds.${name}`, words])
  startEnglish(Object.fromEntries(texts))
  queryClient.clear()
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC', version: 1 })
  open = [contested]
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (init.method === 'GET') return Response.json(url.includes('events') ? [] : { items: open, next: null })
    open = open.slice(1)
    return Response.json(contested)
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('objections of a delivery installation -> what each is about', async () => {
  storeTestSettings({ category: 'delivery', symbol: '$', decimal: 0, timezone: 'UTC', version: 2 })
  open = [contested, { ...contested, id: 'c', objection_to: 'return_leg' }]
  render(
    <QueryClientProvider client={queryClient}>
      <Objections />
    </QueryClientProvider>,
  )
  const rows = await screen.findAllByRole('listitem')
  expect(rows.map(({ textContent }) => /Cash payment|Return charge/.exec(textContent ?? '')?.[0])).toEqual([
    'Cash payment',
    'Return charge',
  ])
})

it.each([
  ['no other', []],
  ['another one', [{ ...contested, id: 'c', booking_id: 'T00000' }]],
])('objection: decided, %s is left -> says how, and the focus is there', async (_, others) => {
  open.push(...others)
  render(
    <QueryClientProvider client={queryClient}>
      <Objections />
    </QueryClientProvider>,
  )
  fireEvent.click((await screen.findAllByRole('button', { name: 'Decide' }))[0] as HTMLElement)
  fireEvent.click(screen.getByLabelText('Not paid: the rider still owes it'))
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'No receipt' } })
  fireEvent.submit(screen.getByRole('textbox'))
  const told = await screen.findByRole('status')
  expect(told.textContent?.replace(/[\u2066-\u2069]/g, '')).toBe(
    'Decision recorded for T96UM9. Not paid: the rider still owes it. The rider and the driver are notified.',
  )
  await vi.waitFor(() =>
    expect(screen.queryAllByRole('button', { name: 'Decide' })).toHaveLength(others.length),
  )
  expect(document.activeElement).toBe(told.parentElement)
})

it('objection to a return leg -> its amount, and no outcome for cash', async () => {
  const delivery = { return_leg: { distanceKm: 3, durationS: 600, cost: 250_000 } }
  open = [{ ...contested, objection_to: 'return_leg', delivery } as BookingView]
  render(
    <QueryClientProvider client={queryClient}>
      <Objections />
    </QueryClientProvider>,
  )
  fireEvent.click(await screen.findByRole('button', { name: 'Decide' }))
  const text = document.body.textContent?.replace(/[\u2066-\u2069]/g, '')
  expect(text).toContain('Ana Torres objects to the return charge of $25.')
  expect(screen.getAllByRole('radio')).toHaveLength(2)
  expect(screen.getByLabelText('It stands: the sender pays it')).not.toBeNull()
})
