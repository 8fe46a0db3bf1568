import { describe, expect, it } from 'vitest'
import { pathBetween, splitAt } from './along-route.ts'

const plaza = { lat: -34.9058, lng: -56.1913 }
const east = { lat: -34.9058, lng: -56.1893 }
const north = { lat: -34.9038, lng: -56.1893 }

describe('the path between two positions', () => {
  const route = [plaza, east, north]

  it('follows the planned way round its corner', () => {
    expect(pathBetween(plaza, north, route)).toEqual([plaza, east, north])
  })

  it('is straight for a car that left the way, turned back or has no way', () => {
    const away = { lat: -34.91, lng: -56.18 }
    expect(pathBetween(plaza, away, route)).toEqual([plaza, away])
    expect(pathBetween(north, plaza, route)).toEqual([north, plaza])
    expect(pathBetween(plaza, north, [])).toEqual([plaza, north])
  })
})

describe('a way split at the car', () => {
  const route = [plaza, east, north]

  it('lies half behind and half ahead of a car on it, a little off the line', () => {
    const { behind, ahead } = splitAt(route, { lat: -34.9057, lng: -56.1903 })
    expect(behind).toHaveLength(2)
    expect(behind[1]?.lat).toBeCloseTo(-34.9058, 5)
    expect(behind[1]?.lng).toBeCloseTo(-56.1903, 5)
    expect(ahead).toEqual([behind[1], east, north])
  })

  it('is all ahead of a car that is elsewhere, or nowhere', () => {
    expect(splitAt(route, { lat: -34.92, lng: -56.17 })).toEqual({ behind: [], ahead: route })
    expect(splitAt(route, null)).toEqual({ behind: [], ahead: route })
  })
})
