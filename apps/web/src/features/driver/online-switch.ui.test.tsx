import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startConsole } from './driver.fixture.ts'
import { OnlineSwitch } from './online-switch.tsx'

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
const show = (connected: boolean) =>
  render(
    <OnlineSwitch
      state={state}
      locating="live"
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

it('sound: no interaction yet -> button to turn it on; afterwards -> none', () => {
  touched(false)
  show(true)
  expect(screen.getByRole('button', { name: /Turn on request sounds/ })).toBeTruthy()
  cleanup()
  touched(true)
  show(true)
  expect(screen.queryByRole('button', { name: /Turn on request sounds/ })).toBeNull()
})
