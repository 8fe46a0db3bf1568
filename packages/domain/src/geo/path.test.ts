import { expect, it } from 'vitest'
import { boxAround, isInside } from './bounding-box.ts'
import { bearingTo, pathKm, pointAlong } from './path.ts'
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
