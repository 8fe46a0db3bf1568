import { describe, expect, it } from 'vitest'
import { greatCircleKm } from '../geo/point.ts'
import {
  breaksToRoute,
  finishTrack,
  gapsToRoute,
  matchedLength,
  maxRoutedGaps,
  measureTrack,
  planTrack,
  type TrackLength,
  type TrackPoint,
  thin,
  withRoutedBreaks,
} from './track.ts'

/** A point `metres` north of a corner in Montevideo at second `second`. */
function at(second: number, metres: number, status = 'STARTED'): TrackPoint {
  return { at: second * 1000, lat: -34.9 + metres / 111_195, lng: -56.17, status }
}
const km = (metres: number) => metres / 1000
const noRoute = () => null

describe('measureTrack', () => {
  it('fewer than two counted points -> zero', () => {
    expect(measureTrack([], noRoute).distance).toBe(0)
    expect(measureTrack([at(0, 0), at(5, 50, 'ACCEPTED')], noRoute).distance).toBe(0)
  })

  it('points in any order -> added up by time', () => {
    const track = [at(20, 200), at(0, 0), at(10, 100), at(30, 300, 'REACHED')]
    const length = measureTrack(track, () => 99)
    expect(length.distance).toBeCloseTo(km(300), 4)
    expect(length.distance_filled).toBe(0)
  })

  it('gap in time or space -> filled with the routed distance', () => {
    const track = [at(0, 0), at(70, 400), at(80, 500), at(110, 1200)]
    const plan = planTrack(track)
    expect(plan.gaps.map((gap) => gap.from.at)).toEqual([0, 80_000])
    const length = finishTrack(plan, [0.6, 0.9])
    expect(length.distance_filled).toBeCloseTo(1.5, 9)
    expect(length.distance).toBeCloseTo(1.5 + km(100), 4)
  })

  it('no route, or too far to drive in the time -> the straight line', () => {
    const track = [at(0, 0), at(70, 400)]
    expect(measureTrack(track, noRoute).distance).toBeCloseTo(km(400), 4)
    expect(measureTrack(track, () => 40).distance).toBeCloseTo(km(400), 4)
  })

  it('car stood still -> no detour', () => {
    expect(measureTrack([at(0, 0), at(300, 10)], () => 1.2).distance).toBeCloseTo(km(10), 5)
  })

  /** A point every second, `away` meters to the east and west in turn, as a device of that accuracy reports it. */
  const noisy = (away: number, from: number, seconds: number, metresAt: (second: number) => number) =>
    Array.from({ length: seconds }, (_, second) => ({
      ...at(from + second, metresAt(second)),
      lng: -56.17 + (second % 2 ? away : -away) / 91_200,
      accuracy: away * Math.SQRT2,
    }))

  it('dense positions, noise larger than the steps -> about the distance driven, none at a stop', () => {
    const drive = noisy(20, 0, 200, (second) => second * 10)
    const track = measureTrack(drive, noRoute)
    expect(track.distance).toBeGreaterThan(km(1900))
    expect(track.distance).toBeLessThan(km(2200))
    const matched = { distanceKm: km(1990), unmatchedKm: 0, breaks: [], matchedShare: 1 }
    expect(matchedLength(track, matched).distance_source).toBe('matched')
    expect(
      measureTrack(
        noisy(20, 0, 600, () => 0),
        noRoute,
      ).distance,
    ).toBeLessThan(km(100))
  })

  it('stop of minutes, positions far apart by noise -> no gap and no jump', () => {
    const track = [...noisy(40, 0, 120, () => 0), ...noisy(40, 120, 60, (second) => second * 10)]
    const plan = planTrack(track)
    expect(plan.gaps).toEqual([])
    expect(plan.points).toHaveLength(180)
  })

  it('jump or wrong first point -> dropped', () => {
    const jump = [at(0, 0), at(10, 100), at(11, 9000), at(20, 200)]
    expect(measureTrack(jump, noRoute).distance).toBeCloseTo(km(200), 4)
    const start = [at(0, 9000), at(10, 100), at(20, 200), at(30, 300)]
    expect(measureTrack(start, noRoute).distance).toBeCloseTo(km(200), 4)
  })
})

it('long track -> thinned to about 25 points with both ends', () => {
  const many = Array.from({ length: 1000 }, (_, index) => index)
  const few = thin(many)
  expect(few).toHaveLength(25)
  expect([few[0], few.at(-1)]).toEqual([0, 999])
  expect(new Set(few).size).toBe(25)
  expect(thin([1, 2])).toEqual([1, 2])
})

it('one degree of latitude -> 111.195 km', () => {
  expect(greatCircleKm({ lat: 0, lng: 0 }, { lat: 1, lng: 0 })).toBeCloseTo(111.195, 3)
})

it('many gaps -> only the longest are routed', () => {
  // Every second point is a kilometre away, every twentieth two.
  const points = Array.from({ length: 1_000 }, (_, index) =>
    at(index * 600, (index % 2) * 1_000 + (index % 20 === 0 ? -1_000 : 0)),
  )
  const plan = planTrack(points)
  expect(plan.gaps.length).toBeGreaterThan(maxRoutedGaps)
  const chosen = gapsToRoute(plan)
  expect(chosen).toHaveLength(plan.gaps.length)
  const routed = chosen.filter((gap) => gap !== null)
  expect(routed).toHaveLength(maxRoutedGaps)
  const long = plan.gaps.filter((gap) => greatCircleKm(gap.from, gap.to) > 1.5)
  expect(long.every((gap) => routed.includes(gap))).toBe(true)
})

describe('matchedLength', () => {
  const track: TrackLength = {
    distance: 5,
    distance_filled: 1,
    distance_source: 'track',
    distance_unmatched: 0,
  }

  it('reliable match -> its distance, on and off the streets', () => {
    const matched = { distanceKm: 5.2, unmatchedKm: 0.3, breaks: [], matchedShare: 0.95 }
    expect(matchedLength(track, matched)).toEqual({
      distance: 5.5,
      distance_filled: 1,
      distance_source: 'matched',
      distance_unmatched: 0.3,
    })
  })

  it('match shorter than a noisy track -> the match', () => {
    const matched = { distanceKm: 3.5, unmatchedKm: 0, breaks: [], matchedShare: 1 }
    expect(matchedLength(track, matched)).toMatchObject({ distance: 3.5, distance_source: 'matched' })
  })

  it.each([
    ['few positions near a street', { distanceKm: 5, unmatchedKm: 0, breaks: [], matchedShare: 0.7 }],
    ['much on no street', { distanceKm: 3.5, unmatchedKm: 1.5, breaks: [], matchedShare: 0.9 }],
    [
      'more than half longer than the track',
      { distanceKm: 7.7, unmatchedKm: 0, breaks: [], matchedShare: 1 },
    ],
    ['less than half of the track', { distanceKm: 2.3, unmatchedKm: 0, breaks: [], matchedShare: 1 }],
    ['nothing matched', { distanceKm: 0, unmatchedKm: 0, breaks: [], matchedShare: 0 }],
  ])('%s -> the track', (_, matched) => {
    expect(matchedLength(track, matched)).toBe(track)
  })

  it.each([0.1, 0.41, 0.6])('short trip, match of %s km for 0.2 km -> at most 0.2 km apart', (distanceKm) => {
    const short: TrackLength = { ...track, distance: 0.2, distance_filled: 0 }
    const { distance } = matchedLength(short, { distanceKm, unmatchedKm: 0, breaks: [], matchedShare: 1 })
    expect(Math.abs(distance - 0.2)).toBeLessThanOrEqual(0.2)
    expect(distance).toBe(distanceKm === 0.1 ? 0.1 : 0.2)
  })

  it('match with breaks -> routes across those that are gaps and possible', () => {
    const place = (metres: number, seconds: number) => at(seconds, metres)
    const breaks = [
      { from: place(0, 0), to: place(4_000, 600) },
      { from: place(4_000, 600), to: place(4_400, 620) },
      { from: place(4_400, 620), to: place(6_400, 650) },
    ]
    const matched = { distanceKm: 20, unmatchedKm: 6.4, breaks, matchedShare: 1 }
    // The second is no gap; the third cannot be 5 km in half a minute.
    expect(breaksToRoute(matched)).toEqual([breaks[0], breaks[2]])
    expect(withRoutedBreaks(matched, [7, 5]).unmatchedKm).toBeCloseTo(6.4 + 3, 2)
    expect(withRoutedBreaks(matched, [null, null]).unmatchedKm).toBe(6.4)
  })

  it('standstill -> no distance either way', () => {
    const none: TrackLength = { ...track, distance: 0, distance_filled: 0 }
    expect(matchedLength(none, { distanceKm: 0, unmatchedKm: 0, breaks: [], matchedShare: 1 }).distance).toBe(
      0,
    )
  })
})
