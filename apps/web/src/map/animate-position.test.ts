import { greatCircleKm } from '@hansom/domain/geo/point'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { animateTo, isFinished, mixBearing, poseAt } from './animate-position.ts'

const plaza = { lat: -34.9058, lng: -56.1913 }
const east = { lat: -34.9058, lng: -56.1893 }
const north = { lat: -34.9038, lng: -56.1893 }

describe('glide', () => {
  const glide = animateTo({ ...plaza, bearing: 0 }, east, [plaza, east], 1000, 2000)

  it('start -> at the drawn position, half time -> half way, end -> at the target', () => {
    expect(poseAt(glide, 1000)).toMatchObject(plaza)
    const half = poseAt(glide, 2000)
    expect(half.lng).toBeCloseTo(-56.1903, 6)
    expect(poseAt(glide, 3000)).toMatchObject({ lat: east.lat, lng: east.lng })
    expect(isFinished(glide, 2999)).toBe(false)
    expect(isFinished(glide, 3000)).toBe(true)
  })

  it('first third -> turns into the route, then faces along it', () => {
    expect(poseAt(glide, 1000).bearing).toBe(0)
    expect(poseAt(glide, 1350).bearing).toBeGreaterThan(30)
    expect(poseAt(glide, 1350).bearing).toBeLessThan(60)
    expect(poseAt(glide, 2500).bearing).toBeCloseTo(90, 1)
  })

  it('corner -> rounded, no snapping', () => {
    const corner = animateTo({ ...plaza, bearing: 90 }, north, [plaza, east, north], 0, 1000)
    const bearings = Array.from({ length: 101 }, (_, step) => poseAt(corner, step * 10).bearing)
    for (let step = 1; step < bearings.length; step++) {
      const turn = Math.abs((((bearings[step] as number) - (bearings[step - 1] as number) + 540) % 360) - 180)
      expect(turn).toBeLessThan(35)
    }
    expect(bearings.at(-1)).toBeCloseTo(0, 0)
  })

  it('stationary -> keeps its bearing unless the new position has one', () => {
    const still = animateTo({ ...plaza, bearing: 200 }, plaza, [plaza, plaza], 0, 1000)
    expect(poseAt(still, 900).bearing).toBe(200)
    const turned = animateTo({ ...plaza, bearing: 200 }, { ...plaza, bearing: 220 }, [plaza, plaza], 0, 1000)
    expect(poseAt(turned, 900).bearing).toBe(220)
  })

  it('duration -> interval between positions; after a silence -> catches up quickly', () => {
    expect(animateTo({ ...plaza, bearing: 0 }, east, [plaza, east], 0, 1900).durationMs).toBe(1900)
    expect(animateTo({ ...plaza, bearing: 0 }, east, [plaza, east], 0, 1).durationMs).toBe(200)
    expect(animateTo({ ...plaza, bearing: 0 }, east, [plaza, east], 0, 60_000).durationMs).toBe(800)
  })

  it('any time -> on the path, never backwards', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b) => {
          const [early, late] = [Math.min(a, b), Math.max(a, b)].map((share) =>
            poseAt(glide, 1000 + share * 2000),
          )
          if (!early || !late) return false
          return greatCircleKm(plaza, early) <= greatCircleKm(plaza, late) + 1e-9
        },
      ),
    )
  })
})

describe('bearing', () => {
  it.each([
    [350, 10, 0.5, 0],
    [10, 350, 0.5, 0],
    [0, 90, 0.5, 45],
    [270, 90, 0, 270],
    [90, 90, 1, 90],
  ])('from %i to %i by %f -> %i', (from, to, share, expected) => {
    expect(mixBearing(from, to, share)).toBeCloseTo(expected, 6)
  })

  it('any turn -> stays within 0 and 360, at most half a turn', () => {
    const bearing = fc.double({ min: 0, max: 360, noNaN: true })
    fc.assert(
      fc.property(bearing, bearing, (from, to) => {
        const half = mixBearing(from, to, 0.5)
        const turn = Math.abs(((half - from + 540) % 360) - 180)
        return half >= 0 && half <= 360 && turn <= 90.0001
      }),
    )
  })
})
