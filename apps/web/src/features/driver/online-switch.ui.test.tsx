import type { DriverState } from '@hansom/contract/tracking'
import type { DriverBlock } from '@hansom/domain/users/driver-blocks'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startConsole } from './driver.fixture.ts'
import { OnlineSwitch } from './online-switch.tsx'
import type { Locating } from './watch-geolocation.ts'

beforeEach(() => startConsole())
afterEach(() => {
  cleanup()
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
const show = (connected: boolean, changes: Partial<DriverState> = {}, locating: Locating = 'live') =>
  render(
    <OnlineSwitch
      state={{ ...state, ...changes }}
      locating={locating}
      connected={connected}
      busy={false}
      error={null}
      onChange={() => {}}
    />,
  )

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
