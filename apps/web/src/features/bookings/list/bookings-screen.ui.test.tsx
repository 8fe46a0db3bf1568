import type { BookingView } from '@hansom/contract/bookings'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../../lib/test-data.fixture.ts'
import { BookingsScreen } from './bookings-screen.tsx'

const live = vi.hoisted(() => ({ open: undefined as unknown, chats: {} as Record<string, unknown> }))
vi.mock('../../../lib/live.ts', async (original) => ({
  ...(await original<typeof import('../../../lib/live.ts')>()),
  useLive: (kind: string, ref?: string) => ({ data: kind === 'chat' ? live.chats[ref ?? ''] : live.open }),
}))
vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children: React.ReactNode }) => <a href="/trip">{children}</a>,
  useNavigate: () => () => undefined,
  useSearch: () => ({}),
}))

const booking = (changes: Partial<BookingView>) =>
  ({
    id: 'b',
    viewer: 'driver',
    status: 'STARTED',
    commands: [],
    pickupAddress: 'Rivera 1234',
    tripdate: 0,
    trip_cost: 0,
    discount_amount: 0,
    ...changes,
  }) as BookingView
/** The bookings on the server. */
let stored: BookingView[] = []
const fetched = vi.fn(async (_url: string) => Response.json({ items: stored, next: null }))

beforeEach(() => {
  storeTestSettings({ symbol: '$', decimal: 0, timezone: 'UTC' })
  startEnglish()
  queryClient.clear()
  live.chats = {}
  vi.stubGlobal('fetch', fetched)
  fetched.mockClear()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** Renders the list with a live topic; returns a function that changes the topic. */
function show(open: BookingView[]) {
  const list = () => (
    <QueryClientProvider client={queryClient}>
      <BookingsScreen dialogs={{ pay: () => null, cancel: () => null }} />
    </QueryClientProvider>
  )
  live.open = open
  const { rerender } = render(list())
  return (next: BookingView[]) => {
    live.open = next
    rerender(list())
  }
}

it('history: open trip ends or is cancelled -> list shows its final status', async () => {
  stored = [booking({})]
  const change = show(stored)
  await screen.findByText('history.status_STARTED')
  stored = [booking({ status: 'COMPLETE' })]
  change([])
  await screen.findByText('history.status_COMPLETE')
})

it('history: trip accepted after the list loaded -> listed', async () => {
  stored = []
  const change = show([])
  await screen.findByText('error.no_bookings')
  stored = [booking({ status: 'ACCEPTED' })]
  change(stored)
  await screen.findByText('history.status_ACCEPTED')
})

it('history: open trip changes its status -> list is not reloaded', async () => {
  stored = [booking({})]
  const change = show(stored)
  await screen.findByText('history.status_STARTED')
  change([booking({ status: 'REACHED' })])
  expect(fetched.mock.calls.filter(([url]) => url.startsWith('/api/v1/bookings'))).toHaveLength(1)
})

it('history: messages arrive and are read -> the row counts them, and the list is not reloaded', async () => {
  const chat = (last: number, read: number) => ({
    booking: 'b',
    side: 'driver',
    marks: { rider: { delivered: 0, read: 0 }, driver: { delivered: read, read } },
    messages: Array.from({ length: last }, (_, index) => ({ seq: index + 1, source: 'rider' })),
  })
  stored = [booking({}), booking({ id: 'ended', status: 'COMPLETE', unread_messages: 4 } as object)]
  live.chats['b'] = chat(1, 0)
  const change = show([booking({})])
  const counts = () =>
    screen.getAllByRole('listitem').map((row) => /(\d\+?)chatButton.unread/.exec(row.textContent ?? '')?.[1])
  await screen.findByText('history.status_COMPLETE')
  expect(counts()).toEqual(['1', '4'])
  live.chats['b'] = chat(3, 0)
  change([booking({})])
  expect(counts()).toEqual(['3', '4'])
  live.chats['b'] = chat(3, 3)
  change([booking({})])
  expect(counts()).toEqual([undefined, '4'])
  expect(fetched.mock.calls.filter(([url]) => url.startsWith('/api/v1/bookings'))).toHaveLength(1)
})

it('Book Later trip before its dispatch -> upcoming', async () => {
  const later = { status: 'NEW', drivers_asked_at: Date.now() + 60_000 } as const
  stored = [booking({ id: 'later', ...later }), booking({ id: 'now', ...later, drivers_asked_at: null })]
  show(stored)
  await screen.findByText('history.status_planned')
  const texts = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(texts).toEqual([
    expect.stringContaining('history.status_planned'),
    expect.stringContaining('history.status_NEW'),
  ])
})
