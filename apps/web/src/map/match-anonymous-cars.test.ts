import { expect, it } from 'vitest'
import { matchAnonymousCars } from './nearby-cars-layer.tsx'

const car = (lat: number, lng: number, car_type_id = 'a') => ({ lat, lng, bearing: null, car_type_id })

it('cars moved, left or appeared -> keys follow, are dropped or are new', () => {
  const first = matchAnonymousCars([], [car(-34.9, -56.19), car(-34.91, -56.18)], 0)
  expect(first.map(({ key }) => key)).toEqual([0, 1])
  const second = matchAnonymousCars(first, [car(-34.9101, -56.1801), car(-34.95, -56.1)], 2)
  expect(second.map(({ key }) => key)).toEqual([1, 2])
})

it('another type, or two cars near one -> never matched to the same key', () => {
  const first = matchAnonymousCars([], [car(-34.9, -56.19)], 0)
  expect(matchAnonymousCars(first, [car(-34.9, -56.19, 'b')], 1).map(({ key }) => key)).toEqual([1])
  const twins = matchAnonymousCars(first, [car(-34.9003, -56.19), car(-34.9001, -56.19)], 1)
  expect(twins.map(({ key }) => key)).toEqual([1, 0])
})
