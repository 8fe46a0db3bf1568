import { figuresOf, strategies } from '@hansom/domain/dispatch/strategies'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createFormat } from '../../lib/format.ts'
import { queryClient } from '../../lib/query-client.ts'
import { storeMe } from '../../lib/session.ts'
import { startEnglish, storeTestSettings } from '../../lib/test-data.fixture.ts'
import { DispatchRulesScreen } from './dispatch-rules-screen.tsx'
import { daysField } from './rule-columns.tsx'

const sent: unknown[] = []

beforeEach(async () => {
  sent.length = 0
  queryClient.clear()
  startEnglish()
  storeTestSettings({})
  storeMe({ uid: 'a', usertype: 'admin', version: 1 } as Parameters<typeof storeMe>[0])
  vi.stubGlobal('fetch', async (given: Request | string, init: RequestInit = {}) => {
    const request = typeof given === 'string' ? new Request(new URL(given, location.href), init) : given
    if (request.method === 'POST') {
      sent.push(await request.json())
      return Response.json({ error: 'too_many_rules' }, { status: 409 })
    }
    return Response.json(request.url.includes('count') ? { count: 0 } : { items: [], next: null })
  })
  const router = createRouter({
    routeTree: createRootRoute({ component: DispatchRulesScreen }),
    history: createMemoryHistory({ initialEntries: ['/'] }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  fireEvent.click((await screen.findAllByRole('button', { name: 'dispatchRules.add' }))[0] as HTMLElement)
  await screen.findByLabelText('dispatchRules.name')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const input = (name: string) => document.querySelector<HTMLInputElement>(`form [name="${name}"]`)
const type = (name: string, text: string) =>
  fireEvent.change(input(name) as HTMLInputElement, { target: { value: text } })
const names = [...new Set(Object.values(figuresOf).flat())]

it('strategy chosen -> its own figures only', () => {
  for (const strategy of strategies) {
    type('strategy', strategy)
    const shown = names.filter((name) => input(name) !== null)
    expect(shown.toSorted()).toEqual(figuresOf[strategy].toSorted())
  }
})

it('figure that another strategy ignores: invalid -> stays in view and stops the form; valid -> hidden, and sent', async () => {
  type('name', 'Night')
  type('strategy', 'batch')
  type('batchSeconds', 'soon')
  type('strategy', 'nearest')
  const submit = () => act(async () => fireEvent.submit(document.querySelector('form') as HTMLFormElement))
  await submit()
  expect(input('batchSeconds')?.getAttribute('aria-invalid')).toBe('true')
  expect(sent).toEqual([])
  type('batchSeconds', '7')
  expect(input('batchSeconds')).toBeNull()
  await submit()
  await vi.waitFor(() =>
    expect(sent).toMatchObject([{ name: 'Night', strategy: 'nearest', batchSeconds: 7 }]),
  )
})

it('days: some -> sent in the order of the week; none -> named as missing, and the form keeps what was typed', async () => {
  const day = (name: string) => screen.getByRole('checkbox', { name })
  const submit = () => act(async () => fireEvent.submit(document.querySelector('form') as HTMLFormElement))
  type('name', 'Nights')
  for (const name of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
    fireEvent.click(day(name))
  await submit()
  expect(day('Monday').getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('group', { name: 'dispatchRules.days' }).textContent).toContain(
    'error.field_required',
  )
  expect([input('name')?.value, sent]).toEqual(['Nights', []])
  fireEvent.click(day('Saturday'))
  fireEvent.click(day('Friday'))
  await submit()
  await vi.waitFor(() => expect(sent).toMatchObject([{ name: 'Nights', days: ['fri', 'sat'] }]))
})

it('days in the list -> their usual name, or each', () => {
  const format = createFormat({
    locale: 'en',
    dateLocale: 'en',
    symbol: '$',
    decimal: 2,
    swipe_symbol: false,
    convert_to_mile: false,
    timezone: 'UTC',
  })
  const { cell } = daysField((key) => key, format)
  const shown = (days: string) => cell?.({ days: days.split(' ') } as never)
  expect(shown('mon tue wed thu fri sat sun')).toBe('dispatchRules.days_all')
  expect(shown('mon tue wed thu fri')).toBe('dispatchRules.days_weekdays')
  expect(shown('sat sun')).toBe('dispatchRules.days_weekend')
  expect(shown('sat fri')).toBe('Fri, Sat')
})
