import type { DispatchDecision } from '@hansom/contract/dispatch'
import decisions from '@hansom/domain/languages/packs/en/decisions.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { withoutIsolates } from '../../lib/format.ts'
import { queryClient } from '../../lib/query-client.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { Decisions, RecentRequests } from './decisions.tsx'

const booking = '0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e6f'
const driver = (name: string, reason: DispatchDecision['drivers'][number]['reason']) => ({
  id: `0192f5d4-7b1c-7c3d-8e2f-1a2b3c4d5e${name.length}0`,
  name,
  reason,
  km: 1.2,
  arrivalS: 240,
  freeS: 0,
  idleS: 0,
})
let asked: string[]
let answer: unknown

beforeEach(() => {
  asked = []
  startEnglish({
    'common.labeled': '{{name}}: {{value}}',
    ...Object.fromEntries(Object.entries(decisions).map(([name, text]) => [`decisions.${name}`, text])),
  })
  storeTestSettings({})
  vi.stubGlobal('fetch', async (url: string | Request) => {
    asked.push(new URL(url instanceof Request ? url.url : url, 'http://x.test').pathname)
    return Response.json(answer)
  })
})
afterEach(() => {
  cleanup()
  queryClient.clear()
})

const show = (part: React.ReactNode) =>
  render(<QueryClientProvider client={queryClient}>{part}</QueryClientProvider>)

/** Opens the part, as a click on its summary does in a browser. */
function open(summary: string) {
  const details = screen.getByText(summary).closest('details') as HTMLDetailsElement
  details.open = true
  details.dispatchEvent(new Event('toggle'))
}

it('decisions: opened -> each round with its strategy, rule and reasons; nothing is requested before', async () => {
  answer = [
    {
      wave: 2,
      at: 1_000,
      kind: 'ask',
      strategy: 'batch',
      rule: 'Rush',
      radiusKm: 10,
      counts: { offered: 1, other_rider: 1 },
      drivers: [driver('Ana', 'offered'), driver('Boris', 'other_rider')],
    },
  ] satisfies DispatchDecision[]
  show(<Decisions booking={booking} version={3} />)
  expect(asked).toEqual([])
  open('Why these drivers')
  const items = within((await screen.findByText('Ana')).closest('ul') as HTMLElement).getAllByRole('listitem')
  expect(items.map((item) => item.dataset.outcome)).toEqual(['offered', 'passed_over'])
  expect(items.map((item) => item.textContent)).toEqual([
    expect.stringContaining('Asked'),
    expect.stringContaining('Matched with another booking'),
  ])
  expect(screen.getByText(/Rule:.*Rush/)).toBeTruthy()
  expect(asked).toEqual([`/api/v1/bookings/${booking}/decisions`])
})

it('decisions: more drivers than fit -> radius, counts by reason, the first five, and the others on demand', async () => {
  const names = ['A', 'Bo', 'Cat', 'Dora', 'Elena', 'Felipe', 'Gabriel']
  answer = [
    {
      wave: 1,
      at: 1_000,
      kind: 'ask',
      strategy: 'waves',
      rule: null,
      radiusKm: 4,
      counts: { offered: 2, sooner_first: 5, beyond_radius: 3, debt: 1 },
      drivers: names.map((name, index) => ({
        ...driver(name, index < 2 ? 'offered' : 'sooner_first'),
        idleS: index === 0 ? 2_400 : 0,
      })),
    },
  ] satisfies DispatchDecision[]
  show(<Decisions booking={booking} version={3} />)
  open('Why these drivers')
  const first = (await screen.findByText('A')).closest('li') as HTMLElement
  const plain = (element: HTMLElement) => withoutIsolates(element.textContent ?? '')
  expect(plain(first)).toBe('AAsked1.2 kmThere in 4 minIdle for 40 min')
  expect(plain(screen.getByText(/^Radius/))).toBe('Radius: 4 km')
  const lines = ['Asked: 2', 'Passed over: 8', 'Excluded: 1'].map((text) => {
    const total = screen.getByText(
      (_, element) => element?.tagName === 'STRONG' && plain(element as HTMLElement) === text,
    )
    return plain(total.closest('li') as HTMLElement)
  })
  expect(lines).toEqual([
    'Asked: 2',
    'Passed over: 8Others are there sooner: 5Outside this round’s radius: 3',
    'Excluded: 1Owes too much for cash: 1',
  ])
  expect(screen.queryByText('Felipe')).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
  expect(screen.getByText('Gabriel')).toBeTruthy()
  expect(plain(screen.getByText(/^Only the first/))).toBe('Only the first 7 are listed.')
  fireEvent.click(screen.getByRole('button', { name: 'Show fewer' }))
  expect(screen.queryByText('Felipe')).toBeNull()
})

it('decisions: waves without a new driver were skipped -> the next one says so', async () => {
  const wave = (number: number) => ({
    wave: number,
    at: number * 1_000,
    kind: 'ask' as const,
    strategy: 'waves' as const,
    rule: null,
    radiusKm: 4,
    counts: { offered: 1 },
    drivers: [driver('Ana', 'offered')],
  })
  answer = [4, 2, 1].map(wave) satisfies DispatchDecision[]
  show(<Decisions booking={booking} version={3} />)
  open('Why these drivers')
  const round = (number: number) => screen.getByText(`Round ${number}`).closest('li')?.textContent
  await screen.findByText('Round 4')
  expect([4, 2, 1].filter((number) => round(number)?.includes(decisions.widened))).toEqual([4])
})

it('decisions: none stored -> says so', async () => {
  answer = []
  show(<Decisions booking={booking} version={1} />)
  open('Why these drivers')
  expect(await screen.findByText(decisions.empty)).toBeTruthy()
})

it('recent requests: opened -> the own reason, time and rounded distance of each', async () => {
  answer = [{ at: 60_000, reason: 'sooner_first', km: 1.5 }]
  show(<RecentRequests offers="" />)
  open('Recent requests nearby')
  const item = (await screen.findByText('Others could be there sooner')).closest('li') as HTMLElement
  expect(item.textContent).toMatch(/Within.*1\.5.*km/)
  expect(asked).toEqual(['/api/v1/driver/recent-requests'])
})

it('recent requests: the requests to the driver change -> read again, and shown until then', async () => {
  answer = []
  const at = (offers: string) => (
    <QueryClientProvider client={queryClient}>
      <RecentRequests offers={offers} />
    </QueryClientProvider>
  )
  const { rerender } = render(at('a'))
  open('Recent requests nearby')
  await screen.findByText(decisions.mine_none)
  answer = [{ at: 60_000, reason: 'offered', km: 1.5 }]
  rerender(at(''))
  expect(screen.getByText(decisions.mine_none)).toBeTruthy()
  expect(await screen.findByText(decisions.mine_offered)).toBeTruthy()
  expect(asked).toHaveLength(2)
})
