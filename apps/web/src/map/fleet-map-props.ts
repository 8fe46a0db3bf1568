import type { LatLng } from '@hansom/domain/geo/point'

/** A driver as shown on the fleet map. */
export interface FleetCar extends LatLng {
  id: string
  bearing: number | null
  name: string
  vehicleNumber: string | null
  carType: string | null
  /** The URL of the car type's picture. */
  carImage: string | null
  /** On a trip. */
  busy: boolean
}

/** The car to fly to; a new object repeats the flight. */
export interface FleetFocus {
  id: string
}

export interface FleetMapProps {
  cars: readonly FleetCar[]
  /** Initial center of the map. */
  center: LatLng
  selected: string | null
  focus: FleetFocus | null
  onSelect: (id: string | null) => void
}
