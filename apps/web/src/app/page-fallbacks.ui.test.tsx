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
import { startEnglish } from '../lib/test-data.fixture.ts'
import { PageError } from './page-fallbacks.tsx'

let isOnline: boolean

beforeEach(() => {
  isOnline = false
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
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Shows a page whose code loads only with a connection, or never. */
function show(offlineError: Error, broken?: Error) {
  const component = lazyRouteComponent(async () => {
    if (broken || !isOnline) throw broken ?? offlineError
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
  ['code', new TypeError('no connection')],
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

it('page: fails online -> the problem is on our side', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  isOnline = true
  show(new Error(), new Error('broken'))
  await screen.findByText('The problem is on our side.')
})
