import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { PaymentMode } from '@hansom/domain/bookings/choices'

/** The booking request sent on confirmation. */
export interface BookingRequest {
  pickup: PlacePoint
  drop: PlacePoint
  car_type_id: string
  bookLater: boolean
  tripdate?: number
  estimate: number
  payment_mode: PaymentMode
  /** A card is charged before drivers are asked. */
  inAdvance?: boolean
  promo?: string
  /** The rider's id if an admin books for them. */
  customer?: string
}
