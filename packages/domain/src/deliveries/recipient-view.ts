import type { Booking } from '../bookings/booking.ts'
import { type BookingStatus, isOneOf } from '../bookings/status.ts'
import { greatCircleKm, type LatLng } from '../geo/point.ts'
import * as shape from '../shape.ts'
import { amount, choice, flag, integer, nullable, place, text, time } from '../shape.ts'
import { cashDueAt, type PaidBooking } from './cash.ts'
import {
  type Delivery,
  dropFailures,
  dropsOf,
  expectedAt,
  nextStop,
  type StopWithProofs,
} from './delivery.ts'

/** How far a parcel is, for its recipient. `ended`: the delivery is over without an outcome at their stop. */
export const parcelStages = ['waiting', 'coming', 'next', 'delivered', 'failed', 'ended'] as const
export type ParcelStage = (typeof parcelStages)[number]

/** What a recipient sees of a delivery by their link. After the end only stage, sender, reason, time and proof. */
export const recipientShape = {
  stage: choice(parcelStages),
  sender: text,
  /** Their own address. */
  place: nullable(place),
  parcel: nullable(text),
  /** Open stops that the courier visits first. */
  before: integer,
  /** The courier's vehicle, once the parcel is in it. */
  vehicle: nullable(
    shape.object({
      carType: text,
      vehicle_number: nullable(text),
      vehicle_make: nullable(text),
      vehicle_model: nullable(text),
    }),
  ),
  window_from: nullable(time),
  window_to: nullable(time),
  expected_at: nullable(time),
  code: nullable(text),
  /** The delivery fee that the recipient pays the courier in cash. */
  collect: nullable(amount),
  instructions: nullable(text),
  /** The instructions may still be changed. */
  may_edit: flag,
  failure: nullable(choice(dropFailures)),
  /** The parcel that could not be delivered is back with the sender. */
  returned: flag,
  done_at: nullable(time),
  received_by: nullable(text),
  /** When the proofs were taken; null without one. */
  photo_at: nullable(time),
  signature_at: nullable(time),
}
export type RecipientView = { [F in keyof typeof recipientShape]: shape.TypeOf<(typeof recipientShape)[F]> }

/** Statuses in which the parcel is still to come. */
const openStatuses = ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'] as const satisfies readonly BookingStatus[]
/** Statuses in which a recipient's link works: it shows the proof after the end. */
const linkStatuses = [...openStatuses, 'REACHED', 'PENDING', 'PAID', 'COMPLETE'] as const

/** How long the proof is shown after the stop was closed, ms. */
const proofShownMs = 30 * 24 * 3_600_000
/** Within this distance of the stop the courier is near: instructions no longer change, km. */
const nearKm = 0.5

/** The fields of a booking that a recipient's view depends on. */
type ParcelBooking = Pick<
  Booking,
  | 'status'
  | 'customer_name'
  | 'carType'
  | 'vehicle_number'
  | 'vehicle_make'
  | 'vehicle_model'
  | 'closed_at'
  | 'trip_end_time'
> &
  PaidBooking

/**
 * The view of a recipient; null when the link no longer works: cancelled, without payment, past the proof's time, or the
 * recipient's data is removed. `car` is the courier's position, if known.
 */
export function recipientView(
  booking: ParcelBooking,
  delivery: Delivery,
  n: number,
  car: (LatLng & { at: number; arrivalS: number | null }) | null,
  now: number,
): RecipientView | null {
  const { status, customer_name: sender } = booking
  const stop = delivery.stops.find((one) => one.n === n && one.kind === 'drop')
  if (!stop || !isOneOf(linkStatuses, status) || stop.person === '') return null
  const stage = stageOf(status, delivery, stop)
  if (stage === 'delivered' || stage === 'failed' || stage === 'ended') {
    const endedAt = stop.done_at ?? booking.trip_end_time ?? booking.closed_at ?? now
    return now > endedAt + proofShownMs
      ? null
      : { ...nothing, ...outcomeOf(delivery, stop, endedAt), stage, sender }
  }
  const { carType, vehicle_number, vehicle_make, vehicle_model } = booking
  const isNext = stage === 'next'
  const seenArrival = isNext && car && car.arrivalS !== null ? car.at + car.arrivalS * 1000 : null
  return {
    ...nothing,
    stage,
    sender,
    place: stop.place,
    parcel: delivery.parcel_type?.description ?? null,
    before: dropsOf(delivery).filter((one) => one.n < n && one.outcome === null).length,
    vehicle: status === 'STARTED' ? { carType, vehicle_number, vehicle_make, vehicle_model } : null,
    window_from: stop.window_from,
    window_to: stop.window_to,
    expected_at: status === 'NEW' ? null : expectedAt(delivery, stop, now, seenArrival),
    code: stop.code,
    collect: cashDueAt(booking, delivery, stop),
    instructions: stop.instructions,
    may_edit: !(isNext && car !== null && greatCircleKm(car, stop.place) < nearKm),
  }
}

const nothing = {
  place: null,
  parcel: null,
  before: 0,
  vehicle: null,
  window_from: null,
  window_to: null,
  expected_at: null,
  code: null,
  collect: null,
  instructions: null,
  may_edit: false,
  failure: null,
  returned: false,
  done_at: null,
  received_by: null,
  photo_at: null,
  signature_at: null,
} satisfies Partial<RecipientView>

const outcomeOf = (
  { stops }: Delivery,
  { outcome, failure, received_by, photo, signature }: StopWithProofs,
  done_at: number,
) => ({
  failure,
  returned: outcome === 'failed' && stops.some((one) => one.outcome === 'returned'),
  done_at,
  received_by,
  photo_at: photo,
  signature_at: signature,
})

function stageOf(status: BookingStatus, delivery: Delivery, stop: StopWithProofs): ParcelStage {
  if (stop.outcome === 'not_done') return 'ended'
  if (stop.outcome !== null) return stop.outcome === 'failed' ? 'failed' : 'delivered'
  if (!isOneOf(openStatuses, status)) return 'ended'
  if (status !== 'STARTED') return 'waiting'
  return nextStop(delivery)?.n === stop.n ? 'next' : 'coming'
}

/** True if a recipient may follow the courier: only on the way to their own stop, not at those of others. */
export function mayFollowCourier(
  { status }: Pick<Booking, 'status'>,
  delivery: Delivery,
  n: number,
): boolean {
  return status === 'STARTED' && nextStop(delivery)?.n === n
}
