import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { DriverOutbox } from './offline-queue.ts'
import { useOwnPosition } from './watch-geolocation.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

it('own position: found, lost and found again -> fixedSince is the time of the last finding', () => {
  vi.useFakeTimers()
  let find: PositionCallback = () => undefined
  const coords = { latitude: 1, longitude: 2, heading: null, speed: null, accuracy: 5 }
  const move = () => act(() => find({ coords, timestamp: 0 } as GeolocationPosition))
  const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
  const geolocation = {
    watchPosition: (take: PositionCallback) => {
      find = take
      return 1
    },
    getCurrentPosition: () => undefined,
    clearWatch: () => undefined,
  }
  vi.stubGlobal('navigator', { geolocation })
  const calls = {
    report: () => new Promise(() => {}),
    upload: async () => null,
    forget: () => {},
    step: () => Promise.reject(new Error('no step')),
  }
  const outbox = new DriverOutbox('d', calls, () => undefined)
  const { result, rerender } = renderHook(({ active }) => useOwnPosition(active, 3_000, outbox), {
    initialProps: { active: true },
  })
  expect(result.current).toMatchObject({ locating: 'asking', fixedSince: null })
  const found = Date.now()
  move()
  wait(2_000)
  move()
  expect(result.current).toMatchObject({ locating: 'live', fixedSince: found })
  wait(15_000)
  expect(result.current).toMatchObject({ locating: 'lost', fixedSince: null })
  move()
  expect(result.current).toMatchObject({ locating: 'live', fixedSince: found + 17_000 })
  rerender({ active: false })
  expect(result.current).toMatchObject({ locating: 'off', fixedSince: null })
})
