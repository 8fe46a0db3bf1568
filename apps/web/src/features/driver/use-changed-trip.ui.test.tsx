import type { BookingView } from '@hansom/contract/bookings'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startConsole } from './driver.fixture.ts'
import { tripOf } from './trip.fixture.ts'
import { useChangedTrip } from './use-changed-trip.tsx'

beforeEach(startConsole)
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const follow = (trip: BookingView | null) =>
  renderHook(({ known }) => useChangedTrip(known), { initialProps: { known: trip } })

it('drop changed on the way -> shown until dismissed', () => {
  const hook = follow(tripOf({ status: 'STARTED' }))
  expect(hook.result.current.changed).toBeNull()
  hook.rerender({ known: tripOf({ status: 'STARTED', version: 2, dropAddress: 'Port' }) })
  expect(hook.result.current.changed).toMatchObject({ which: 'drop', trip: { dropAddress: 'Port' } })
  act(() => hook.result.current.read())
  expect(hook.result.current.changed).toBeNull()
})

it.each([
  ['another trip', tripOf({ id: 'c', dropAddress: 'Port' })],
  ['only the status', tripOf({ status: 'ARRIVED' })],
  ['the drop at the end of the trip', tripOf({ status: 'REACHED', dropAddress: 'Port' })],
])('%s -> nothing shown', (_case, next) => {
  const hook = follow(tripOf({ status: 'ACCEPTED' }))
  hook.rerender({ known: next })
  expect(hook.result.current.changed).toBeNull()
})
