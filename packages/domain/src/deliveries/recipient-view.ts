import type { Booking } from '../bookings/booking.ts'
import { type BookingStatus, isOneOf } from '../bookings/status.ts'
import { greatCircleKm, type LatLng } from '../geo/point.ts'
import * as shape from '../shape.ts'
import { choice, flag, integer, nullable, text, time } from '../shape.ts'
import { type Delivery, dropFailures, dropsOf, expectedAt, nextStop, stopOutcomes } from './delivery.ts'

/** What a recipient sees of a delivery by their link, beside their own address and the courier's vehicle. */
export const recipientShape = {
  /** Number of their stop, and of all drops. */
  n: integer,
  drops: integer,
  /** Open stops that the courier visits first. */
  before: integer,
  sender: text,
  person: text,
  parcel: nullable(text),
  window_from: nullable(time),
  window_to: nullable(time),
  expected_at: nullable(time),
  code: nullable(text),
  instructions: nullable(text),
  /** The instructions may still be changed. */
  may_edit: flag,
  outcome: nullable(choice(stopOutcomes)),
  failure: nullable(choice(dropFailures)),
  done_at: nullable(time),
  received_by: nullable(text),
  /** When the proofs were taken; null without one. */
  photo_at: nullable(time),
  signature_at: nullable(time),
}
export type RecipientView = { [F in keyof typeof recipientShape]: shape.TypeOf<(typeof recipientShape)[F]> }

/** Statuses in which a recipient's link works; it shows the proof after the end. */
const linkStatuses = [
  'NEW',
  'ACCEPTED',
  'ARRIVED',
  'STARTED',
  'REACHED',
  'PENDING',
  'PAID',
  'COMPLETE',
] as const satisfies readonly BookingStatus[]

/** How long the proof is shown after the stop was closed, ms. */
const proofShownMs = 30 * 24 * 3_600_000
/** Within this distance of the stop the courier is near: instructions no longer change, km. */
const nearKm = 0.5

/**
 * The view of a recipient; null when the link no longer works: cancelled, without payment, past the proof's time, or the
 * recipient's data is removed. `car` is the courier's position, if known.
 */
export function recipientView(
  { status, customer_name }: Pick<Booking, 'status' | 'customer_name'>,
  delivery: Delivery,
  n: number,
  car: LatLng | null,
  now: number,
): RecipientView | null {
  const stop = delivery.stops.find((one) => one.n === n && one.kind === 'drop')
  if (!stop || !isOneOf(linkStatuses, status) || stop.person === '') return null
  if (stop.done_at !== null && now > stop.done_at + proofShownMs) return null
  const before = dropsOf(delivery).filter((one) => one.n < n && one.outcome === null).length
  const isOver = stop.outcome !== null || !isOneOf(['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'], status)
  return {
    n,
    drops: dropsOf(delivery).length,
    before,
    sender: customer_name,
    person: stop.person,
    parcel: delivery.parcel_type?.description ?? null,
    window_from: stop.window_from,
    window_to: stop.window_to,
    expected_at: isOver || status === 'NEW' ? null : Math.max(now, expectedAt(delivery, stop)),
    code: isOver ? null : stop.code,
    instructions: stop.instructions,
    may_edit: !isOver && !isNear({ status }, delivery, n, car),
    outcome: stop.outcome,
    failure: stop.failure,
    done_at: stop.done_at,
    received_by: stop.received_by,
    photo_at: stop.outcome === null ? null : stop.photo,
    signature_at: stop.outcome === null ? null : stop.signature,
  }
}

/** True when the courier is on the way to this stop and close to it. */
function isNear(
  { status }: Pick<Booking, 'status'>,
  delivery: Delivery,
  n: number,
  car: LatLng | null,
): boolean {
  const next = status === 'STARTED' ? nextStop(delivery) : null
  return next?.n === n && car !== null && greatCircleKm(car, next.place) < nearKm
}

/** True if a recipient may follow the courier: only on the way to their own stop, not at those of others. */
export function mayFollowCourier(
  { status }: Pick<Booking, 'status'>,
  delivery: Delivery,
  n: number,
): boolean {
  return status === 'STARTED' && nextStop(delivery)?.n === n
}
