import { hiddenForDemo } from '../access/mask-contacts.ts'
import type { Relation } from '../access/relation.ts'
import type { Booking } from '../bookings/booking.ts'
import { mayCallStop, shownNumber } from '../bookings/call-number.ts'
import { contactStatuses, isOneOf } from '../bookings/status.ts'
import type { Settings } from '../settings/settings.ts'
import { cashDueAt } from './cash.ts'
import { type Delivery, dropsOf, type StopWithProofs } from './delivery.ts'
import { type DeliveryView, deliveryViewFields } from './visible-delivery.ts'

const none = Object.fromEntries(Object.keys(deliveryViewFields).map((field) => [field, null])) as DeliveryView

/** Those who see recipients; drivers only while they have the trip. */
const parties: readonly Relation[] = ['rider', 'admin', 'driver']
const payers: readonly Relation[] = ['rider', 'admin']

/**
 * The delivery of a booking as one relation sees it. A demo that blocks critical edits hides phone numbers, codes and proofs from
 * admins; a driver sees people and proofs until the trip is over.
 */
export function viewDelivery(
  booking: Booking,
  delivery: Delivery | null,
  viewer: Relation,
  { AllowCriticalEditsAdmin }: Pick<Settings, 'AllowCriticalEditsAdmin'>,
): DeliveryView {
  if (!delivery) return none
  const { id, status, accepted_at } = booking
  const isCovered = viewer === 'admin' && !AllowCriticalEditsAdmin
  const phoneOf = (stop: Delivery['stops'][number]) => {
    if (isCovered) return hiddenForDemo
    if (viewer !== 'driver') return stop.phone
    return mayCallStop(stop) ? shownNumber(booking, stop.phone, stop.n) : null
  }
  const isOver = viewer === 'driver' && !isOneOf(contactStatuses, status)
  const seesPeople = parties.includes(viewer) && !isOver
  const seesProofs = viewer !== 'requested' && !isOver && !isCovered
  // Images of a courier who had the delivery before are no proof.
  const isOwn = (at: number | null) => seesProofs && at !== null && at >= (accepted_at ?? 0)
  const seesCash = seesPeople || viewer === 'requested'
  const isPayer = payers.includes(viewer)
  const drops = dropsOf(delivery)
  const last = drops.at(-1)
  const stops = delivery.stops.map((stop) => ({
    n: stop.n,
    kind: stop.kind,
    place: stop.place,
    person: seesPeople ? stop.person : null,
    phone: seesPeople ? phoneOf(stop) : null,
    email: isPayer && !isCovered ? stop.email : null,
    instructions: seesPeople ? stop.instructions : null,
    sender_instructions: seesPeople ? stop.sender_instructions : null,
    window_from: stop.window_from,
    window_to: stop.window_to,
    planned_at: stop.planned_at,
    share: isPayer ? stop.share : 0,
    collect: seesCash ? cashDueAt(booking, delivery, stop) : null,
    not_informed: isPayer ? stop.not_informed : null,
    code: isPayer && !isCovered && stop.outcome === null ? stop.code : null,
    code_needed: stop.code !== null,
    code_blocked_until: stop.code_blocked_until,
    outcome: stop.outcome,
    failure: stop.failure,
    done_at: stop.done_at,
    received_by: seesPeople ? stop.received_by : null,
    unsigned: stop.unsigned,
    photo: isOwn(stop.photo) ? photoUrl(id, stop, last) : null,
    signature: isOwn(stop.signature) ? `${stopUrl(id, stop.n)}/signature?at=${stop.signature}` : null,
  }))
  const { distanceKm, durationS, cost } = delivery.return_leg
  return {
    deliveryPerson: seesPeople ? (last?.person ?? null) : null,
    deliveryPersonPhone: seesPeople && last ? phoneOf(last) : null,
    pickUpInstructions: seesPeople ? (delivery.stops[0]?.instructions ?? null) : null,
    deliveryInstructions: seesPeople ? (last?.instructions ?? null) : null,
    parcelTypeSelected: delivery.parcel_type,
    optionSelected: delivery.option,
    pickup_image: stops[0]?.photo ?? null,
    deliver_image: stops.find(({ n }) => n === last?.n)?.photo ?? null,
    delivery: {
      stop_order: delivery.stop_order,
      cash_at: booking.payment_mode === 'cash' ? (delivery.cash_at ?? 'pickup') : null,
      return_leg: { distanceKm, durationS, cost },
      drops: drops.length,
      stops,
    },
  }
}

const stopUrl = (booking: string, n: number) => `/api/v1/bookings/${booking}/stops/${n}`

/** The URL of a stop's photo: the specification's paths for the pickup and the last drop. */
function photoUrl(
  booking: string,
  { n, photo, kind }: StopWithProofs,
  last: StopWithProofs | undefined,
): string | null {
  if (photo === null) return null
  const path =
    kind === 'pickup'
      ? `/api/v1/bookings/${booking}/pickup_image`
      : n === last?.n
        ? `/api/v1/bookings/${booking}/deliver_image`
        : `${stopUrl(booking, n)}/deliver_image`
  return `${path}?at=${photo}`
}
