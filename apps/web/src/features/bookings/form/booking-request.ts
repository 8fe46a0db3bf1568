import type { PaymentMode, PlacePoint } from '@hansom/domain/bookings/booking'

/** What is sent when a person confirms. */
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
  /** The rider, when an admin books for somebody. */
  customer?: string
}
