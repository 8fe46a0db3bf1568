import type { BookingRequest } from './booking-request.ts'
import { newIdempotencyKey } from '../../../lib/api.ts'

const storageKey = 'hansom-booking-key'

/**
 * The idempotency key of a request: the same as long as the request is the same, also after a reload, so that a
 * double click or a retry makes one booking. `forgetBookingKey` ends it.
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

/** After a booking was made: the same trip once more is a new booking. */
export function forgetBookingKey(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Nothing was kept.
  }
}
