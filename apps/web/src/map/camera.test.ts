import { describe, expect, it } from 'vitest'
import { boundsAround, fittingPadding, needsFit } from './camera.ts'

const padding = { top: 50, bottom: 50, left: 50, right: 50 }

describe('camera', () => {
  it('several points -> frames all, a single point -> with its surroundings', () => {
    expect(boundsAround([])).toBeNull()
    const [west, south, east, north] = boundsAround([{ lat: -34.9, lng: -56.2 }]) ?? []
    expect(east).toBeCloseTo(-56.1985, 6)
    expect(west).toBeCloseTo(-56.2015, 6)
    expect(north).toBeCloseTo(-34.8985, 6)
    expect(south).toBeCloseTo(-34.9015, 6)
    expect(
      boundsAround([
        { lat: -35, lng: -57 },
        { lat: -34, lng: -56 },
      ]),
    ).toEqual([-57, -35, -56, -34])
  })

  it('a point leaves the free area, or all move together -> needs a fit', () => {
    expect(needsFit([], 400, 400, padding)).toBe(false)
    expect(
      needsFit(
        [
          { x: 60, y: 60 },
          { x: 340, y: 340 },
        ],
        400,
        400,
        padding,
      ),
    ).toBe(false)
    expect(
      needsFit(
        [
          { x: 60, y: 60 },
          { x: 390, y: 340 },
        ],
        400,
        400,
        padding,
      ),
    ).toBe(true)
    expect(
      needsFit(
        [
          { x: 60, y: 60 },
          { x: 300, y: 390 },
        ],
        400,
        400,
        padding,
      ),
    ).toBe(true)
    expect(
      needsFit(
        [
          { x: 190, y: 190 },
          { x: 210, y: 210 },
        ],
        400,
        400,
        padding,
      ),
    ).toBe(true)
    expect(
      needsFit(
        [
          { x: 190, y: 190 },
          { x: 210, y: 210 },
        ],
        400,
        400,
        padding,
        false,
      ),
    ).toBe(false)
  })

  it('padding larger than the map -> reduced', () => {
    const { top, bottom } = fittingPadding({ ...padding, bottom: 600 }, 390, 700)
    expect(top + bottom).toBeLessThanOrEqual(490.0001)
  })
})
