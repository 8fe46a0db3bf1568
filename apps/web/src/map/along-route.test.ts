import { describe, expect, it } from 'vitest'
import { pathBetween, splitAt } from './along-route.ts'

const plaza = { lat: -34.9058, lng: -56.1913 }
const east = { lat: -34.9058, lng: -56.1893 }
const north = { lat: -34.9038, lng: -56.1893 }

describe('pathBetween', () => {
  const route = [plaza, east, north]

  it('both positions on the route -> follows its corner', () => {
    expect(pathBetween(plaza, north, route)).toEqual([plaza, east, north])
  })

  it('car left the route, turned back or has none -> straight line', () => {
    const away = { lat: -34.91, lng: -56.18 }
    expect(pathBetween(plaza, away, route)).toEqual([plaza, away])
    expect(pathBetween(north, plaza, route)).toEqual([north, plaza])
    expect(pathBetween(plaza, north, [])).toEqual([plaza, north])
  })
})

describe('splitAt', () => {
  const route = [plaza, east, north]

  it('car on the route, slightly off the line -> half behind, half ahead', () => {
    const { behind, ahead } = splitAt(route, { lat: -34.9057, lng: -56.1903 })
    expect(behind).toHaveLength(2)
    expect(behind[1]?.lat).toBeCloseTo(-34.9058, 5)
    expect(behind[1]?.lng).toBeCloseTo(-56.1903, 5)
    expect(ahead).toEqual([behind[1], east, north])
  })

  it('car elsewhere, or no position -> all ahead', () => {
    expect(splitAt(route, { lat: -34.92, lng: -56.17 })).toEqual({ behind: [], ahead: route })
    expect(splitAt(route, null)).toEqual({ behind: [], ahead: route })
  })
})
