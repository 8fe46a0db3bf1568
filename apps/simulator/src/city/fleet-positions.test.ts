import { expect, test } from 'vitest'
import { FleetPositions } from './fleet-positions.ts'

const plaza = { lat: -34.9065, lng: -56.1996 }
const car = (lat: number, lng: number) => ({ lat, lng, bearing: null, car_type_id: 'economy' })
const fleet = () => {
  const positions = new FleetPositions()
  positions.tell('sim', plaza)
  return positions
}

test('a car that a person drives: 200 m from one of ours -> is seen', () => {
  expect(fleet().hasStranger([car(plaza.lat, plaza.lng), car(plaza.lat + 0.0018, plaza.lng)])).toBe(true)
})

test('a car that a person drives: on the very place of one of ours -> is seen', () => {
  expect(fleet().hasStranger([car(plaza.lat, plaza.lng), car(plaza.lat, plaza.lng)])).toBe(true)
})

test('our own car: shown where it was two reports ago -> no person', () => {
  const positions = fleet()
  positions.tell('sim', { lat: plaza.lat + 0.002, lng: plaza.lng })
  positions.tell('sim', { lat: plaza.lat + 0.004, lng: plaza.lng })
  expect(positions.hasStranger([car(plaza.lat, plaza.lng)])).toBe(false)
})
