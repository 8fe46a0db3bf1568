import { maxCars } from '@hansom/domain/bookings/create'
import { recordedChanges, recordedParts, recordedSteps } from '@hansom/domain/bookings/decision'
import { viewShape, visibleFare, type WrittenField, writtenFields } from '@hansom/domain/bookings/fields'
import { bookingStatuses, cashAnswers, paymentModes } from '@hansom/domain/bookings/status'
import type { RoutedCommand } from '@hansom/domain/bookings/transitions'
import { reportReasons } from '@hansom/domain/chats/chat'
import { listedDelivery } from '@hansom/domain/deliveries/visible-delivery'
import { eventActors } from '@hansom/domain/users/roles'
import type { InferContractRouterInputs } from '@orpc/contract'
import { z } from 'zod'
import { base } from './base.ts'
import { bookingsTableSpec } from './bookings-table.ts'
import { carType } from './car-types.ts'
import {
  deliveryEstimate,
  deliveryQuote,
  dropFailure,
  instructionData,
  stopNumber,
  stopProof,
} from './deliveries.ts'
import { amount, id, instant, longText, pageOf, placePoint, point, shortText, zodFields } from './shapes.ts'
import { tableCount, tableCountInput, tableInput } from './tables.ts'

const rating = z.int().min(1).max(5)
const byId = z.object({ id })
/** The version the admin saw. Throws conflict if the booking has changed since. */
const seenVersion = z.int().optional()
/** `at`: when the driver took the step, by the server's clock; required when it could not be reported immediately. */
const step = byId.extend({ at: instant.optional() })

/** The parts of a fare; the driver's share is null for riders and visitors. */
export const fareParts = z.object(zodFields(visibleFare.fields))

/** The fare and pickup time of one car type for a route, as shown in the booking form. */
export const fareOffer = z.object({
  carType,
  fare: fareParts,
  /** Seconds until the nearest free car of the type is at the pickup; null when none is near. */
  pickupS: z.number().nullable(),
  nearby: z.int(),
})
export type FareOffer = z.infer<typeof fareOffer>

const routeInput = z.object({ pickup: point, drop: point })
const promoCode = z.string().trim().min(1).max(60)

/** A person's view of a booking: fields the viewer may not see are null, or 0 for amounts. */
export const bookingView = z.object(zodFields(viewShape))
export type BookingView = z.infer<typeof bookingView>

/** A booking in a table, with figures of other records, and without the stops of a delivery. */
export const bookingRow = bookingView.extend({
  delivery: z.object(zodFields(listedDelivery.fields)).nullable(),
  /** For admins, otherwise 0: refunds without failed ones, and what the platform bears of the unpaid price or debt. */
  refunded: amount,
  write_off: amount,
  /** The name of the fleet admin; null for other viewers than admins. */
  fleet_name: z.string().nullable(),
  /**
   * For admins: the messages of all its conversations, when the last was written, and the open reports with the newest of them;
   * null without both, and for other viewers.
   */
  chat: z
    .object({
      messages: z.int(),
      last_at: instant.nullable(),
      reports: z.int(),
      report: z.object({ reason: z.enum(reportReasons), at: instant }).nullable(),
    })
    .nullable(),
  /** Messages of the conversation that the rider or the driver has not read; 0 for all others. */
  unread_messages: z.int(),
})
export type BookingRow = z.infer<typeof bookingRow>

/** A booking's view, or its row in a list. */
export type ListedBooking = Omit<
  BookingRow,
  'refunded' | 'write_off' | 'fleet_name' | 'chat' | 'unread_messages'
>

/** A person's debt, shown before booking, in the wallet and in the driver's console. */
export const outstandingView = z.object({
  /** The amount the next cash or card trip collects. */
  total: amount,
  /** The amount by which the balance is below zero. */
  below: amount,
  /** The part that is not collected until an admin decides an objection. */
  contested: amount,
  /** Unpaid trips. */
  trips: z.array(z.object({ id, booking_id: z.string(), at: instant, amount, contested: z.boolean() })),
  /** The part of `below` owed to drivers: cancellation fees, and price differences of trips paid in advance. */
  fees: z.array(z.object({ id, booking_id: z.string(), at: instant, amount, kind: z.enum(['fee', 'trip']) })),
  /** For drivers: the most they may owe before cash requests stop; null for no limit. */
  limit: amount.nullable(),
  /** For drivers: cash requests are paused because of the debt. */
  cash_blocked: z.boolean(),
})
export type OutstandingView = z.infer<typeof outstandingView>

const changedValue = z.union([z.string(), z.number(), z.boolean(), z.null()])

export const bookingEvent = z.object({
  at: instant,
  actor: z.enum(eventActors),
  name: z.string().nullable(),
  command: z.string(),
  from: z.enum(bookingStatuses).nullable(),
  to: z.enum(bookingStatuses),
  reason: z.string().nullable(),
  /** The values that were changed, or the stop of a courier's step; null for other events. */
  changes: z
    .array(
      z.object({
        field: z.enum([...recordedChanges, ...recordedParts, ...recordedSteps]),
        from: changedValue,
        to: changedValue,
      }),
    )
    .nullable(),
  /** Notifications sent for this event: the recipient, and the key of the title with its parameters. */
  sent: z.array(z.object({ name: z.string(), title: z.string(), params: z.record(z.string(), z.string()) })),
})
export type BookingEvent = z.infer<typeof bookingEvent>

/** The texts that the creator may write. */
const writtenTexts = Object.fromEntries(
  writtenFields.map(({ field, max }) => [field, z.string().trim().max(max).optional()]),
) as Record<WrittenField, z.ZodOptional<z.ZodString>>

/** A booking request. The server computes the fare itself; `estimate` only lets it detect a price change. */
export const bookingRequest = z.strictObject({
  pickup: placePoint,
  drop: placePoint,
  car_type_id: id,
  bookLater: z.boolean(),
  /** Required with bookLater: at least 15 minutes ahead. */
  tripdate: instant.optional(),
  /** The trip_cost the person agreed to; if it differs, throws fare_changed with the new fare parts. */
  estimate: amount.optional(),
  /** Defaults to cash; to card for deliveries, which are paid in advance. */
  payment_mode: z.enum(paymentModes).optional(),
  /** Charges the card before drivers are asked, even where trips are otherwise paid at their end. */
  inAdvance: z.boolean().optional(),
  promo: promoCode.optional(),
  /** Admins only: the rider the trip is for. */
  customer: id.optional(),
  /** Admins only, instead of `customer`: a caller without an account, found again by the number in any written form. */
  guest: z
    .strictObject({ name: z.string().trim().min(1).max(160), mobile: z.string().trim().min(1).max(30) })
    .optional(),
  /** At most the seats of the car type. Throws too_many_passengers. */
  passengers: z.int().min(1).max(99).optional(),
  /** Admins only: books this many cars, all of them or none; they share a `group_id`. Returns the first. */
  cars: z.int().min(1).max(maxCars).optional(),
  /** Admins only: also books the way back at this time, for each car. */
  returnAt: instant.optional(),
  /** Deliveries only: the parcel and its recipients. */
  instructionData: instructionData.optional(),
  ...writtenTexts,
})

export type BookingRequest = z.infer<typeof bookingRequest>

/** What to change about a booking; fields not given stay. */
export const bookingChange = byId.extend({
  pickup: placePoint.optional(),
  drop: placePoint.optional(),
  bookLater: z.boolean().optional(),
  /** With `bookLater`: at least 15 minutes ahead. */
  tripdate: instant.optional(),
  car_type_id: id.optional(),
  /** At most the seats of the car type; null: not stated. Throws too_many_passengers. */
  passengers: z.int().min(1).max(99).nullable().optional(),
  /** Empty removes the note. */
  note: writtenTexts.note,
})
export type BookingChangeInput = z.infer<typeof bookingChange>

const command = <P extends string>(name: P, summary: string) =>
  base.route({ method: 'POST', path: `/api/v1/bookings/{id}/${name}` as const, tags: ['bookings'], summary })

/** Every command that users give on a booking. */
export const bookingCommands = {
  accept: command('accept', 'A requested driver takes the trip.').input(byId).output(bookingView),
  decline: command('decline', 'A requested driver passes on the trip.')
    .input(byId)
    .output(z.object({ ok: z.literal(true) })),
  arrive: command('arrive', 'The driver is at the pickup.').input(step).output(bookingView),
  start: command('start', 'The driver starts the trip, with the rider’s code if required.')
    .input(
      step.extend({
        otp: z
          .string()
          .regex(/^\d{5}$/)
          .optional(),
        /** Deliveries only: the text of the parcel's label. */
        scan: stopProof.scan,
        cash: stopProof.cash,
      }),
    )
    .output(bookingView),
  deliver: command(
    'deliver',
    'The courier hands a parcel over, or returns those that failed. Photos are uploaded first.',
  )
    .input(step.extend({ stop: stopNumber, ...stopProof }))
    .output(bookingView),
  fail_drop: command('fail-drop', 'A parcel cannot be handed over; the first failure opens the return leg.')
    .input(step.extend({ stop: stopNumber, reason: dropFailure }))
    .output(bookingView),
  reach: command('reach', 'The trip has ended; the fare is calculated from the track.')
    .input(step.extend({ reason: longText.optional() }))
    .output(bookingView),
  close: command('close', 'The driver closes the trip; it is settled immediately, or payment is pending.')
    .input(
      step.extend({
        reason: longText.optional(),
        /** For a cash trip: the rider paid all of `collect`, only the trip, or nothing. Defaults to only the trip. */
        collected: z.enum(cashAnswers).optional(),
        /** The amount the answer stands for, as shown to the driver. Throws amount_changed if it differs. */
        amount: amount.optional(),
      }),
    )
    .output(bookingView),
  object: command('object', 'The rider objects: the cash was paid.')
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
  change: command(
    'change',
    'The rider or an admin changes places, time, car type, passengers or note; the fare is calculated again.',
  )
    .input(bookingChange.extend({ estimate: amount.optional() }))
    .output(bookingView),
  choose_payment: command(
    'choose-payment',
    'The rider or an admin changes the payment method, until the trip has ended.',
  )
    .input(byId.extend({ payment_mode: z.enum(paymentModes), promo: promoCode.nullable().optional() }))
    .output(bookingView),
  cancel: command('cancel', 'Rider, admin or driver cancels, with a reason.')
    .input(
      byId.extend({
        reason: shortText.min(1),
        /** The fee shown to the rider. Throws cancellation_fee_changed with `data.fee` if the fee is higher now. */
        fee: amount.optional(),
      }),
    )
    .output(bookingView),
  rate: command('rate', 'The rider rates the trip.')
    .input(byId.extend({ rating, feedback: longText.optional() }))
    .output(bookingView),
  skip_rating: command('skip-rating', 'The rider skips the rating.').input(byId).output(bookingView),
  rate_rider: command('rate-rider', 'The driver rates the rider.')
    .input(byId.extend({ rating }))
    .output(bookingView),
  assign_driver: command(
    'assign-driver',
    'An admin asks one driver, instead of the current one, who is released. The reason is required then.',
  )
    .input(
      byId.extend({
        driver: id,
        reason: shortText.optional(),
        version: seenVersion,
      }),
    )
    .output(bookingView),
  withdraw_driver: command('withdraw-driver', 'An admin takes the trip from its driver or the drivers asked.')
    .input(byId.extend({ reason: shortText.min(1), version: seenVersion }))
    .output(bookingView),
  write_off: command('write-off', 'An admin writes off an unpaid trip; the platform bears it.')
    .input(byId.extend({ reason: shortText.min(1) }))
    .output(bookingView),
} satisfies Record<RoutedCommand, object>

/** The input of a command, without the booking's id. */
export type BookingCommandBody<C extends RoutedCommand> = Omit<
  InferContractRouterInputs<typeof bookingCommands>[C],
  'id'
>

export const bookingsContract = {
  /** Fares and pickup minutes of every car type for a route; open to visitors, rate limited by IP address. */
  offers: base
    .route({ method: 'POST', path: '/api/v1/offers', tags: ['bookings'] })
    .input(
      routeInput.extend({
        payment_mode: z.enum(paymentModes).optional(),
        delivery: deliveryEstimate.optional(),
      }),
    )
    .output(
      z.object({
        route: z.object({ distanceKm: z.number(), durationS: z.number(), polyline: z.string() }),
        offers: z.array(fareOffer),
      }),
    ),
  /** The price of one car type in parts, with promo, exactly as a booking made now would have it. */
  estimate: base
    .route({ method: 'POST', path: '/api/v1/estimate', tags: ['bookings'] })
    .input(
      routeInput.extend({
        car_type_id: id,
        promo: promoCode.optional(),
        delivery: deliveryEstimate.optional(),
      }),
    )
    .output(
      z.object({
        estimateFare: amount,
        fare: fareParts,
        discount_amount: amount,
        payableAmount: amount,
        promo_name: z.string().nullable(),
        /** Null in the taxi category. */
        delivery: deliveryQuote.nullable(),
        route: z.object({ distanceKm: z.number(), durationS: z.number(), polyline: z.string() }),
      }),
    ),
  create: base
    .route({ method: 'POST', path: '/api/v1/bookings', tags: ['bookings'], successStatus: 201 })
    .input(bookingRequest)
    .output(bookingView),
  list: base
    .route({ method: 'GET', path: '/api/v1/bookings', tags: ['bookings'] })
    .input(tableInput(bookingsTableSpec))
    .output(pageOf(bookingRow)),
  count: base
    .route({ method: 'GET', path: '/api/v1/bookings/count', tags: ['bookings'] })
    .input(tableCountInput(bookingsTableSpec))
    .output(tableCount),
  get: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}', tags: ['bookings'] })
    .input(byId)
    .output(bookingView),
  /** The debt of the signed-in rider or driver. */
  outstanding: base
    .route({ method: 'GET', path: '/api/v1/me/outstanding', tags: ['bookings'] })
    .output(outstandingView),
  events: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/events', tags: ['bookings'] })
    .input(byId)
    .output(z.array(bookingEvent)),
  /** The fee the viewer would pay for cancelling now. */
  cancellation: base
    .route({ method: 'GET', path: '/api/v1/bookings/{id}/cancellation', tags: ['bookings'] })
    .input(byId)
    .output(
      z.object({
        fee: amount,
        free: z.boolean(),
        why: z.enum(['free', 'slab', 'driver_late', 'not_accepted']),
        /** The next higher fee and when it applies; null while the fee does not rise. */
        next: z.object({ fee: amount, from: instant }).nullable(),
      }),
    ),

  /** The booking as `change` would leave it, with its new fare. Changes nothing. Throws what `change` throws. */
  quoteChange: base
    .route({ method: 'POST', path: '/api/v1/bookings/{id}/change/quote', tags: ['bookings'] })
    .input(bookingChange)
    .output(bookingView),

  ...bookingCommands,
}
