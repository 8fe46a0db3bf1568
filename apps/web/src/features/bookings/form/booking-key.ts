import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import type { InstructionData } from '@hansom/contract/deliveries'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { PaymentMode } from '@hansom/domain/bookings/status'

const storageKey = 'hansom-booking-key'

/**
 * The idempotency key of a request: unchanged as long as the request is, even after a reload, so that a double click or
 * a retry creates one booking. `forgetBookingKey` resets it.
 */
export function bookingKey(request: BookingRequest): string {
  const body = JSON.stringify(request)
  try {
    const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as {
      body: string
      key: string
    } | null
    if (stored?.body === body) return stored.key
    const key = newIdempotencyKey()
    sessionStorage.setItem(storageKey, JSON.stringify({ body, key }))
    return key
  } catch {
    return newIdempotencyKey()
  }
}

/** Call after a booking was created: the same trip again is a new booking. */
export function forgetBookingKey(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Storage is unavailable: no key was stored.
  }
}

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
  /** A caller without an account. */
  guest?: { name: string; mobile: string }
  passengers?: number
  cars?: number
  returnAt?: number
  note?: string | undefined
  /** Of a delivery. */
  instructionData?: InstructionData
}
