import { encodePolyline } from '@hansom/domain/geo/polyline'
import { expect, it } from 'vitest'
import { endDistance } from './receipt.tsx'

const pickup = { lat: -34.9, lng: -56.19 }
const planned = { lat: -34.9, lng: -56.15 }
const trip = { route: encodePolyline([pickup, planned]), trip_end_time: 1_790_000_000_000 }
const at = (lng: number) => ({ lat: -34.9, lng, add: 'Somewhere' })

it('end distance: ended elsewhere -> km from the planned end', () => {
  expect(endDistance({ ...trip, drop: at(-56.16) })).toBeCloseTo(0.91, 1)
})

it('end distance: nearby, before the end or without a route -> null', () => {
  expect(endDistance({ ...trip, drop: at(-56.1505) })).toBeNull()
  expect(endDistance({ ...trip, drop: at(-56.16), trip_end_time: null })).toBeNull()
  expect(endDistance({ ...trip, drop: at(-56.16), route: '' })).toBeNull()
})
