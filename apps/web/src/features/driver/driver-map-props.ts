import type { BookingView } from '@hansom/contract/bookings'
import type { Position } from '@hansom/contract/tracking'

export interface DriverMapProps {
  own: Position | null
  trip: BookingView | null
  /** The way to the pickup is what counts now, not the trip itself. */
  toPickup: boolean
}
