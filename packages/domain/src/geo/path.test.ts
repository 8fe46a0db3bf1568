import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { bearingTo, boxAround, isInside, pathKm, pointAlong, simplifyPath } from './path.ts'
import { greatCircleKm } from './point.ts'

const corner = [
  { lat: 0, lng: 0 },
  { lat: 0, lng: 0 },
  { lat: 0.01, lng: 0 },
  { lat: 0.01, lng: 0.01 },
]

it('pointAlong: distance along a path -> position and heading', () => {
  const length = pathKm(corner)
  expect(length).toBeCloseTo(2.2239, 3)
  const quarter = pointAlong(corner, length / 4)
  expect([quarter.lat, quarter.lng, quarter.bearing]).toEqual([
    expect.closeTo(0.005, 5),
    expect.closeTo(0, 5),
    expect.closeTo(0, 5),
  ])
  expect(pointAlong(corner, length * 0.75).bearing).toBeCloseTo(90, 2)
  expect(pointAlong(corner, 99)).toMatchObject({ lat: 0.01, lng: 0.01 })
  expect(pointAlong(corner, -1)).toMatchObject({ lat: 0, lng: 0 })
  expect(() => pointAlong([], 1)).toThrow(RangeError)
})

it('bearingTo: the four cardinal directions -> 0, 90, 180, 270', () => {
  const here = { lat: 0, lng: 0 }
  expect(bearingTo(here, { lat: -1, lng: 0 })).toBeCloseTo(180, 6)
  expect(bearingTo(here, { lat: 0, lng: -1 })).toBeCloseTo(270, 6)
})

it('boxAround: a radius -> contains the points within it', () => {
  const center = { lat: -34.9, lng: -56.2 }
  const box = boxAround(center, 10)
  for (let degrees = 0; degrees < 360; degrees += 5) {
    const turn = (degrees * Math.PI) / 180
    const edge = { lat: center.lat + Math.cos(turn) * 0.0895, lng: center.lng + Math.sin(turn) * 0.109 }
    if (greatCircleKm(center, edge) <= 10) expect(isInside(box, edge)).toBe(true)
  }
  expect(isInside(box, { lat: -34.7, lng: -56.2 })).toBe(false)
})

const start = { lat: -34.9, lng: -56.2 }
const at = (northM: number, eastM: number) => ({
  lat: start.lat + northM / 111_195,
  lng: start.lng + eastM / 111_195 / Math.cos((start.lat * Math.PI) / 180),
})

test('simplify: a straight line with scatter below the tolerance -> its ends', () => {
  const path = Array.from({ length: 100 }, (_, step) => at(step * 10, step % 2 === 0 ? 2 : -2))
  expect(simplifyPath(path, 5)).toEqual([path[0], path.at(-1)])
})

test('simplify: a corner -> stays', () => {
  const path = [at(0, 0), at(100, 1), at(200, 0), at(200, 100), at(201, 200)]
  expect(simplifyPath(path, 5)).toEqual([path[0], path[2], path[4]])
})

test('simplify: across the date line -> like elsewhere', () => {
  const path = [179.99, 179.995, -180, -179.995].map((lng) => ({ lat: -16.8, lng }))
  expect(simplifyPath(path, 5)).toEqual([path[0], path[3]])
})

test.each([[[]], [[start]], [[start, start]]])('simplify: fewer than three points -> the same', (path) => {
  expect(simplifyPath(path, 5)).toEqual(path)
})

test('simplify: any path -> every point is near the simplified path, in the same order', () => {
  const step = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }))
  fc.assert(
    fc.property(fc.array(step, { minLength: 3, maxLength: 200 }), (steps) => {
      let north = 0
      let east = 0
      const path = steps.map(([n, e]) => at((north += n), (east += e)))
      const left = simplifyPath(path, 5)
      let place = 0
      for (const point of left) {
        place = path.indexOf(point, place)
        expect(place).toBeGreaterThanOrEqual(0)
      }
      for (const point of path) {
        const near = left.some((from, index) => {
          const to = left[index + 1] ?? from
          const length = greatCircleKm(from, to) * 1000
          const shares = length === 0 ? [0] : Array.from({ length: 201 }, (_, share) => share / 200)
          return shares.some(
            (share) =>
              greatCircleKm(point, {
                lat: from.lat + (to.lat - from.lat) * share,
                lng: from.lng + (to.lng - from.lng) * share,
              }) *
                1000 <
              6,
          )
        })
        expect(near).toBe(true)
      }
    }),
    { numRuns: 50 },
  )
})
