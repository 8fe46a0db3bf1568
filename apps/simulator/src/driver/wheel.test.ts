import { encodePolyline } from '@hansom/domain/geo/polyline'
import { describe, expect, it } from 'vitest'
import { plannedWay } from '../city/streets.ts'
import { followWay } from './wheel.ts'

// 0.01 degrees of longitude on the equator: 1.112 km.
const path = [
  { lat: 0, lng: 0 },
  { lat: 0, lng: 0.01 },
]
const way = { path, km: 1.112, seconds: 100 }

describe('a car that follows a way', () => {
  it('is at the start, in the middle and at the end in its time', () => {
    const at = followWay(way, 1_000_000, 1)
    expect(at(1_000_000)).toMatchObject({ lat: 0, lng: 0, arrived: false })
    expect(at(1_050_000).lng).toBeCloseTo(0.005, 5)
    expect(at(1_050_000).speed).toBeCloseTo(40, 0)
    expect(at(1_050_000).bearing).toBeCloseTo(90, 3)
    expect(at(1_200_000)).toMatchObject({ lat: 0, lng: 0.01, speed: 0, arrived: true })
  })

  it('waits at the start before its time, and is twice as far at double pace', () => {
    const at = followWay(way, 1_000_000, 2)
    expect(at(900_000).lng).toBe(0)
    expect(at(1_025_000).lng).toBeCloseTo(0.005, 5)
  })
})

describe('the way that was priced', () => {
  const booking = { route: encodePolyline(path), estimateDistance: 1.112, estimateTime: 100 }

  it('is driven from its beginning', () => {
    expect(plannedWay(booking, { lat: 0.0005, lng: 0 })).toMatchObject({ km: 1.112, seconds: 100 })
  })

  it('is left to the car that is elsewhere', () => {
    expect(plannedWay(booking, { lat: 0.01, lng: 0 })).toBeNull()
  })
})
