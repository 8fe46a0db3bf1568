import { expect, it } from 'vitest'
import type { SourceFeature } from '../source/map-source.ts'
import { unitsIn } from './entry.ts'
import { type RoadsNearby, StoppingPoints } from './stopping-points.ts'

const home = 2_000_000_000
/** Even, so that midpoints are integers. */
const metre = Math.round(unitsIn(1, home) / 2) * 2
const at = (east: number, south: number) => ({
  x: Math.round(home + east * metre),
  y: Math.round(home + south * metre),
})
const ring = (...corners: [number, number][]) =>
  [...corners, corners[0] as [number, number]].flatMap(([east, south]) => Object.values(at(east, south)))
const square = (from: number, to: number) => [ring([from, from], [to, from], [to, to], [from, to])]
const point = (east: number, south: number, tags: Record<string, string>): SourceFeature => ({
  id: 'n1',
  shape: 'point',
  tags,
  rings: [Object.values(at(east, south))],
})

/** One street along the eastern side of the square, 20 m away. */
const street: RoadsNearby = {
  stopNear: (x, y, within = 1_500) => {
    const stop = { x: at(420, 0).x, y }
    const away = Math.abs(stop.x - x) / metre
    return away <= within ? { ...stop, away } : null
  },
}
const stopOf = (features: SourceFeature[], tags = {}, rings = square(0, 400)) =>
  new StoppingPoints(features, street).of(tags, rings)

const mainEntrance = point(400, 100, { entrance: 'main' })

it.each([
  ['a gate and a main entrance', [point(400, 300, { barrier: 'gate' }), mainEntrance], at(420, 100)],
  ['a private entrance', [point(400, 100, { entrance: 'main', access: 'private' })], at(420, 200)],
  ['an entrance that no street comes near', [point(0, 100, { entrance: 'main' })], at(420, 200)],
  ['a taxi rank inside', [point(300, 50, { amenity: 'taxi' })], at(420, 50)],
  ["a building's side door inside", [point(300, 50, { entrance: 'yes' })], at(420, 200)],
  ['an entrance elsewhere', [point(480, 100, { entrance: 'main' })], at(420, 200)],
  ['nothing known', [], at(420, 200)],
])('large place with %s -> where a car can stop', (_, features, stop) => {
  expect(stopOf(features)).toEqual(stop)
})

it('airport with gates -> its terminal', () => {
  const terminal: SourceFeature = {
    id: 'w1',
    shape: 'area',
    tags: { aeroway: 'terminal' },
    rings: square(300, 380),
  }
  expect(stopOf([mainEntrance, terminal], { aeroway: 'aerodrome' })).toEqual(at(420, 340))
  expect(stopOf([mainEntrance, terminal])).toEqual(at(420, 100))
})

it('small place -> its own position', () => {
  expect(stopOf([mainEntrance], {}, square(320, 400))).toBeUndefined()
})
