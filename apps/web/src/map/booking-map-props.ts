import type { NearbyCar } from '@hansom/contract/tracking'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { LatLng } from '@hansom/domain/geo/point'
import type { CameraPadding } from './camera.ts'
import type { PinKind } from './pin-layer.tsx'

export interface BookingMapProps {
  pickup: PlacePoint | null
  drop: PlacePoint | null
  /** Encoded polyline, precision 5. */
  routePolyline: string | null
  cars: NearbyCar[]
  /** The point being set on the map. */
  picking: PinKind | null
  /** Called when a point was set or a pin moved. */
  onPick: (point: LatLng, which: PinKind) => void
  /** Initial view: [west, south, east, north]. */
  bounds: [number, number, number, number]
  padding?: CameraPadding
}
