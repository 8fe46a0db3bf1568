import { cancellers, cashAnswers, objectionStates, paymentModes } from '@hansom/domain/bookings/booking'
import { bookingStatuses } from '@hansom/domain/bookings/status'
import { actors } from '@hansom/domain/users/roles'
import { z } from 'zod'
import { base } from './base.ts'
import { bookingsOffer } from './bookings-table.ts'
import { carType } from './car-types.ts'
import { amount, id, instant, longText, pageOf, placePoint, point, shortText } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

const rating = z.int().min(1).max(5)
const byId = z.object({ id })
/** `at`: when the driver took the step, on the server's clock; needed when it could not be told at once. */
const step = byId.extend({ at: instant.optional() })

export const fareParts = z.object({
  base: amount,
  distance: amount,
  time: amount,
  extras: amount,
  minimum_top_up: amount,
  trip_cost: amount,
  convenience_fees: amount,
  /** Null for riders and visitors. */
  driver_share: amount.nullable(),
})

/** One car type as the booking form offers it for a way. */
export const offer = z.object({
  carType,
  fare: fareParts,
  /** Seconds until the nearest free car of the type is at the pickup; null when none is near. */
  pickupS: z.number().nullable(),
  nearby: z.int(),
})
export type Offer = z.infer<typeof offer>

const promoDetails = z.object({
  promo_name: z.string(),
  promo_discount_type: z.enum(['flat', 'percentage']),
  promo_discount_value: z.number(),
  max_promo_discount_value: amount,
  min_order: amount,
})

const wayInput = z.object({ pickup: point, drop: point })
const promoCode = z.string().trim().min(1).max(60)

/** A person's view of a booking: what the viewer may not see is null. */
export const bookingView = z.object({
  id,
  booking_id: z.string(),
  version: z.int(),
  status: z.enum(bookingStatuses),
  /** What the viewer may do now; screens show buttons for these and nothing else. */
  commands: z.array(z.string()),
  viewer: z.enum(['rider', 'driver', 'requested', 'fleetadmin', 'admin']),
  carType: z.string(),
  car_type_id: id,
  carImage: z.string().nullable(),
  customer: id.nullable(),
  customer_name: z.string().nullable(),
  customer_contact: z.string().nullable(),
  customer_email: z.string().nullable(),
  customer_image: z.string().nullable(),
  customerRating: z.number().nullable(),
  driver: id.nullable(),
  driver_name: z.string().nullable(),
  driver_image: z.string().nullable(),
  driver_contact: z.string().nullable(),
  vehicle_number: z.string().nullable(),
  vehicle_make: z.string().nullable(),
  vehicle_model: z.string().nullable(),
  driverRating: z.number().nullable(),
  fleetadmin: id.nullable(),
  pickup: placePoint,
  drop: placePoint,
  pickupAddress: z.string(),
  dropAddress: z.string(),
  /** Planned way, encoded polyline of precision 5. */
  route: z.string(),
  /** The planned route as at most 25 waypoints. */
  coords: z.array(z.object({ latitude: z.number(), longitude: z.number() })),
  estimate: amount,
  estimateDistance: z.number(),
  estimateTime: z.number(),
  distance: z.number().nullable(),
  distance_filled: z.number().nullable(),
  tripdate: instant,
  bookingDate: instant,
  bookLater: z.boolean(),
  /** When drivers are asked for a Book Later trip; null for Book Now, whose drivers are asked at once. */
  drivers_asked_at: instant.nullable(),
  accepted_at: instant.nullable(),
  promised_arrival: instant.nullable(),
  driver_arrive_time: instant.nullable(),
  /** When the server received the arrival: the wait for a rider who does not come starts then. */
  arrival_received_at: instant.nullable(),
  trip_start_time: instant.nullable(),
  trip_end_time: instant.nullable(),
  /** The same moments as `trip_start_time` and `trip_end_time`. */
  startTime: instant.nullable(),
  endTime: instant.nullable(),
  total_trip_time: z.number().nullable(),
  closed_at: instant.nullable(),
  otp: z.string().nullable(),
  /** The driver must enter the rider's code to start. */
  otp_needed: z.boolean(),
  /** After too many wrong codes: until when no further one is accepted. */
  otp_blocked_until: instant.nullable(),
  booking_type_admin: z.boolean(),
  reason: z.string().nullable(),
  cancelledBy: z.enum(cancellers).nullable(),
  cancellation_fee: amount,
  fare_parts: fareParts,
  trip_cost: amount,
  convenience_fees: amount.nullable(),
  driver_share: amount.nullable(),
  discount_amount: amount,
  /** The same as `discount_amount`. */
  discount: amount,
  customer_paid: amount,
  payment_mode: z.enum(paymentModes),
  gateway: z.string().nullable(),
  prepaid: z.boolean(),
  cashPaymentAmount: amount,
  cardPaymentAmount: amount,
  usedWalletMoney: amount,
  payableAmount: amount,
  /**
   * What the rider pays, or the driver collects, at the end: the trip, the rider's outstanding amount, and both. Fixed when a
   * cash trip has REACHED. All 0 for a driver who has nothing to collect; null for those it does not concern.
   */
  collect: z.object({ trip: amount, outstanding: amount, total: amount }).nullable(),
  /** The outstanding amount that was to be collected with this cash trip; null before it was fixed. */
  outstanding_amount: amount.nullable(),
  /** What the rider paid with this trip besides its own price. */
  outstanding_collected: amount,
  /** What the driver said at the end of a cash trip. */
  cash_answer: z.enum(cashAnswers).nullable(),
  /** The rider's objection to that answer. */
  objection: z.enum(objectionStates).nullable(),
  promo_applied: z.boolean(),
  promo_name: z.string().nullable(),
  promo_details: promoDetails.nullable(),
  /** How the card is charged; null for other payment methods and other viewers. */
  paymentPacket: z
    .object({
      appcat: z.enum(['taxi', 'delivery']),
      payment_mode: z.literal('card'),
      customer_paid: amount,
      discount_amount: amount,
      usedWalletMoney: amount,
      cardPaymentAmount: amount,
      cashPaymentAmount: amount,
      payableAmount: amount,
      promo_applied: z.boolean(),
      promo_details: promoDetails.nullable(),
    })
    .nullable(),
  decimal: z.int(),
  currency: z.string(),
  rating: z.number().nullable(),
  /** The rider's comment on the trip. */
  feedback: z.string().nullable(),
  rider_rating: z.number().nullable(),
  rebooked_from: id.nullable(),
  rebooked_as: id.nullable(),
  /** For admins: the drivers who are asked now, by uid. */
  requestedDrivers: z.record(id, z.literal(true)).nullable(),
  /**
   * For a requested driver: when they were asked, when the request expires, the route to the pickup, and how many drivers
   * have the request now.
   */
  request: z
    .object({
      requested_at: instant,
      expires_at: instant.nullable(),
      pickupKm: z.number(),
      pickupS: z.number(),
      asked: z.int(),
    })
    .nullable(),
  /** Positions are live for this viewer now. */
  tracked: z.boolean(),
})
export type BookingView = z.infer<typeof bookingView>

/** What a person owes: to be shown before booking, in the wallet and in the driver's console. */
export const outstandingView = z.object({
  /** What the next cash or card trip collects. */
  total: amount,
  /** What the balance is below zero. */
  below: amount,
  /** What of it is not collected until an admin decides an objection. */
  contested: amount,
  /** Trips that wait to be paid. */
  trips: z.array(z.object({ id, booking_id: z.string(), at: instant, amount, contested: z.boolean() })),
  /** What of `below` is a driver's: cancellation fees, and differences to trips that were paid in advance. */
  fees: z.array(z.object({ id, booking_id: z.string(), at: instant, amount, kind: z.enum(['fee', 'trip']) })),
  /** Of a driver: the most that may be owed before cash requests stop; null for no limit. */
  limit: amount.nullable(),
  /** Of a driver: no cash requests come because of what is owed. */
  cash_blocked: z.boolean(),
})
export type OutstandingView = z.infer<typeof outstandingView>

export const bookingEvent = z.object({
  at: instant,
  actor: z.enum(actors),
  name: z.string().nullable(),
  command: z.string(),
  from: z.enum(bookingStatuses).nullable(),
  to: z.enum(bookingStatuses),
  reason: z.string().nullable(),
  /** What people were told of it: whom, and the key of its title with its parameters. */
  sent: z.array(z.object({ name: z.string(), title: z.string(), params: z.record(z.string(), z.string()) })),
})
export type BookingEvent = z.infer<typeof bookingEvent>

/** Sent when booking. The server computes the fare itself; `estimate` only lets it notice that the price has moved. */
export const bookingRequest = z.strictObject({
  pickup: placePoint,
  drop: placePoint,
  car_type_id: id,
  bookLater: z.boolean(),
  /** Needed with bookLater: at least 15 minutes ahead. */
  tripdate: instant.optional(),
  /** The trip_cost the person agreed to; another one is answered with fare_changed and the new parts. */
  estimate: amount.optional(),
  payment_mode: z.enum(paymentModes).default('cash'),
  /** A card is charged before drivers are asked; where trips are paid at their end otherwise. */
  inAdvance: z.boolean().optional(),
  promo: promoCode.optional(),
  /** Admins only: the rider the trip is for. */
  customer: id.optional(),
})

export type BookingRequest = z.infer<typeof bookingRequest>

const command = <P extends string>(name: P, summary: string) =>
  base.route({ method: 'POST', path: `/api/v1/bookings/{id}/${name}` as const, tags: ['bookings'], summary })

export const bookingsContract = {
  /** Fares and pickup minutes of every car type for a way; open to visitors, limited per address. */
  offers: base
    .route({ method: 'POST', path: '/api/v1/offers', tags: ['bookings'] })
    .input(wayInput.extend({ payment_mode: z.enum(paymentModes).optional() }))
    .output(
      z.object({
        route: z.object({ distanceKm: z.number(), durationS: z.number(), polyline: z.string() }),
        offers: z.array(offer),
      }),
    ),
  /** The price of one car type in parts, with promo, exactly as a booking made now would carry it. */
  estimate: base
    .route({ method: 'POST', path: '/api/v1/estimate', tags: ['bookings'] })
    .input(wayInput.extend({ car_type_id: id, promo: promoCode.optional() }))
    .output(
      z.object({
        estimateFare: amount,
        fare: fareParts,
        discount_amount: amount,
        payableAmount: amount,
        promo_name: z.string().nullable(),
        route: z.object({ distanceKm: z.number(), durationS: z.number(), polyline: z.string() }),
      }),
    ),
  create: base
    .route({ method: 'POST', path: '/api/v1/bookings', tags: ['bookings'], successStatus: 201 })
    .input(bookingRequest)
    .output(bookingView),
  list: base
    .route({ method: 'GET', path: '/api/v1/bookings', tags: ['bookings'] })
    .input(tableInput(bookingsOffer))
    .output(pageOf(bookingView)),
  count: base
    .route({ method: 'GET', path: '/api/v1/bookings/count', tags: ['bookings'] })
    .input(tableCountInput(bookingsOffer))
    .output(tableCount),
  get: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}', tags: ['bookings'] })
    .input(byId)
    .output(bookingView),
  /** What the signed-in rider or driver owes. */
  outstanding: base
    .route({ method: 'GET', path: '/api/v1/me/outstanding', tags: ['bookings'] })
    .output(outstandingView),
  events: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/events', tags: ['bookings'] })
    .input(byId)
    .output(z.array(bookingEvent)),
  /** What cancelling now would cost the viewer. */
  cancellation: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/cancellation', tags: ['bookings'] })
    .input(byId)
    .output(
      z.object({
        fee: amount,
        free: z.boolean(),
        why: z.enum(['free', 'slab', 'driver_late', 'not_accepted']),
        /** From when on it costs more, and how much then; null while it does not rise. */
        next: z.object({ fee: amount, from: instant }).nullable(),
      }),
    ),

  accept: command('accept', 'A requested driver takes the trip.').input(byId).output(bookingView),
  decline: command('decline', 'A requested driver passes on the trip.')
    .input(byId)
    .output(z.object({ ok: z.literal(true) })),
  arrive: command('arrive', 'The driver is at the pickup.').input(step).output(bookingView),
  start: command('start', 'The trip begins; with the rider code where it is needed.')
    .input(
      step.extend({
        otp: z
          .string()
          .regex(/^\d{5}$/)
          .optional(),
      }),
    )
    .output(bookingView),
  reach: command('reach', 'The trip has ended; the fare is computed from the track.')
    .input(step.extend({ reason: longText.optional() }))
    .output(bookingView),
  close: command('close', 'The driver closes the trip: settled at once, or pending.')
    .input(
      step.extend({
        reason: longText.optional(),
        /** Of a cash trip: the rider paid all of `collect`, the trip alone, or nothing. Without it, the trip alone. */
        collected: z.enum(cashAnswers).optional(),
        /** The amount that the answer stands for, as the driver saw it. Throws amount_changed for another one. */
        amount: amount.optional(),
      }),
    )
    .output(bookingView),
  object: command('object', 'The rider says that the cash was paid.')
    .input(byId.extend({ reason: longText.optional() }))
    .output(bookingView),
  decide_objection: command('decide-objection', 'An admin decides a rider’s objection.')
    .input(byId.extend({ outcome: z.enum(['paid', 'not_paid', 'write_off']), reason: shortText.min(1) }))
    .output(bookingView),
  confirm_cash: command('confirm-cash', 'The driver has received cash for a pending trip.')
    .input(byId)
    .output(bookingView),
  pay_by_wallet: command('pay-by-wallet', 'The rider pays a pending trip from the wallet.')
    .input(byId)
    .output(bookingView),
  choose_payment: command('choose-payment', 'The rider changes how to pay, until the trip has ended.')
    .input(byId.extend({ payment_mode: z.enum(paymentModes), promo: promoCode.nullable().optional() }))
    .output(bookingView),
  cancel: command('cancel', 'Rider, admin or driver cancels, with a reason.')
    .input(
      byId.extend({
        reason: shortText.min(1),
        /** The fee the rider was shown. Throws cancellation_fee_changed with `data.fee` when it is higher by now. */
        fee: amount.optional(),
      }),
    )
    .output(bookingView),
  rate: command('rate', 'The rider rates the trip.')
    .input(byId.extend({ rating, feedback: longText.optional() }))
    .output(bookingView),
  skip_rating: command('skip-rating', 'The rider leaves the trip unrated.').input(byId).output(bookingView),
  rate_rider: command('rate-rider', 'The driver rates the rider.')
    .input(byId.extend({ rating }))
    .output(bookingView),
  assign_driver: command('assign-driver', 'An admin asks one driver.')
    .input(byId.extend({ driver: id }))
    .output(bookingView),
  write_off: command('write-off', 'An admin lets the platform bear an unpaid trip.')
    .input(byId.extend({ reason: shortText.min(1) }))
    .output(bookingView),
}
