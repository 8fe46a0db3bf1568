import { describe, expect, it } from 'vitest'
import { greatCircleKm } from '../geo/point.ts'
import {
  finishTrack,
  gapsToRoute,
  maxRoutedGaps,
  measureTrack,
  planTrack,
  type TrackPoint,
  thin,
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
