import type { DriverState } from '@hansom/contract/tracking'
import { currentBlocks, type DriverBlock, freeReportMs } from '@hansom/domain/users/driver-blocks'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../lib/query-client.ts'
import { startConsole } from './driver.fixture.ts'
import { OnlineSwitch, useDriverState } from './online-switch.tsx'
import type { Locating } from './watch-geolocation.ts'

beforeEach(() => startConsole())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  Reflect.deleteProperty(navigator, 'userActivation')
})

const state = {
  driverActiveStatus: true,
  queue: false,
  approved: true,
  location: null,
  blocked: [],
  today: { trips: 0, earnings: 0, cash_owed: 0 },
}
const touched = (hasBeenActive: boolean) =>
  Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive }, configurable: true })
const fetchedAt = 1_790_000_000_000
/** The switch; a live receiver has found the position just before the state was fetched, or `fixedMs` before. */
const show = (
  connected: boolean,
  changes: Partial<DriverState> = {},
  locating: Locating = 'live',
  fixedMs = 0,
) => {
  const fixedSince = locating === 'live' ? fetchedAt - fixedMs : null
  const shown = { ...state, ...changes }
  return render(
    <OnlineSwitch
      state={shown}
      blocks={currentBlocks({ ...shown, fetchedAt }, fixedSince)}
      locating={locating}
      connected={connected}
      busy={false}
      error={null}
      onChange={() => {}}
    />,
  )
}

it('online switch: no connection -> says that no request can arrive', () => {
  show(false)
  const words = screen.getByRole('switch').textContent
  expect(words).toContain('No connection')
  expect(words).not.toContain('You’re online')
})

it.each<[string, boolean, DriverBlock[], Locating, string, string[]]>([
  ['online', true, [], 'live', 'You’re online You can receive requests.', []],
  ['position not yet known', true, [], 'asking', 'You’re online Waiting for your location…', []],
  [
    'server has no position yet',
    true,
    ['no_location'],
    'live',
    'You’re online You can receive requests.',
    [],
  ],
  ['position lost', true, [], 'lost', 'You’re online You can’t receive requests yet.', []],
  ['on a trip', true, ['busy'], 'live', 'You’re online You’re on a trip.', []],
  ['in debt', true, ['debt'], 'live', 'You’re online You can receive requests.', ['You owe money']],
  ['offline', false, ['offline'], 'off', 'You’re offline Go online to receive requests.', []],
  [
    'no car type',
    false,
    ['no_car_type'],
    'off',
    'You’re offline You can’t receive requests yet.',
    ['car type'],
  ],
])(
  'online switch: %s -> its state and its text agree',
  (_case, driverActiveStatus, blocked, locating, said, why) => {
    show(true, { driverActiveStatus, blocked }, locating)
    const control = screen.getByRole('switch')
    expect(
      Array.from(control.querySelectorAll('strong, strong + span'), (part) => part.textContent).join(' '),
    ).toBe(said)
    const reasons = Array.from(document.querySelectorAll('p'), (reason) => reason.textContent ?? '')
    expect(reasons).toHaveLength(why.length)
    for (const [index, part] of why.entries()) expect(reasons[index]).toContain(part)
  },
)

it('online switch: position found, but still not at the server -> waits for it', () => {
  show(true, { blocked: ['no_location'] }, 'live', freeReportMs)
  const control = screen.getByRole('switch')
  expect(control.textContent).toContain('Waiting for your location…')
  expect(control.textContent).not.toContain('You can receive requests.')
})

it('online switch: awaiting approval -> offline, disabled, says why', () => {
  show(true, { approved: false, blocked: ['not_approved'] }, 'off')
  const control = screen.getByRole('switch', { checked: false })
  expect(control.textContent).toContain('You’re offline')
  expect(control.textContent).toContain('You can’t receive requests yet.')
  expect(control.hasAttribute('disabled')).toBe(true)
  expect(screen.getByText('Your account is awaiting approval.')).toBeTruthy()
})

it('sound: no interaction yet -> button to turn it on; afterwards -> none', () => {
  touched(false)
  show(true)
  expect(screen.getByRole('button', { name: /Turn on request sounds/ })).toBeTruthy()
  cleanup()
  touched(true)
  show(true)
  expect(screen.queryByRole('button', { name: /Turn on request sounds/ })).toBeNull()
})

/** The driver's state; the server has no position in its first response and does not respond to the switch. */
async function startState() {
  vi.useFakeTimers()
  queryClient.clear()
  const fetched = vi.fn(async (_url: string, { method }: RequestInit) => {
    if (method === 'POST') return new Promise<Response>(() => {})
    return Response.json({ ...state, blocked: fetched.mock.calls.length === 1 ? ['no_location'] : [] })
  })
  vi.stubGlobal('fetch', fetched)
  const { result } = renderHook(useDriverState, {
    wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>,
  })
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await wait(0)
  expect(result.current.state.data?.blocked).toEqual(['no_location'])
  return { result, fetched, wait }
}

it('driver state: no position at the server -> reloaded after 5 s, later every 30 s', async () => {
  const { result, fetched, wait } = await startState()
  await wait(5_500)
  expect(result.current.state.data?.blocked).toEqual([])
  await wait(29_000)
  expect(fetched).toHaveBeenCalledTimes(2)
  await wait(1_000)
  expect(fetched).toHaveBeenCalledTimes(3)
})

it('driver state: switch pressed -> changes at once, and the rest keeps its age', async () => {
  const { result, wait } = await startState()
  const { dataUpdatedAt } = result.current.state
  await wait(1_000)
  act(() => result.current.switching.mutate({ online: false }))
  await wait(0)
  expect(result.current.state.data?.driverActiveStatus).toBe(false)
  expect(result.current.state.dataUpdatedAt).toBe(dataUpdatedAt)
})
