import type { FleetCar } from '@hansom/contract/live'
import { expect, it } from 'vitest'
import { orderByName } from './use-fleet.ts'

const car = (name: string, lat = 0) => ({ uid: `id-${name}`, name, lat, lng: 0 }) as FleetCar
const none = { cars: [], places: [] }

it('order by name: new cars -> sorted as people sort names', () => {
  const cars = ['Zoë', 'Émile', 'anna', 'Bob'].map((name) => car(name))
  const { places } = orderByName(cars, none)
  expect(places.map((place) => cars[place]?.name)).toEqual(['anna', 'Bob', 'Émile', 'Zoë'])
})

it('order by name: only positions changed -> the former order is reused', () => {
  const former = orderByName([car('Bob'), car('Anna')], none)
  const moved = orderByName([car('Bob', 1), car('Anna', 2)], former)
  expect(moved.places).toBe(former.places)
  expect(moved.cars[0]?.lat).toBe(1)
})

it('order by name: a car is added, removed or renamed -> sorted again', () => {
  const former = orderByName([car('Bob'), car('Anna')], none)
  const namesOf = (cars: FleetCar[]) => orderByName(cars, former).places.map((place) => cars[place]?.name)
  expect(namesOf([car('Bob'), car('Anna'), car('Abe')])).toEqual(['Abe', 'Anna', 'Bob'])
  expect(namesOf([car('Bob')])).toEqual(['Bob'])
  expect(namesOf([{ ...car('Bob'), name: 'Ada' }, car('Anna')])).toEqual(['Ada', 'Anna'])
})
