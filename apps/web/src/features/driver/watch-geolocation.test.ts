import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchFixes } from './watch-geolocation.ts'

const codes = { PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3 } as const

/** A fake receiver; `answer` is its response to a request. */
function receiver() {
  let watch: PositionCallback = () => undefined
  let fail: PositionErrorCallback | null | undefined
  const asked: PositionOptions[] = []
  const hand = { answer: null as number | null }
  const at = (latitude: number) => ({ coords: { latitude }, timestamp: 0 }) as GeolocationPosition
  const geolocation = {
    watchPosition: (take: PositionCallback, failed?: PositionErrorCallback | null) => {
      watch = take
      fail = failed
      return 1
    },
    getCurrentPosition: (take: PositionCallback, _fail: unknown, options: PositionOptions) => {
      asked.push(options)
      if (hand.answer !== null) take(at(hand.answer))
    },
    clearWatch: vi.fn(),
  } as unknown as Geolocation
  const told: (number | string)[] = []
  const stop = watchFixes(geolocation, {
    fix: ({ latitude }) => told.push(latitude),
    locating: (state) => told.push(state),
  })
  return {
    told,
    asked,
    hand,
    stop,
    move: (latitude: number) => watch(at(latitude)),
    fail: (code: number) => fail?.({ ...codes, code, message: '' }),
  }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('silent receiver -> requests a fresh fix, never a cached one', () => {
  const { told, asked, hand, move, stop } = receiver()
  hand.answer = 2
  move(1)
  vi.advanceTimersByTime(7_000)
  expect(asked).toEqual([])
  vi.advanceTimersByTime(10_000)
  expect(told).toEqual(['live', 1, 2, 2])
  expect(asked.every(({ maximumAge }) => maximumAge === 0)).toBe(true)
  stop()
  vi.advanceTimersByTime(60_000)
  expect(asked).toHaveLength(2)
})

it('no fix -> lost; next fix -> live again', () => {
  const { told, move } = receiver()
  move(1)
  vi.advanceTimersByTime(60_000)
  expect(told).toEqual(['live', 1, 'lost'])
  move(3)
  expect(told.slice(3)).toEqual(['live', 3])
})

it('receiver fails -> lost; permission denied -> refused', () => {
  const { told, move, fail } = receiver()
  move(1)
  fail(codes.TIMEOUT)
  expect(told).toEqual(['live', 1])
  fail(codes.POSITION_UNAVAILABLE)
  fail(codes.PERMISSION_DENIED)
  vi.advanceTimersByTime(60_000)
  expect(told.slice(2)).toEqual(['lost', 'refused'])
})
