import { greatCircleKm } from '@hansom/domain/geo/point'
import { describe, expect, it } from 'vitest'
import { boundsAround, cityBounds, cornersOf, fittingPadding, mainArea, needsFit } from './camera.ts'

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

  const oslo = { lat: 59.91, lng: 10.75 }
  const near = (at: typeof oslo, index: number) => ({
    lat: at.lat + ((index * 7) % 10) / 500,
    lng: at.lng + ((index * 3) % 10) / 250,
  })

  it('main area: one wrong position -> the other drivers fill the map', () => {
    const drivers = Array.from({ length: 12 }, (_, index) => near(oslo, index))
    expect(mainArea([...drivers, { lat: 0, lng: 0 }], 0.5)).toEqual(mainArea(drivers, 0.5))
    expect(mainArea(drivers, 0.5)).toEqual(cornersOf(drivers))
  })

  it('main area: drivers spread evenly over two towns -> both are shown', () => {
    const drivers = [0, 1, 2, 3, 4].flatMap((index) => [
      near(oslo, index),
      near({ lat: 59.2, lng: 9.6 }, index),
    ])
    expect(mainArea(drivers, 0.5)).toEqual(cornersOf(drivers))
  })

  it('main area: a single driver -> with the streets around, no drivers -> empty', () => {
    const [low, high] = mainArea([oslo], 1.5)
    if (!low || !high) throw new Error('no area')
    expect(greatCircleKm(low, { lat: low.lat, lng: high.lng })).toBeCloseTo(3, 1)
    expect(greatCircleKm(low, { lat: high.lat, lng: low.lng })).toBeCloseTo(3, 1)
    expect(mainArea([], 1.5)).toEqual([])
  })

  it('city bounds: large region -> the city around its center, small region -> all of it', () => {
    const [west, south, east, north] = cityBounds(oslo, [4, 58, 31, 71])
    expect(greatCircleKm({ lat: south, lng: oslo.lng }, { lat: north, lng: oslo.lng })).toBeCloseTo(14, 0)
    expect(greatCircleKm({ lat: oslo.lat, lng: west }, { lat: oslo.lat, lng: east })).toBeCloseTo(14, 0)
    const monaco: [number, number, number, number] = [7.409, 43.724, 7.44, 43.752]
    expect(cityBounds({ lat: 43.738, lng: 7.424 }, monaco)).toEqual(monaco)
  })
})
