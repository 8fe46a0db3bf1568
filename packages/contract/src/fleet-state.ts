import type { FleetCar, FleetCarRow, FleetState } from './live.ts'

/** Every car of the fleet map, as sent in the first frame. */
export function packFleet(cars: readonly FleetCar[]): FleetState {
  const carTypes: FleetState['carTypes'] = []
  const places = new Map<string, number>()
  const placeOf = ({ carType, carImage }: FleetCar): number => {
    const key = JSON.stringify([carType, carImage])
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, carTypes.length)
    return carTypes.push([carType, carImage]) - 1
  }
  const rows = cars.map((car): FleetCarRow => {
    const { uid, lat, lng, bearing, at, name, vehicleNumber, queue } = car
    return [uid, lat, lng, bearing, at, name, vehicleNumber, placeOf(car), queue ? 1 : 0]
  })
  return { carTypes, cars: rows }
}

export function unpackFleet({ carTypes, cars }: FleetState): FleetCar[] {
  return cars.map(([uid, lat, lng, bearing, at, name, vehicleNumber, place, queue]) => {
    const [carType, carImage] = carTypes[place] ?? [null, null]
    return { uid, lat, lng, bearing, at, name, vehicleNumber, carType, carImage, queue: queue === 1 }
  })
}
