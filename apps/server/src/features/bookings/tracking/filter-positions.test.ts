import { expect, test } from 'vitest'
import { filterPositions } from './filter-positions.ts'

const now = 1_800_000_000_000
/** A point `km` north of the start, `s` seconds after it. */
const at = (km: number, s: number, accuracy?: number) => ({
  lat: -34.9 + km / 111.2,
  lng: -56.2,
  at: now + s * 1000,
  accuracy,
})
const fresh = { last: null, doubted: null }
const times = (kept: { at: number }[]) => kept.map((one) => (one.at - now) / 1000)

test('positions: too inaccurate -> dropped', () => {
  const { kept } = filterPositions(fresh, [at(0, 0), at(0, 5, 5000), at(0, 9)], now + 10_000)
  expect(times(kept)).toEqual([0, 9])
})

test('positions: device clock is ahead -> shifted to the server clock, intervals kept', () => {
  const { kept, trail } = filterPositions(fresh, [at(0, 3600), at(0.02, 3610)], now)
  expect(times(kept)).toEqual([-10, 0])
  const next = filterPositions(trail, [at(0.03, 3612)], now + 2_000)
  expect(times(next.kept)).toEqual([2])
})

test('positions: server clock was set back -> the next position becomes the newest', () => {
  const { trail } = filterPositions(fresh, [at(0, 0)], now)
  const { kept, trail: after } = filterPositions(trail, [at(0.02, -59)], now - 59_000)
  expect(times(kept)).toEqual([-59])
  expect(after.last).toMatchObject({ at: now - 59_000 })
})

test('positions: impossible jump -> dropped until a second position confirms it', () => {
  const first = filterPositions(fresh, [at(0, 0), at(9, 3), at(0.01, 5)], now + 60_000)
  expect(times(first.kept)).toEqual([0, 5])
  const moved = filterPositions(first.trail, [at(9, 8), at(9.01, 10), at(9.02, 12)], now + 60_000)
  expect(times(moved.kept)).toEqual([10, 12])
})

test('positions: scatter of a stationary car, replay of older positions -> kept', () => {
  const { kept, trail } = filterPositions(fresh, [at(0, 10), at(0.05, 11)], now + 60_000)
  expect(times(kept)).toEqual([10, 11])
  expect(times(filterPositions(trail, [at(0, 3), at(0, 4)], now + 60_000).kept)).toEqual([3, 4])
})

test('positions: older one from which the last is unreachable -> dropped', () => {
  const { trail } = filterPositions(fresh, [at(0, 100), at(0.05, 101)], now + 200_000)
  const replay = filterPositions(trail, [at(0.5, 60), at(40, 90), at(0, 99)], now + 200_000)
  expect(times(replay.kept)).toEqual([60, 99])
})
