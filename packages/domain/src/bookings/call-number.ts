import type { DeliveryStop } from '../deliveries/delivery.ts'
import type { Booking } from './booking.ts'
import { drivingStatuses, isOneOf } from './status.ts'

/** The pool of numbers that people call instead of each other's. */
export interface CallLines {
  numbers: readonly string[]
  /** Those that the phones of the rider or the driver already use on another trip. */
  taken: readonly string[]
}

/** The `call_number` of a trip whose people cannot call each other. */
export const noCallNumber = ''

/** The stop of a delivery's sender. */
export const senderStop = 0

/**
 * The number that rider and driver of a trip call to reach each other; a call is routed by its caller and this number, so
 * no one has the same number for two trips. Null if calls are not masked; `noCallNumber` if one of them has no
 * international number, both have the same, or every number of the pool is taken.
 */
export function callNumberFor(
  lines: CallLines | null | undefined,
  rider: string | null,
  driver: string | null,
): string | null {
  if (!lines) return null
  if (!isInternational(rider) || !isInternational(driver) || rider === driver) return noCallNumber
  return lines.numbers.find((number) => !lines.taken.includes(number)) ?? noCallNumber
}

/** Whether the courier may call the person of a stop: a recipient until the stop has ended, the sender throughout. */
export const mayCallStop = ({ kind, outcome }: Pick<DeliveryStop, 'kind' | 'outcome'>): boolean =>
  kind !== 'drop' || outcome === null

/** E.164, as callers are reported. */
const isInternational = (phone: string | null) => phone !== null && /^\+[1-9]\d{6,14}$/.test(phone)

/**
 * The number shown to rider and driver for a contact: a masked one only while the driver has the trip. A courier's has the
 * number of the stop, always two digits so that the service need not wait for more, which the phone dials after a pause: 2 s
 * (iOS) or 3 s (Android) for a comma.
 */
export function shownNumber(
  { call_number, status }: Pick<Booking, 'call_number' | 'status'>,
  real: string | null,
  stop?: number,
): string | null {
  if (call_number === null || real === null) return real
  if (call_number === noCallNumber || !isOneOf(drivingStatuses, status)) return null
  return stop === undefined ? call_number : `${call_number},${String(stop).padStart(2, '0')}`
}
