import { ApiError } from '@hansom/client/api-error'
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  lazyRouteComponent,
  RouterProvider,
} from '@tanstack/react-router'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { setStoredAt } from '../lib/initial-topics.ts'
import { isUnreached, LoadError } from '../lib/load-error.ts'
import { startEnglish } from '../lib/test-data.fixture.ts'
import { part } from '../ui/lazy-part.tsx'
import { PageError } from './page-fallbacks.tsx'

let isOnline: boolean
let isServerAway: boolean

beforeEach(() => {
  isOnline = false
  isServerAway = false
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline)
  vi.stubGlobal('scrollTo', () => {})
  startEnglish({
    'error.offline': 'You’re offline.',
    'error.server_error': 'The problem is on our side.',
    'common.retry': 'Try again',
  })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Shows a page whose code loads only with a connection to the server, or never. */
function show(offlineError: Error, broken?: Error) {
  const component = lazyRouteComponent(async () => {
    if (broken || !isOnline || isServerAway) throw broken ?? offlineError
    return { default: () => <p>The page</p> }
  })
  const routeTree = createRootRoute({ component, errorComponent: PageError })
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/'] }) })
  render(<RouterProvider router={router} />)
}

const reconnect = () =>
  act(async () => {
    isOnline = true
    fireEvent(window, new Event('online'))
  })

it.each([
  ['code', new LoadError(new TypeError('no connection'))],
  ['texts', new ApiError('Fetch Call Error', 0)],
])(
  'page: its %s not loaded, device offline -> says so; back online -> retries by itself',
  async (_part, error) => {
    show(error)
    await screen.findByText('You’re offline.')
    await reconnect()
    await screen.findByText('The page')
    expect(screen.queryByRole('alert')).toBeNull()
  },
)

it('page: server away while the device is online -> retries by itself when it is back', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.stubGlobal('fetch', async () => {
    if (isServerAway) throw new TypeError()
    return Response.json({})
  })
  isOnline = true
  isServerAway = true
  show(new ApiError('Fetch Call Error', 0))
  await screen.findByRole('alert')
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  isServerAway = false
  await act(() => vi.advanceTimersByTimeAsync(5_000))
  await screen.findByText('The page')
})

it.each([
  ['online', true, false],
  ['offline', false, false],
  ['offline, from a stored page', false, true],
])(
  'page: its own code fails %s -> our side, with an id that is in the log',
  async (_case, online, isStored) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const reports: object[] = []
    vi.stubGlobal('fetch', async (request: Request | string, init?: RequestInit) => {
      if (!String(request instanceof Request ? request.url : request).endsWith('/page-errors'))
        throw new TypeError()
      reports.push(JSON.parse(String(init?.body ?? (request instanceof Request ? await request.text() : ''))))
      return Response.json({ ok: true })
    })
    isOnline = online
    if (isStored) setStoredAt(1)
    show(new Error(), new TypeError('x is not a function'))
    await screen.findByText('The problem is on our side.')
    expect(screen.queryByText('You’re offline.')).toBeNull()
    const id = (await screen.findByText(/^[0-9a-f]{32}$/)).textContent
    await vi.waitFor(() =>
      expect(reports).toEqual([
        { id, message: 'x is not a function', stack: expect.stringContaining('TypeError'), path: '/' },
      ]),
    )
    screen.getByRole('button', { name: 'Try again' })
  },
)

it('page: refused by the server -> no report', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const fetched = vi.fn()
  vi.stubGlobal('fetch', fetched)
  isOnline = true
  show(new Error(), new ApiError('not_found', 404))
  await screen.findByRole('alert')
  expect(fetched).not.toHaveBeenCalled()
})

it('part: its code cannot be fetched -> not loaded; its code fails -> an error of ours', async () => {
  const missing = part(() => Promise.reject(new TypeError('Failed to fetch')))
  const error = await missing.load().catch((reason: unknown) => reason)
  expect([isUnreached(error), (error as Error).message]).toEqual([true, 'Failed to fetch'])
  expect(isUnreached(new TypeError('Failed to fetch'))).toBe(false)
  expect(isUnreached(new ApiError('server_error', 500))).toBe(false)
})
