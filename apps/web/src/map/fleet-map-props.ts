import type { LatLng } from '@hansom/domain/geo/point'

/** A driver as the map of the fleet shows him. */
export interface FleetCar extends LatLng {
  id: string
  bearing: number | null
  name: string
  vehicleNumber: string | null
  carType: string | null
  /** The address of the car type's picture. */
  carImage: string | null
  /** On a trip. */
  busy: boolean
}

/** Whom the camera goes to; a new object goes there again. */
export interface FleetFocus {
  id: string
}

export interface FleetMapProps {
  cars: readonly FleetCar[]
  /** Where the map opens. */
  center: LatLng
  selected: string | null
  focus: FleetFocus | null
  onSelect: (id: string | null) => void
}
