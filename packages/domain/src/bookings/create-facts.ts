import type { CancelSlab, FareRule } from '../fare/fare-rule.ts'
import type { WantedPromo } from '../fare/promo.ts'
import type { Amount } from '../money/amount.ts'
import type { Role } from '../users/roles.ts'
import type { Commander, PlacePoint } from './booking.ts'
import type { PaymentMode } from './choices.ts'
import type { BookingIdentity, BookingSettings } from './facts.ts'
import type { OpenBookings } from './open-limits.ts'

/** The facts a new booking is made from. `by.id` is null for a visitor. */
export interface CreateFacts {
  by: Commander
  identity: BookingIdentity
  settings: BookingSettings
  /** The person the trip is for; null when none was chosen. */
  customer: {
    id: string
    usertype: Role
    name: string
    contact: string | null
    email: string
    image: string | null
    walletBalance: Amount
  } | null
  carType: {
    id: string
    name: string
    image: string | null
    fare_rule: FareRule
    cancel_slab: CancelSlab[]
  } | null
  pickup: PlacePoint | null
  drop: PlacePoint | null
  /** Null when the route lookup failed. */
  route: { distanceKm: number; durationS: number; polyline: string } | null
  /** The rider's open bookings. */
  open: OpenBookings
  /** An eligible driver of the car type is within the radius. */
  driverNear: boolean
  bookLater: boolean
  tripdate: number | null
  payment_mode: PaymentMode
  /** The card is charged before drivers are asked. */
  inAdvance: boolean
  cardAvailable: boolean
  promo: WantedPromo | null
  /** Parcel type and option. */
  extras: Amount
  /** The trip_cost the person agreed to, if one was shown. */
  agreed: Amount | null
}
