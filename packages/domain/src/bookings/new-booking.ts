import type { DeliveryRequest } from '../deliveries/delivery-request.ts'
import type { DeliveryPlan } from '../deliveries/new-delivery.ts'
import type { ErrorKey } from '../error-keys.ts'
import type { FareParts } from '../fare/fare.ts'
import { promoDetails, type WantedPromo } from '../fare/promo.ts'
import type { Amount } from '../money/amount.ts'
import type { Settings } from '../settings/settings.ts'
import type { Role } from '../users/roles.ts'
import { discountFields } from './amounts.ts'
import type { Booking, CommandAuthor, PlacePoint } from './booking.ts'
import type { BookingIdentity, BookingSettings, CarTypeTerms } from './facts.ts'
import { initialFields, storedTexts, type WrittenTexts } from './fields.ts'
import type { BookingStatus, PaymentMode } from './status.ts'

/** The facts a new booking is made from. `by.id` is null for a visitor. */
export interface CreateFacts {
  by: CommandAuthor
  identity: BookingIdentity
  settings: BookingSettings
  /** The person the trip is for; null when none was chosen. */
  customer: {
    id: string
    usertype: Role
    approved: boolean
    name: string
    contact: string | null
    /** Null for a guest. */
    email: string | null
    image: string | null
    walletBalance: Amount
  } | null
  carType: CarTypeTerms | null
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
  passengers: number | null
  /** The group of a booking that is made together with others. */
  group: string | null
  payment_mode: PaymentMode
  /** The card is charged before drivers are asked. */
  inAdvance: boolean
  cardAvailable: boolean
  promo: WantedPromo | null
  /**
   * In the delivery category only. `plan` is null when there is no route, to the drop at the position `unreachable` of the
   * request, if it is known; `codes` has one for each requested drop.
   */
  delivery: {
    request: DeliveryRequest | null
    plan: DeliveryPlan | null
    unreachable?: number | null
    codes: readonly string[]
    /** When the courier leaves the pickup, epoch ms. */
    leaveAt: number
  } | null
  /** The trip_cost the person agreed to, if one was shown. */
  agreed: Amount | null
  /** The texts written by the creator. */
  texts?: WrittenTexts
}

interface Parts {
  facts: CreateFacts
  customer: NonNullable<CreateFacts['customer']>
  carType: NonNullable<CreateFacts['carType']>
  pickup: PlacePoint
  drop: PlacePoint
  route: NonNullable<CreateFacts['route']>
  fare: FareParts
  status: BookingStatus
  now: number
}

/** The booking made from the facts, before anything is paid. */
export function newBooking({
  facts,
  customer,
  carType,
  pickup,
  drop,
  route,
  fare,
  status,
  now,
}: Parts): Booking {
  const { settings, promo, identity } = facts
  return {
    id: identity.id,
    booking_id: identity.booking_id,
    status,
    car_type_id: carType.id,
    carType: carType.name,
    carImage: carType.image,
    fare_rule: { ...carType.fare_rule },
    cancel_slab: carType.cancel_slab.map((slab) => ({ ...slab })),
    decimal: settings.decimal,
    convert_to_mile: settings.convert_to_mile,
    currency: settings.code,
    customer: customer.id,
    customer_name: customer.name,
    customer_contact: customer.contact,
    customer_email: customer.email,
    customer_image: customer.image,
    pickup: { ...pickup },
    drop: { ...drop },
    route: route.polyline,
    estimate: fare.trip_cost,
    estimateDistance: route.distanceKm,
    estimateTime: route.durationS,
    tripdate: facts.bookLater && facts.tripdate !== null ? facts.tripdate : now,
    bookingDate: now,
    bookLater: facts.bookLater,
    otp: settings.otp_secure ? identity.otp : null,
    passengers: facts.passengers,
    group_id: facts.group,
    booking_type_admin: facts.by.role === 'admin',
    trip_cost: fare.trip_cost,
    convenience_fees: fare.convenience_fees,
    driver_share: fare.driver_share,
    fare_parts: fare,
    customer_paid: 0,
    payment_mode: facts.payment_mode,
    gateway: null,
    prepaid: false,
    cardPaymentAmount: 0,
    usedWalletMoney: 0,
    payableAmount: 0,
    rebooked_from: null,
    excluded_drivers: [],
    // Spreads last: V8 adds properties after a spread one by one, which is a hundred times slower.
    ...initialFields,
    ...storedTexts(facts.texts ?? {}),
    ...discountFields(
      fare.trip_cost,
      promo && { id: promo.id, details: promoDetails(promo) },
      settings.decimal,
    ),
  }
}

/** Letters and digits that are not confused when read aloud or copied. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** The six characters of a booking_id. Each random number is from 0 up to (not including) 1; six are needed. */
export function bookingCode(randoms: readonly number[]): string {
  if (randoms.length < 6) throw new RangeError('six random numbers are required')
  return randoms
    .slice(0, 6)
    .map((random) => alphabet[Math.min(alphabet.length - 1, Math.floor(random * alphabet.length))])
    .join('')
}

/** The trip code, 10000 to 99999, from a random number from 0 up to (not including) 1. */
export function tripOtp(random: number): string {
  return String(10_000 + Math.min(89_999, Math.floor(random * 90_000)))
}

/** The code of a delivery's drop, 1000 to 9999, from a random number from 0 up to (not including) 1. */
export function stopCode(random: number): string {
  return String(1_000 + Math.min(8_999, Math.floor(random * 9_000)))
}

/** Numbers of a rider's own open bookings. Those an admin made do not count. */
export interface OpenBookings {
  now: number
  later: number
  /** Bookings for which drivers are being asked. */
  searching: number
}

/** The most a rider may have open at the same time: each asks ten drivers or more. */
export const maxOpen = { now: 5, later: 20, searching: 2 } as const

/**
 * Whether drivers may be asked for a due Book Later trip while other trips of its rider are searching: immediate ones,
 * and later ones that were due before it.
 */
export function maySearch(
  others: number,
  { bookLater, booking_type_admin }: { bookLater: boolean; booking_type_admin: boolean },
  category: Settings['category'],
): boolean {
  return category === 'delivery' || booking_type_admin || !bookLater || others < maxOpen.searching
}

/** The refusal of a rider who has too many open bookings; null when they may make another. */
export function openLimitRefusal(
  open: OpenBookings,
  {
    bookLater,
    category,
    maxOpenDeliveries,
  }: { bookLater: boolean } & Pick<Settings, 'category' | 'maxOpenDeliveries'>,
): Extract<ErrorKey, 'too_many_bookings' | 'too_many_searches'> | null {
  if (category === 'delivery') return open.now + open.later < maxOpenDeliveries ? null : 'too_many_bookings'
  if (bookLater) return open.later < maxOpen.later ? null : 'too_many_bookings'
  if (open.now >= maxOpen.now) return 'too_many_bookings'
  return open.searching < maxOpen.searching ? null : 'too_many_searches'
}
