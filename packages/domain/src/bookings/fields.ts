import { type Relation, relations } from '../access/relation.ts'
import { deliveryViewFields } from '../deliveries/visible-delivery.ts'
import type { CancelSlab, FareParts, FareRule } from '../fare/fare.ts'
import { distanceSources } from '../fare/track.ts'
import * as shape from '../shape.ts'
import { amount, choice, flag, id, integer, nullable, number, place, text, time } from '../shape.ts'
import {
  type BookingStatus,
  bookingStatuses,
  cancellers,
  cashAnswers,
  contactStatuses,
  endedStatuses,
  isOneOf,
  objectionStates,
  objectionSubjects,
  paymentModes,
} from './status.ts'

/** The relations that see a field, and the statuses in which they do (null: all); `limits` are for one relation. */
interface Audience {
  to: readonly Relation[]
  in: readonly BookingStatus[] | null
  limits?: Partial<Record<Relation, readonly BookingStatus[]>>
}

interface Options<T> {
  /** Value of every new booking, also of one that replaces another. Without it, the creator sets the value. */
  initial?: T
  /** Its name in the back office is the text `history.<label>`; `history.<field>` when omitted. */
  label?: string
}

/** A stored field: its type, its shape on the wire, and the value shown to everyone outside its audience. */
interface StoredField<T, W> {
  see: Audience
  shape: W
  hidden: null | 0
  readonly stored?: T
}

const to = (...audience: readonly Relation[]): Audience => ({ to: audience, in: null })
const everyone = to(...relations)
const parties = to('rider', 'driver', 'fleetadmin', 'admin')
const earners = to('driver', 'requested', 'fleetadmin', 'admin')
const payers = to('rider', 'admin')
/** The back office reaches both people until the booking has ended. */
const activeStatuses = bookingStatuses.filter((status) => !isOneOf(endedStatuses, status))

/** A field for everyone who sees the booking. */
const open = <S extends shape.Shape, const O extends Options<shape.TypeOf<S>> = object>(of: S, options?: O) =>
  ({ shape: of, see: everyone, hidden: null, ...options }) as StoredField<shape.TypeOf<S>, S> & O

/** A field that is null for everyone outside its audience. */
const seen = <S extends shape.Shape, const O extends Options<shape.TypeOf<S>> = object>(
  of: S,
  see: Audience,
  options?: O,
) =>
  ({ shape: nullable(of), see, hidden: null, ...options }) as StoredField<
    shape.TypeOf<S>,
    shape.Nullable<S>
  > &
    O

/** A text that the creator of a booking may write, of at most `max` characters; null when left empty. */
const written = <const O extends Options<string | null> = object>(max: number, see: Audience, options?: O) =>
  ({ ...seen(nullable(text), see, options), written: { max } }) as StoredField<
    string | null,
    shape.Nullable<typeof text>
  > & { written: { max: number } } & O

/** An amount that is 0 for everyone outside its audience. */
const money = <const O extends Options<number> = object>(see: Audience, options?: O) =>
  ({ shape: amount, see, hidden: 0, ...options }) as StoredField<number, typeof amount> & O

/** A stored field that never leaves the server. */
const internal = <T>() => ({ shape: null }) as { shape: null; readonly stored?: T }
const internalFrom = <T>(initial: T) => ({ ...internal<T>(), initial })

interface Calculated<S> {
  readonly shape: S
  readonly calculated: true
}
/** A field of the view that is calculated from others. */
const calculated = <S extends shape.Shape>(of: S): Calculated<S> => ({ shape: of, calculated: true })

/** The fare as viewers see it: the driver's share is null for those who do not see `driver_share`. */
export const visibleFare = shape.object({
  base: amount,
  distance: amount,
  time: amount,
  extras: amount,
  minimum_top_up: amount,
  /** The driver's part of the way back with parcels that could not be delivered. */
  return_leg: amount,
  trip_cost: amount,
  convenience_fees: amount,
  driver_share: nullable(amount),
})

export const promoDetails = shape.object({
  promo_name: text,
  promo_discount_type: choice(['flat', 'percentage']),
  /** An amount, or a percentage scaled by 10^4. */
  promo_discount_value: number,
  max_promo_discount_value: amount,
  min_order: amount,
})

/** The fields of the delivery, calculated from its own tables. */
const deliveryFields = Object.fromEntries(
  Object.entries(deliveryViewFields).map(([field, of]) => [field, calculated(of)]),
) as { [F in keyof typeof deliveryViewFields]: Calculated<(typeof deliveryViewFields)[F]> }

/**
 * Every field of a booking, in the order of the wire. The stored type, the view of each viewer, the contract's shape,
 * the initial values and the columns of tables are derived from this table. Distances are km, durations s.
 */
export const bookingFields = {
  id: open(id),
  /** Six characters that are easy to read aloud. */
  booking_id: open(text),
  /** Incremented with every change; an older version never wins. */
  version: open(integer, { initial: 1 }),
  status: open(choice(bookingStatuses)),
  /** Commands the viewer may give now; screens show buttons for these only. */
  commands: calculated(shape.list(text)),
  viewer: calculated(choice(relations)),

  carType: open(text),
  car_type_id: open(id),
  carImage: open(nullable(text)),
  fare_rule: internal<FareRule>(),
  cancel_slab: internal<CancelSlab[]>(),

  customer: seen(id, parties),
  customer_name: seen(text, parties, { label: 'rider' }),
  customer_contact: seen(nullable(text), {
    ...to('driver', 'admin'),
    limits: { driver: contactStatuses, admin: activeStatuses },
  }),
  /** Null for a guest. */
  customer_email: seen(nullable(text), payers),
  customer_image: seen(nullable(text), parties),
  customerRating: calculated(nullable(number)),

  driver: seen(nullable(id), parties, { initial: null }),
  driver_name: seen(nullable(text), parties, { initial: null, label: 'driver' }),
  driver_image: seen(nullable(text), parties, { initial: null }),
  driver_contact: seen(nullable(text), { to: ['rider', 'admin'], in: contactStatuses }, { initial: null }),
  /** What rider and driver see instead of each other's number; null: the numbers themselves. See `shownNumber`. */
  call_number: internalFrom<string | null>(null),
  vehicle_number: seen(nullable(text), parties, { initial: null }),
  vehicle_make: seen(nullable(text), parties, { initial: null }),
  vehicle_model: seen(nullable(text), parties, { initial: null }),
  driverRating: seen(nullable(number), parties, { initial: null }),
  fleetadmin: seen(nullable(id), to('fleetadmin', 'admin'), { initial: null }),

  pickup: open(place),
  drop: open(place),
  pickupAddress: { ...calculated(text), label: 'pickup' },
  dropAddress: { ...calculated(text), label: 'drop' },
  /** The planned route as an encoded polyline (precision 5). */
  route: open(text),
  /** The planned route as at most 25 waypoints. */
  coords: calculated(shape.list(shape.object({ latitude: number, longitude: number }))),
  estimate: open(amount),
  estimateDistance: open(number),
  estimateTime: open(number),
  /** Final distance, and the part of it filled with routed distance where the track had gaps. */
  distance: seen(nullable(number), parties, { initial: null }),
  distance_filled: seen(nullable(number), parties, { initial: null }),
  /** How the final distance was found, and the part of it on no street, in km. */
  distance_source: seen(nullable(choice(distanceSources)), parties, { initial: null }),
  distance_unmatched: seen(nullable(number), parties, { initial: null }),

  tripdate: open(time),
  bookingDate: open(time),
  bookLater: open(flag),
  /** When drivers are asked for a Book Later trip; null for Book Now, whose drivers are asked immediately. */
  drivers_asked_at: calculated(nullable(time)),
  accepted_at: seen(nullable(time), parties, { initial: null }),
  /** The time at which the driver promised, on acceptance, to be at the pickup. */
  promised_arrival: seen(nullable(time), parties, { initial: null }),
  driver_arrive_time: seen(nullable(time), parties, { initial: null }),
  /** When the server received the arrival; the no-show wait starts then. */
  arrival_received_at: seen(nullable(time), parties, { initial: null }),
  trip_start_time: seen(nullable(time), parties, { initial: null }),
  trip_end_time: seen(nullable(time), parties, { initial: null }),
  /** The same times as `trip_start_time` and `trip_end_time`. */
  startTime: calculated(nullable(time)),
  endTime: calculated(nullable(time)),
  total_trip_time: seen(nullable(number), parties, { initial: null }),
  closed_at: seen(nullable(time), parties, { initial: null }),

  /** Admins see it for bookings the back office made: the caller may have no app. */
  otp: seen(nullable(text), { to: ['rider', 'admin'], in: ['NEW', 'ACCEPTED', 'ARRIVED'] }),
  /** The driver must enter the rider's code to start. */
  otp_needed: calculated(flag),
  otp_tries: internalFrom<number>(0),
  /** After too many wrong codes: the time until which further codes are refused. */
  otp_blocked_until: seen(nullable(time), { to: ['rider', 'driver'], in: ['ARRIVED'] }, { initial: null }),

  /** The rider's note to the driver, who sees it from acceptance to the end of the trip. */
  note: written(200, { ...to('rider', 'driver', 'admin'), limits: { driver: contactStatuses } }),
  /** How many people ride along; null when not stated. */
  passengers: open(nullable(integer)),
  /** Shared by the bookings that one request made: several cars, and their return trips. */
  group_id: seen(nullable(id), to('rider', 'admin')),
  booking_type_admin: open(flag),
  reason: seen(nullable(text), parties, { initial: null }),
  cancelledBy: seen(nullable(choice(cancellers)), parties, { initial: null }),
  cancellation_fee: money(parties, { initial: 0 }),

  fare_parts: open(visibleFare) as StoredField<FareParts, typeof visibleFare>,
  trip_cost: open(amount),
  convenience_fees: seen(amount, everyone),
  driver_share: seen(amount, earners),
  discount_amount: money(payers),
  /** The same as `discount_amount`. */
  discount: calculated(amount),
  customer_paid: money(payers),
  payment_mode: open(choice(paymentModes)),
  gateway: seen(nullable(text), payers),
  prepaid: open(flag),
  cashPaymentAmount: money(parties, { initial: 0 }),
  cardPaymentAmount: money(payers),
  usedWalletMoney: money(payers),
  payableAmount: money(everyone),
  /**
   * The amount the rider pays, or the driver collects, at the end: the trip, the rider's outstanding amount, and the
   * total. Fixed when a cash trip has REACHED. All 0 for a driver with nothing to collect; null for other viewers.
   */
  collect: calculated(nullable(shape.object({ trip: amount, outstanding: amount, total: amount }))),
  /** The rider's outstanding amount to collect with this cash trip: fixed at REACHED, null before. */
  outstanding_amount: seen(nullable(amount), payers, { initial: null }),
  /** The amount the rider paid with this trip in addition to its price. */
  outstanding_collected: money(to('rider', 'driver', 'admin'), { initial: 0 }),
  /** The driver's answer at the end of a cash trip, and the rider's objection, which also alerts the fleet admin. */
  cash_answer: seen(nullable(choice(cashAnswers)), to('rider', 'driver', 'admin'), { initial: null }),
  objection: seen(nullable(choice(objectionStates)), parties, { initial: null }),
  /** What the objection is to, or while there is none, what the rider can object to. */
  objection_to: seen(nullable(choice(objectionSubjects)), parties, { initial: null }),
  /** Debt of the rider besides the trip that is not collected while the objection is open. */
  contested_amount: internalFrom<number>(0),
  /** The part of the price that the platform bears after an objection to the return leg. */
  written_off_amount: money(payers, { initial: 0 }),
  promo_applied: open(flag),
  promo_id: internal<string | null>(),
  promo_name: calculated(nullable(text)),
  promo_details: seen(nullable(promoDetails), payers),
  /** How the card is charged; null for other payment methods and other viewers. */
  paymentPacket: calculated(
    nullable(
      shape.object({
        appcat: choice(['taxi', 'delivery']),
        payment_mode: shape.literal('card'),
        customer_paid: amount,
        discount_amount: amount,
        usedWalletMoney: amount,
        cardPaymentAmount: amount,
        cashPaymentAmount: amount,
        payableAmount: amount,
        promo_applied: flag,
        promo_details: nullable(promoDetails),
      }),
    ),
  ),
  decimal: open(integer),
  convert_to_mile: internal<boolean>(),
  currency: open(text),

  rating: seen(nullable(number), parties, { initial: null }),
  /** The rider's comment on the trip. */
  feedback: seen(nullable(text), to('rider', 'driver', 'admin'), { initial: null }),
  rider_rating: seen(nullable(number), to('driver', 'admin'), { initial: null }),

  /** The booking this one replaces after its driver cancelled, and the one that replaced this one. */
  rebooked_from: seen(nullable(id), payers),
  rebooked_as: seen(nullable(id), payers, { initial: null }),
  /** Drivers who are not asked again: they declined, or cancelled an ancestor. */
  excluded_drivers: internal<string[]>(),
  /** Number of waves of drivers asked. */
  wave: internalFrom<number>(0),

  /** For admins: uids of the drivers currently asked. */
  requestedDrivers: calculated(nullable(shape.byId(shape.literal(true)))),
  /**
   * For a requested driver: when they were asked, when the request expires, the route to the pickup, and how many
   * drivers have the request now.
   */
  request: calculated(
    nullable(
      shape.object({
        requested_at: time,
        expires_at: nullable(time),
        pickupKm: number,
        pickupS: number,
        asked: integer,
      }),
    ),
  ),
  /** This viewer gets live positions now. */
  tracked: calculated(flag),

  ...deliveryFields,
}
type Fields = typeof bookingFields
type NamesOf<Row> = { [F in keyof Fields]: Fields[F] extends Row ? F : never }[keyof Fields]

/** Fields on the wire, stored fields, and fields in both. */
export type ViewField = NamesOf<{ shape: shape.Shape }>
type StoredName = Exclude<keyof Fields, NamesOf<{ calculated: true }>>
export type VisibleField = StoredName & ViewField

/** The fields of a booking's view. */
export type ViewFields = { [F in ViewField]: shape.TypeOf<Fields[F]['shape']> }

type StoredOf<Row> = Row extends { readonly stored?: infer T } ? T : never

/** A booking as stored: a row of the table. */
export type BookingRecord = { [F in StoredName]: StoredOf<Fields[F]> }

export const viewFields = (Object.keys(bookingFields) as (keyof Fields)[]).filter(
  (field): field is ViewField => bookingFields[field].shape !== null,
)
export const visibleFields = viewFields.filter(
  (field): field is VisibleField => !('calculated' in bookingFields[field]),
)

/** The shape of a booking's view. */
export const viewShape = Object.fromEntries(
  viewFields.map((field) => [field, bookingFields[field].shape]),
) as { [F in ViewField]: Fields[F]['shape'] }

/** Initial values of the fields that change during a trip. */
export const initialFields = Object.fromEntries(
  Object.entries(bookingFields).flatMap(([field, row]) => ('initial' in row ? [[field, row.initial]] : [])),
) as Pick<BookingRecord, NamesOf<{ initial: unknown }> & StoredName>

/** The texts that the creator of a booking may write. */
export type WrittenField = NamesOf<{ written: unknown }> & VisibleField
export type WrittenTexts = { [F in WrittenField]?: string | undefined }

/** The written fields in the order of the table, with their maximum lengths in characters. */
export const writtenFields = visibleFields.flatMap((field) => {
  const row = bookingFields[field]
  return 'written' in row ? [{ field: field as WrittenField, max: row.written.max }] : []
})

/** The written texts as stored: without spaces around them, null when empty. */
export function storedTexts(texts: WrittenTexts): Pick<BookingRecord, WrittenField> {
  return Object.fromEntries(writtenFields.map(({ field }) => [field, texts[field]?.trim() || null])) as Pick<
    BookingRecord,
    WrittenField
  >
}

/** The relations that see a field, in some status. */
export function audienceOf(field: ViewField): readonly Relation[] {
  const row = bookingFields[field]
  return 'see' in row ? row.see.to : relations
}

/** True when a field is shown to this viewer of a booking. */
export function isVisible(
  field: VisibleField,
  viewer: Relation,
  { status, booking_type_admin }: Pick<BookingRecord, 'status' | 'booking_type_admin'>,
): boolean {
  if (field === 'otp' && viewer === 'admin' && !booking_type_admin) return false
  const { see }: StoredField<unknown, unknown> = bookingFields[field]
  const statuses = see.limits?.[viewer] ?? see.in
  return see.to.includes(viewer) && (statuses === null || statuses.includes(status))
}
