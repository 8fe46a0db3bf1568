import type { NearbyCar } from '@hansom/contract/tracking'
import { boxAround } from '@hansom/domain/geo/path'
import type { LatLng } from '@hansom/domain/geo/point'
import { locationFreshMs } from '@hansom/domain/users/eligibility'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Clock } from '../../../platform/clock/clock.ts'

const radiusKm = 5
const maxCars = 40
/** Degrees: about 500 m. */
const cell = 0.005
/** Cars move about ten meters in this time. */
const cacheMs = 1_500
const maxCells = 5_000

/**
 * Free cars around a point, anonymous. Visitors request it, so each map cell has one cached result that is refreshed at
 * most every `cacheMs`.
 */
export function nearbyCars({
  driverIndex,
  clock,
}: {
  driverIndex: Pick<DriverIndex, 'sample'>
  clock: Pick<Clock, 'elapsed'>
}): (point: LatLng) => Promise<NearbyCar[]> {
  const answers = new Map<string, { cars: Promise<NearbyCar[]>; madeAt: number }>()

  const findCars = async (center: LatLng): Promise<NearbyCar[]> => {
    const heardSince = clock.elapsed() - locationFreshMs
    const cars = await driverIndex.sample(boxAround(center, radiusKm), maxCars, heardSince)
    return cars.flatMap(({ lat, lng, bearing, car_type_id }) =>
      car_type_id === null ? [] : [{ lat, lng, bearing, car_type_id }],
    )
  }

  return (point) => {
    const [row, column] = [Math.floor(point.lat / cell), Math.floor(point.lng / cell)]
    const key = `${row} ${column}`
    const known = answers.get(key)
    if (known !== undefined && clock.elapsed() - known.madeAt < cacheMs) return known.cars
    const cars = findCars({ lat: (row + 0.5) * cell, lng: (column + 0.5) * cell })
    answers.delete(key)
    answers.set(key, { cars, madeAt: clock.elapsed() })
    cars.catch(() => answers.delete(key))
    // Entries are ordered by age, oldest first.
    for (const [old, { madeAt }] of answers) {
      if (answers.size <= maxCells && clock.elapsed() - madeAt < cacheMs) break
      answers.delete(old)
    }
    return cars
  }
}
