import { movedStops } from '../deliveries/new-delivery.ts'
import { dispatchAt, isDispatchDue, laterTimeRefusal, promisedArrival } from '../dispatch/timing.ts'
import { Refusal } from '../error-keys.ts'
import { fareFor } from '../fare/fare.ts'
import { isSamePlace } from '../geo/point.ts'
import { moneyText } from '../money/amount.ts'
import { canPay } from '../wallet/trip-entries.ts'
import { dueOf, fareToPay, isByCard, walletPart } from './amounts.ts'
import type { Booking } from './booking.ts'
import { heldEntries } from './checkout.ts'
import { type Effect, type EventChange, type Outcome, recordedChanges } from './decision.ts'
import type { Facts, InputOf } from './facts.ts'
import { initialFields } from './fields.ts'
import { notify } from './notices.ts'
import { type Repriced, repriced } from './price.ts'
import { isOneOf } from './status.ts'
import { type ChangeableField, changeableFields } from './transitions.ts'

type ChangeInput = InputOf<'change'>

/** While the car drives, its route differs from one request to the next: a fare this much above the agreed one is accepted. */
const drivingTolerance = 1.05

/**
 * An admin or the rider changes places, time, car type, passengers or note. The fare is calculated again: by the booking's
 * own prices, or by those of the new car type. Drivers who were asked for the old trip do not keep their request: the
 * search starts again, so no one accepts a trip they have not seen. A driver who has the trip is notified.
 */
export function change(facts: Facts, input: ChangeInput, now: number): Outcome | Refusal {
  const wanted = wantedFields(facts.booking, input)
  const wrong = refusalOf(facts, input, wanted, now)
  if (wrong) return wrong
  const planned = { ...facts.booking, ...plannedFields(facts, input, wanted, now) }
  const priced = priceOf(facts, planned, wanted)
  if (priced instanceof Refusal) return priced
  const booking = { ...planned, ...priced?.changes }
  const wrongPrice = priceRefusal(facts, input, booking)
  if (wrongPrice) return wrongPrice
  const payment = advancePayment(facts, booking, now)
  const { search, wave } = searchAgain(facts, booking, wanted, now)
  const changed = { ...booking, ...payment.changes, wave }
  const to = arrivedElsewhere(facts.booking, wanted) ? 'ACCEPTED' : facts.booking.status
  return {
    to,
    stops:
      facts.delivery && wanted.fields.has('time')
        ? movedStops(facts.delivery, changed.tripdate - facts.booking.tripdate)
        : [],
    changes: differing(facts.booking, { ...changed, ...(to !== facts.booking.status && notArrived) }),
    entries: [...(priced?.entries ?? []), ...payment.entries],
    effects: [...(priced?.effects ?? []), ...payment.effects, ...search, ...notices(facts, changed, wanted)],
  }
}

interface Wanted {
  fields: ReadonlySet<ChangeableField>
  places: boolean
}

/** The fields whose values differ from the booking's. */
function wantedFields(booking: Booking, input: ChangeInput): Wanted {
  const fields = new Set<ChangeableField>()
  const { pickup, drop, carType } = input
  if (pickup && (!isSamePoint(pickup, booking.pickup) || pickup.add !== booking.pickup.add))
    fields.add('pickup')
  if (drop && (!isSamePoint(drop, booking.drop) || drop.add !== booking.drop.add)) fields.add('drop')
  const bookLater = input.bookLater ?? booking.bookLater
  const isMoved = bookLater && input.tripdate !== undefined && input.tripdate !== booking.tripdate
  if (bookLater !== booking.bookLater || isMoved) fields.add('time')
  if (carType !== undefined && carType?.id !== booking.car_type_id) fields.add('car_type')
  if (input.passengers !== undefined && input.passengers !== booking.passengers) fields.add('passengers')
  if (input.note !== undefined && (input.note.trim() || null) !== booking.note) fields.add('note')
  return { fields, places: fields.has('pickup') || fields.has('drop') }
}

const isSamePoint = (a: { lat: number; lng: number }, b: { lat: number; lng: number }) =>
  a.lat === b.lat && a.lng === b.lng

function refusalOf(
  { booking, by, driver, delivery }: Facts,
  { pickup, drop, carType, route, ...input }: ChangeInput,
  { fields, places }: Wanted,
  now: number,
): Refusal | null {
  if (fields.size === 0) return new Refusal('select_proper')
  const allowed = changeableFields(booking, by.role, delivery !== null)
  // Recipients have agreed to windows.
  const hasWindows = delivery?.stops.some(({ window_to }) => window_to !== null) ?? false
  const late = [...fields].filter((field) => !allowed.includes(field) || (field === 'time' && hasWindows))
  if (late.length > 0) return new Refusal('wrong_status', { data: { fields: late } })
  // Limits count a rider's immediate trips when they are booked.
  if (by.role === 'rider' && fields.has('time') && !(input.bookLater ?? booking.bookLater)) {
    return new Refusal('wrong_status', { data: { fields: ['time'] } })
  }
  if (places && isSamePlace(pickup ?? booking.pickup, drop ?? booking.drop)) return new Refusal('same_place')
  if (places && !route) return new Refusal('place_to_coords_error')
  if (fields.has('car_type')) {
    if (!carType) return new Refusal('select_proper')
    if (booking.driver !== null && driver?.carType !== carType.id) return new Refusal('driver_other_car_type')
  }
  const passengers = input.passengers === undefined ? booking.passengers : input.passengers
  const seats = fields.has('car_type') ? carType?.seats : input.seats
  if ((passengers ?? 0) > (seats ?? Number.POSITIVE_INFINITY)) return new Refusal('too_many_passengers')
  if (!fields.has('time') || !(input.bookLater ?? booking.bookLater)) return null
  const wrongTime = laterTimeRefusal(input.tripdate ?? booking.tripdate, now)
  return wrongTime && new Refusal(wrongTime)
}

/** The new values, before the price. */
function plannedFields(
  { booking, settings }: Facts,
  { pickup, drop, carType, route, driveSeconds, ...input }: ChangeInput,
  { fields, places }: Wanted,
  now: number,
): Partial<Booking> {
  const bookLater = input.bookLater ?? booking.bookLater
  const isDriving = isOneOf(['ACCEPTED', 'ARRIVED'], booking.status)
  return {
    ...(fields.has('pickup') && pickup && { pickup: { lat: pickup.lat, lng: pickup.lng, add: pickup.add } }),
    ...(fields.has('drop') && drop && { drop: { lat: drop.lat, lng: drop.lng, add: drop.add } }),
    ...(places &&
      route && {
        route: route.polyline,
        estimateDistance: route.distanceKm,
        estimateTime: route.durationS,
      }),
    ...(fields.has('time') && {
      bookLater,
      tripdate: bookLater ? (input.tripdate ?? booking.tripdate) : now,
    }),
    ...(fields.has('passengers') && { passengers: input.passengers ?? null }),
    ...(fields.has('note') && { note: input.note?.trim() || null }),
    ...(fields.has('car_type') &&
      carType && {
        car_type_id: carType.id,
        carType: carType.name,
        carImage: carType.image,
        fare_rule: { ...carType.fare_rule },
        cancel_slab: carType.cancel_slab.map((slab) => ({ ...slab })),
        convert_to_mile: settings.convert_to_mile,
      }),
    ...(fields.has('pickup') &&
      isDriving &&
      driveSeconds !== undefined && { promised_arrival: promisedArrival(booking, now, driveSeconds) }),
  }
}

/** Null when the price stays. */
function priceOf(
  { booking }: Facts,
  planned: Booking,
  { fields, places }: Wanted,
): (Repriced & { changes: { estimate: number } }) | null {
  if (!places && !fields.has('car_type')) return null
  const { fare_rule, estimateDistance, estimateTime, fare_parts } = planned
  const fare = fareFor(fare_rule, estimateDistance, estimateTime, fare_parts.extras, planned)
  const priced = repriced(planned, fare, `change:${booking.version + 1}`)
  return { ...priced, changes: { ...priced.changes, estimate: fare.trip_cost } }
}

function priceRefusal(
  { booking, rider }: Facts,
  { estimate }: ChangeInput,
  changed: Booking,
): Refusal | null {
  const isDriving = booking.status === 'STARTED'
  const isAgreed = isDriving
    ? changed.trip_cost <= (estimate ?? changed.trip_cost) * drivingTolerance
    : changed.trip_cost === (estimate ?? changed.trip_cost)
  if (!isAgreed) return new Refusal('fare_changed', { data: { trip_cost: changed.trip_cost } })
  const isFromWallet = changed.payment_mode === 'wallet' && !changed.prepaid && !isDriving
  const isMore = dueOf(changed) > dueOf(booking)
  return isFromWallet && isMore && !canPay(rider.walletBalance, dueOf(changed))
    ? new Refusal('low_wallet')
    : null
}

/** A booking that waits for its advance payment: the wallet part and the amount due by card follow the price. */
function advancePayment(
  { booking, rider }: Facts,
  changed: Booking,
  now: number,
): { changes: Partial<Booking>; entries: Outcome['entries'] & object; effects: Effect[] } {
  if (booking.status !== 'PAYMENT_PENDING' || !isByCard(changed.payment_mode)) {
    return { changes: {}, entries: [], effects: [] }
  }
  const due = dueOf({ ...changed, usedWalletMoney: 0 })
  const balance = rider.walletBalance + booking.usedWalletMoney
  const held = changed.payment_mode === 'wallet_card' ? walletPart(balance, due) : 0
  return {
    changes: { usedWalletMoney: held, payableAmount: due - held },
    entries: heldEntries(booking, held),
    effects: due > held ? [] : [{ kind: 'schedule', job: 'capture_payment', at: now }],
  }
}

/** Restarts the search of a booking without a driver. An admin's assignment stays unless the car type differs. */
function searchAgain(
  { booking, settings, requested }: Facts,
  changed: Booking,
  { fields }: Wanted,
  now: number,
): { search: Effect[]; wave: number } {
  // Drivers read the note once they have accepted.
  if (booking.status !== 'NEW' || isNoteOnly(fields)) return { search: [], wave: booking.wave }
  if (settings.autoDispatch) {
    const at = dispatchAt(changed, settings, now)
    return { search: [{ kind: 'remove_requests' }, { kind: 'dispatch', booking: booking.id, at }], wave: 0 }
  }
  if (requested.length === 0) return { search: [], wave: booking.wave }
  if (fields.has('car_type')) return { search: [{ kind: 'remove_requests' }], wave: 0 }
  const isDue = isDispatchDue(changed, settings, now)
  const search: Effect[] = isDue
    ? requested.map((driver) => notice(booking, driver, 'trip_changed', changed.trip_cost, settings))
    : [{ kind: 'schedule', job: 'tell_assigned', at: dispatchAt(changed, settings, now) }]
  return { search, wave: booking.wave }
}

const isNoteOnly = (fields: Wanted['fields']) => fields.size === 1 && fields.has('note')

/** A driver who waits at the old pickup drives to the new one. */
function arrivedElsewhere({ status }: Booking, { fields }: Wanted): boolean {
  return status === 'ARRIVED' && fields.has('pickup')
}
const notArrived = {
  driver_arrive_time: initialFields.driver_arrive_time,
  arrival_received_at: initialFields.arrival_received_at,
  otp_tries: initialFields.otp_tries,
  otp_blocked_until: initialFields.otp_blocked_until,
}

function notices({ booking, by, settings }: Facts, changed: Booking, { fields }: Wanted): Effect[] {
  return [
    ...(by.role === 'rider' || isNoteOnly(fields)
      ? []
      : [notice(booking, booking.customer, 'booking_changed', fareToPay(changed), settings)]),
    ...(booking.driver === null
      ? []
      : [notice(booking, booking.driver, 'trip_changed', changed.trip_cost, settings)]),
  ]
}

function notice(
  booking: Booking,
  user: string,
  name: 'booking_changed' | 'trip_changed',
  fare: number,
  settings: Facts['settings'],
): Effect {
  const screen = name === 'trip_changed' ? 'DriverTrips' : 'BookedCab'
  return notify(booking, user, name, screen, { amount: moneyText(fare, booking.decimal, settings) })
}

/** The fields of `after` that differ from `before`. */
function differing(before: Booking, after: Booking): Partial<Booking> {
  const fields = (Object.keys(after) as (keyof Booking)[]).filter((field) => after[field] !== before[field])
  return Object.fromEntries(fields.map((field) => [field, after[field]]))
}

/** What a command changed about the booking, for its history; null if nothing that people see. */
export function eventChanges(before: Booking, changes: Partial<Booking>): EventChange[] | null {
  const after = { ...before, ...changes }
  const list = recordedChanges.flatMap((field): EventChange[] => {
    const [from, to] = [valueOf[field](before), valueOf[field](after)]
    if (from === to) return []
    // The note is personal, and fleet admins read the history: it records only that there was one.
    return field === 'note' ? [{ field, from: from !== null, to: to !== null }] : [{ field, from, to }]
  })
  return list.length > 0 ? list : null
}

const valueOf: Record<(typeof recordedChanges)[number], (booking: Booking) => EventChange['from']> = {
  pickup: ({ pickup }) => pickup.add,
  drop: ({ drop }) => drop.add,
  bookLater: ({ bookLater }) => bookLater,
  tripdate: ({ tripdate }) => tripdate,
  carType: ({ carType }) => carType,
  passengers: ({ passengers }) => passengers,
  note: ({ note }) => note,
  payment_mode: ({ payment_mode }) => payment_mode,
  promo_name: ({ promo_details }) => promo_details?.promo_name ?? null,
  trip_cost: ({ trip_cost }) => trip_cost,
}
