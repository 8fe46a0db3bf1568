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

/**
 * Free cars around a point, anonymous. All points of a map cell see the same cars. Results are not cached: a sample takes 0.1 to
 * 0.2 ms, and cached results of many places cost more in garbage collection than they save.
 */
export function nearbyCars({
  driverIndex,
  clock,
}: {
  driverIndex: Pick<DriverIndex, 'sample'>
  clock: Pick<Clock, 'elapsed'>
}): (point: LatLng) => Promise<NearbyCar[]> {
  return async (point) => {
    const center = { lat: centerOf(point.lat), lng: centerOf(point.lng) }
    const heardSince = clock.elapsed() - locationFreshMs
    const cars = await driverIndex.sample(boxAround(center, radiusKm), maxCars, heardSince)
    return cars.flatMap(({ lat, lng, bearing, car_type_id }) =>
      car_type_id === null ? [] : [{ lat, lng, bearing, car_type_id }],
    )
  }
}

const centerOf = (degrees: number) => (Math.floor(degrees / cell) + 0.5) * cell
