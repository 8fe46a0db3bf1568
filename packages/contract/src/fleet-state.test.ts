import { maxFleetCars } from '@hansom/domain/users/eligibility'
import { expect, test } from 'vitest'
import { packFleet, unpackFleet } from './fleet-state.ts'
import type { FleetCar } from './live.ts'

const car = (number: number): FleetCar => ({
  uid: `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  name: `Fernanda Rodriguez ${number}`,
  vehicleNumber: number % 7 === 0 ? null : `SBA ${number}`,
  carType: number % 5 === 0 ? null : `Economy ${number % 3}`,
  carImage: number % 5 === 0 ? null : `/cars/economy-${number % 3}.webp`,
  queue: number % 3 === 0,
  lat: -34.90651 + number * 1e-5,
  lng: -56.19961,
  bearing: number % 11 === 0 ? null : number % 360,
  at: 1_800_000_000_000 + number,
})

test('fleet state: packed and unpacked -> the same cars', () => {
  const cars = Array.from({ length: 40 }, (_, number) => car(number))
  expect(unpackFleet(JSON.parse(JSON.stringify(packFleet(cars))))).toEqual(cars)
})

test('fleet state: a full map -> little more than the values of each car', () => {
  const cars = Array.from({ length: maxFleetCars }, (_, number) => car(number))
  const own = cars.reduce((sum, { uid, name, vehicleNumber, lat, lng, bearing, at }) => {
    return sum + JSON.stringify([uid, lat, lng, bearing, at, name, vehicleNumber]).length
  }, 0)
  expect(JSON.stringify(packFleet(cars)).length).toBeLessThan(own + 7 * maxFleetCars)
})
