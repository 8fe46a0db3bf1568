import { encodePolyline } from '@hansom/domain/geo/polyline'
import { describe, expect, it } from 'vitest'
import { pricedRoute } from '../city/streets.ts'
import { followRoute } from './route-follower.ts'

// 0.01 degrees of longitude on the equator: 1.112 km.
const path = [
  { lat: 0, lng: 0 },
  { lat: 0, lng: 0.01 },
]
const way = { path, km: 1.112, seconds: 100 }

describe('followWay', () => {
  it('start, middle, end of the time -> matching position', () => {
    const at = followRoute(way, 1_000_000, 1)
    expect(at(1_000_000)).toMatchObject({ lat: 0, lng: 0, arrived: false })
    expect(at(1_050_000).lng).toBeCloseTo(0.005, 5)
    expect(at(1_050_000).speed).toBeCloseTo(40, 0)
    expect(at(1_050_000).bearing).toBeCloseTo(90, 3)
    expect(at(1_200_000)).toMatchObject({ lat: 0, lng: 0.01, speed: 0, arrived: true })
  })

  it('before the start time -> at the start; double pace -> twice as far', () => {
    const at = followRoute(way, 1_000_000, 2)
    expect(at(900_000).lng).toBe(0)
    expect(at(1_025_000).lng).toBeCloseTo(0.005, 5)
  })
})

describe('plannedWay', () => {
  const booking = { route: encodePolyline(path), estimateDistance: 1.112, estimateTime: 100 }

  it('car at the start -> priced route', () => {
    expect(pricedRoute(booking, { lat: 0.0005, lng: 0 })).toMatchObject({ km: 1.112, seconds: 100 })
  })

  it('car elsewhere -> null', () => {
    expect(pricedRoute(booking, { lat: 0.01, lng: 0 })).toBeNull()
  })
})
