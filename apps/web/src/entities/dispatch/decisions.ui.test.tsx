import type { DispatchDecision } from '@hansom/contract/dispatch'
import decisions from '@hansom/domain/languages/packs/en/decisions.json'
import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
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
  startEnglish(
    Object.fromEntries(Object.entries(decisions).map(([name, text]) => [`decisions.${name}`, text])),
  )
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

it('decisions: none stored -> says so', async () => {
  answer = []
  show(<Decisions booking={booking} version={1} />)
  open('Why these drivers')
  expect(await screen.findByText(decisions.empty)).toBeTruthy()
})

it('recent requests: opened -> the own reason, time and rounded distance of each', async () => {
  answer = [{ at: 60_000, reason: 'sooner_first', km: 1.5 }]
  show(<RecentRequests />)
  open('Recent requests nearby')
  const item = (await screen.findByText('Others could be there sooner')).closest('li') as HTMLElement
  expect(item.textContent).toMatch(/Within.*1\.5.*km/)
  expect(asked).toEqual(['/api/v1/driver/recent-requests'])
})
