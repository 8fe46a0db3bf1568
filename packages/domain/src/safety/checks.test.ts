import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pathKm } from '../geo/path.ts'
import { failedChecks, type SafetyPoint, safetyLimits, type WatchedTrip } from './checks.ts'

const start = 1_800_000_000_000
/** Degrees of latitude per metre. */
const degree = 1 / 111_195
const pickup = { lat: -34.9, lng: -56.17 }
/** 10 km north of the pickup. */
const drop = { lat: pickup.lat + 10_000 * degree, lng: pickup.lng }
const north = (metres: number) => ({ lat: pickup.lat + metres * degree, lng: pickup.lng })

/** A point every 10 s since the start, at the places that `at` gives for the seconds since the start. */
const track = (
  seconds: number,
  at: (s: number) => { lat: number; lng: number },
  accuracy: number | null = 10,
): SafetyPoint[] =>
  Array.from({ length: Math.floor(seconds / 10) + 1 }, (_, index) => ({
    ...at(index * 10),
    at: start + index * 10_000,
    accuracy,
  }))

const trip = (points: readonly SafetyPoint[], more: Partial<WatchedTrip> = {}): WatchedTrip => ({
  startedAt: start,
  track: points,
  heardAt: points.at(-1)?.at ?? null,
  places: [pickup, drop],
  route: [pickup, drop],
  routeAt: null,
  ...more,
})
const check = (one: WatchedTrip, seconds: number) => failedChecks(one, start + seconds * 1000, start)

describe('unusual stop', () => {
  const standing = (metres: number) => () => north(metres)
  test.each<[string, SafetyPoint[], string[]]>([
    ['three minutes in the middle of the route', track(180, standing(5000)), ['stop']],
    ['less than three minutes', track(170, standing(5000)), []],
    ['near the pickup', track(600, standing(150)), []],
    ['near the drop', track(600, standing(9_850)), []],
    ['just outside of the pickup', track(600, standing(260)), ['stop']],
    ['a traffic jam at walking pace', track(600, (s) => north(2000 + s * 0.7)), []],
    ['around the block', track(600, (s) => north(5000 + 150 * Math.sin(s / 30))), []],
    ['imprecise positions only', track(600, standing(5000), 400), []],
  ])('%s', (_name, points, expected) => {
    expect(check(trip(points), (points.length - 1) * 10)).toEqual(expected)
  })

  test('planned stop of a delivery -> may be there', () => {
    const points = track(600, standing(5000))
    expect(check(trip(points, { places: [pickup, north(5000), drop] }), 600)).toEqual([])
  })

  test('gap in the track -> nothing is known about the time between', () => {
    const points = track(300, standing(5000)).filter(({ at }) => at < start + 130_000 || at > start + 200_000)
    expect(check(trip(points), 300)).toEqual([])
  })

  test('positions that scatter within 50 m -> a stop; any car that gets on by 110 m in the time -> none', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 110, max: 3000 }), (seed, metres) => {
        const jitter = (s: number) => (((s * 7919 + seed * 104_729) % 61) - 30) * degree
        const scattered = track(180, (s) => ({ lat: north(5000).lat + jitter(s), lng: pickup.lng }))
        expect(check(trip(scattered), 180)).toEqual(['stop'])
        const moving = track(180, (s) => north(2000 + (metres * s) / 180))
        expect(check(trip(moving), 180)).toEqual([])
      }),
    )
  })
})

describe('deviation', () => {
  const east = (metres: number, s: number) => ({
    ...north(2000 + s * 10),
    lng: pickup.lng + metres * degree * 1.22,
  })
  test.each<[string, SafetyPoint[], string[]]>([
    ['600 m away for a minute', track(60, (s) => east(600, s)), ['deviation']],
    ['600 m away for less', track(50, (s) => east(600, s)), []],
    ['400 m away', track(120, (s) => east(400, s)), []],
    ['back on the route for a moment', track(120, (s) => east(s === 100 ? 300 : 600, s)), []],
    ['on the route', track(120, (s) => north(s * 10)), []],
  ])('%s', (_name, points, expected) => {
    expect(check(trip(points), (points.length - 1) * 10)).toEqual(expected)
  })

  test('destination changed -> counts from then; no route -> no check', () => {
    const points = track(120, (s) => east(900, s))
    expect(check(trip(points, { routeAt: start + 90_000 }), 120)).toEqual([])
    expect(check(trip(points, { routeAt: start + 50_000 }), 120)).toEqual(['deviation'])
    expect(check(trip(points, { route: null }), 120)).toEqual([])
  })

  test('any route: a car on it -> no deviation', () => {
    const place = fc.record({
      lat: fc.double({ min: -35, max: -34, noNaN: true }),
      lng: fc.double({ min: -57, max: -56, noNaN: true }),
    })
    fc.assert(
      fc.property(
        fc.array(place, { minLength: 2, maxLength: 6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (route, share) => {
          fc.pre(pathKm(route) > 1)
          const at = Math.min(route.length - 2, Math.floor(share * (route.length - 1)))
          const [from, to] = [route[at] as typeof pickup, route[at + 1] as typeof pickup]
          const points = track(120, (s) => ({
            lat: from.lat + ((to.lat - from.lat) * s) / 120,
            lng: from.lng + ((to.lng - from.lng) * s) / 120,
          }))
          expect(check(trip(points, { route }), 120)).not.toContain('deviation')
        },
      ),
    )
  })
})

describe('silence', () => {
  const minutes = (count: number) => count * 60
  test('two minutes since the last position -> silence, and nothing else', () => {
    const points = track(180, () => north(5000))
    expect(check(trip(points), 180 + 119)).toEqual(['stop'])
    expect(check(trip(points), 180 + minutes(2))).toEqual(['silence'])
  })

  test('never a position -> two minutes after the start', () => {
    expect(check(trip([]), 119)).toEqual([])
    expect(check(trip([]), minutes(2))).toEqual(['silence'])
  })

  test('the server was away -> silence counts from its return', () => {
    const back = start + 600_000
    expect(failedChecks(trip([]), back + safetyLimits.silenceMs - 1, back)).toEqual([])
    expect(failedChecks(trip([]), back + safetyLimits.silenceMs, back)).toEqual(['silence'])
  })
})
