import type { FleetCar as LiveCar } from '@hansom/contract/live'
import { isOnFleetMap } from '@hansom/domain/users/eligibility'
import { useMemo, useRef } from 'react'
import { useCarTypeName } from '../../entities/car-types/car-type-name.tsx'
import { useServerNow } from '../../lib/clock.ts'
import { useLive } from '../../lib/live.ts'
import type { FleetCar } from '../../map/fleet-layer.tsx'

/** How often stale drivers are removed, ms. */
const lookMs = 30_000

/**
 * The active drivers with live positions, by name, without idle ones whose position is stale; undefined until loaded.
 * `error` is an error key.
 */
export function useFleet(): { cars: readonly FleetCar[] | undefined; error: string | null } {
  const { data, error } = useLive('fleet')
  const now = useServerNow(lookMs)
  const carTypeName = useCarTypeName()
  const order = useRef<NameOrder>({ cars: [], places: [] })
  const cars = useMemo(() => {
    if (!data) return undefined
    order.current = orderByName(data, order.current)
    return order.current.places
      .map((place) => data[place] as LiveCar)
      .filter((car) => isOnFleetMap(car, now))
      .map(
        ({ uid, queue, ...car }): FleetCar => ({
          ...car,
          id: uid,
          busy: queue,
          carType: car.carType && carTypeName(car.carType),
        }),
      )
  }, [data, now, carTypeName])
  return { cars, error }
}

/** Cars, and their places in the order of their names. */
interface NameOrder {
  cars: readonly LiveCar[]
  places: readonly number[]
}

/** Reuses the former order while only positions have changed: sorting 5,000 names takes longer than a frame. */
export function orderByName(cars: readonly LiveCar[], former: NameOrder): NameOrder {
  const isSame =
    cars.length === former.cars.length &&
    cars.every((car, place) => car.uid === former.cars[place]?.uid && car.name === former.cars[place]?.name)
  if (isSame) return { cars, places: former.places }
  const { compare } = new Intl.Collator()
  const places = cars
    .map((_, place) => place)
    .sort((a, b) => compare(cars[a]?.name ?? '', cars[b]?.name ?? ''))
  return { cars, places }
}
