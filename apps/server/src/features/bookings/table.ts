import { type PlacePoint, type PromoDetails } from '@hansom/domain/bookings/booking'
import type { EventChange } from '@hansom/domain/bookings/decision'
import {
  bookingStatuses,
  cancellers,
  cashAnswers,
  objectionStates,
  objectionSubjects,
  paymentModes,
} from '@hansom/domain/bookings/status'
import { type Considered, type ConsideredDriver, strategies } from '@hansom/domain/dispatch/strategies'
import type { CancelSlab, FareParts, FareRule } from '@hansom/domain/fare/fare'
import type { DistanceSource } from '@hansom/domain/fare/track'
import { eventActors } from '@hansom/domain/users/roles'
import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { amount, instant } from '../../platform/database/columns.ts'
import { carTypesTable } from '../car-types/table.ts'
import { promosTable } from '../promos/table.ts'
import { usersTable } from '../users/table.ts'

/** Property names match the domain's `Booking`: a row is a booking. */
export const bookingsTable = pgTable(
  'bookings',
  {
    id: uuid('id').primaryKey(),
    booking_id: text('booking_id').notNull().unique(),
    version: integer('version').notNull().default(1),
    status: text('status', { enum: bookingStatuses }).notNull(),

    car_type_id: uuid('car_type_id')
      .notNull()
      .references(() => carTypesTable.id),
    carType: text('car_type').notNull(),
    carImage: text('car_image'),
    fare_rule: jsonb('fare_rule').$type<FareRule>().notNull(),
    cancel_slab: jsonb('cancel_slab').$type<CancelSlab[]>().notNull(),
    decimal: smallint('decimal').notNull(),
    convert_to_mile: boolean('convert_to_mile').notNull(),
    currency: text('currency').notNull(),

    customer: uuid('customer')
      .notNull()
      .references(() => usersTable.id),
    customer_name: text('customer_name').notNull(),
    customer_contact: text('customer_contact'),
    customer_email: text('customer_email'),
    customer_image: text('customer_image'),

    driver: uuid('driver').references(() => usersTable.id),
    driver_name: text('driver_name'),
    driver_image: text('driver_image'),
    driver_contact: text('driver_contact'),
    call_number: text('call_number'),
    vehicle_number: text('vehicle_number'),
    vehicle_make: text('vehicle_make'),
    vehicle_model: text('vehicle_model'),
    driverRating: doublePrecision('driver_rating'),
    fleetadmin: uuid('fleetadmin').references(() => usersTable.id),

    pickup: jsonb('pickup').$type<PlacePoint>().notNull(),
    drop: jsonb('drop').$type<PlacePoint>().notNull(),
    route: text('route').notNull(),
    estimate: amount('estimate').notNull(),
    estimateDistance: doublePrecision('estimate_distance').notNull(),
    estimateTime: doublePrecision('estimate_time').notNull(),
    distance: doublePrecision('distance'),
    distance_filled: doublePrecision('distance_filled'),
    distance_source: text('distance_source').$type<DistanceSource>(),
    distance_unmatched: doublePrecision('distance_unmatched'),

    tripdate: instant('tripdate').notNull(),
    bookingDate: instant('booking_date').notNull(),
    bookLater: boolean('book_later').notNull(),
    accepted_at: instant('accepted_at'),
    promised_arrival: instant('promised_arrival'),
    driver_arrive_time: instant('driver_arrive_time'),
    arrival_received_at: instant('arrival_received_at'),
    trip_start_time: instant('trip_start_time'),
    trip_end_time: instant('trip_end_time'),
    total_trip_time: doublePrecision('total_trip_time'),
    closed_at: instant('closed_at'),

    otp: text('otp'),
    otp_tries: smallint('otp_tries').notNull().default(0),
    otp_blocked_until: instant('otp_blocked_until'),

    note: text('note'),
    passengers: smallint('passengers'),
    group_id: uuid('group_id'),
    booking_type_admin: boolean('booking_type_admin').notNull().default(false),
    reason: text('reason'),
    cancelledBy: text('cancelled_by', { enum: cancellers }),
    cancellation_fee: amount('cancellation_fee').notNull().default(0),

    trip_cost: amount('trip_cost').notNull(),
    convenience_fees: amount('convenience_fees').notNull(),
    driver_share: amount('driver_share').notNull(),
    fare_parts: jsonb('fare_parts').$type<FareParts>().notNull(),
    discount_amount: amount('discount_amount').notNull().default(0),
    customer_paid: amount('customer_paid').notNull().default(0),
    payment_mode: text('payment_mode', { enum: paymentModes }).notNull(),
    gateway: text('gateway'),
    prepaid: boolean('prepaid').notNull().default(false),
    cashPaymentAmount: amount('cash_payment_amount').notNull().default(0),
    cardPaymentAmount: amount('card_payment_amount').notNull().default(0),
    usedWalletMoney: amount('used_wallet_money').notNull().default(0),
    payableAmount: amount('payable_amount').notNull().default(0),
    outstanding_amount: amount('outstanding_amount'),
    outstanding_collected: amount('outstanding_collected').notNull().default(0),
    cash_answer: text('cash_answer', { enum: cashAnswers }),
    objection: text('objection', { enum: objectionStates }),
    objection_to: text('objection_to', { enum: objectionSubjects }),
    contested_amount: amount('contested_amount').notNull().default(0),
    written_off_amount: amount('written_off_amount').notNull().default(0),
    promo_applied: boolean('promo_applied').notNull().default(false),
    promo_id: uuid('promo_id').references(() => promosTable.id),
    promo_details: jsonb('promo_details').$type<PromoDetails>(),

    rating: smallint('rating'),
    feedback: text('feedback'),
    rider_rating: smallint('rider_rating'),

    rebooked_from: uuid('rebooked_from').references((): AnyPgColumn => bookingsTable.id),
    rebooked_as: uuid('rebooked_as').references((): AnyPgColumn => bookingsTable.id),
    excluded_drivers: jsonb('excluded_drivers').$type<string[]>().notNull().default([]),
    wave: smallint('wave').notNull().default(0),
  },
  (t) => [
    check('bookings_cost_adds_up', sql`${t.trip_cost} = ${t.driver_share} + ${t.convenience_fees}`),
    check(
      'bookings_driver_claimed',
      sql`${t.status} not in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID', 'COMPLETE') or ${t.driver} is not null`,
    ),
    check('bookings_cancelled_by_someone', sql`(${t.status} = 'CANCELLED') = (${t.cancelledBy} is not null)`),
    check('bookings_rating_range', sql`${t.rating} between 1 and 5 and ${t.rider_rating} between 1 and 5`),
    check('bookings_discount_range', sql`${t.discount_amount} between 0 and ${t.trip_cost}`),
    check('bookings_passengers', sql`${t.passengers} > 0`),
    index('bookings_group').on(t.group_id).where(sql`${t.group_id} is not null`),
    uniqueIndex('bookings_one_trip_a_driver')
      .on(t.driver)
      .where(sql`${t.status} in ('ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED')`),
    uniqueIndex('bookings_rebooked_once').on(t.rebooked_from).where(sql`${t.rebooked_from} is not null`),
    index('bookings_customer').on(t.customer, t.tripdate.desc(), t.id.desc()),
    index('bookings_driver').on(t.driver, t.tripdate.desc(), t.id.desc()),
    // The filter columns of a fleet's bookings follow the sort columns in the index: only matching rows are fetched,
    // and counts need none. The same goes for payment methods below, where filters may exclude each other.
    index('bookings_fleetadmin').on(
      t.fleetadmin,
      t.tripdate.desc(),
      t.id.desc(),
      t.status,
      t.car_type_id,
      t.payment_mode,
      t.bookLater,
    ),
    index('bookings_recent').on(t.tripdate.desc(), t.id.desc()),
    // Includes the trip's date, so that a range of old trips is found without reading the newer rows.
    index('bookings_by_booking_date').on(t.bookingDate.desc(), t.id.desc(), t.tripdate),
    index('bookings_status').on(t.status, t.tripdate.desc(), t.id.desc()),
    // Bookings in progress, counted by fleet.
    index('bookings_open')
      .on(t.fleetadmin, t.status)
      .where(sql`${t.status} not in ('COMPLETE', 'CANCELLED')`),
    // A rider's open bookings, counted before each new one.
    index('bookings_open_of_rider')
      .on(t.customer)
      .where(sql`${t.status} in ('PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED')`),
    index('bookings_payment_mode').on(
      t.payment_mode,
      t.tripdate.desc(),
      t.id.desc(),
      t.status,
      t.bookLater,
      t.trip_cost,
    ),
    // A rider's outstanding amount is read with each of their bookings.
    index('bookings_unpaid').on(t.customer, t.closed_at, t.id).where(sql`${t.status} = 'PENDING'`),
    index('bookings_objection').on(t.objection, t.customer).where(sql`${t.objection} = 'open'`),
    // What the system has cancelled lately, with the bookings that no driver took.
    index('bookings_system_cancelled')
      .on(t.closed_at.desc())
      .where(sql`${t.status} = 'CANCELLED' and ${t.cancelledBy} = 'system'`),
    index('bookings_later').on(t.tripdate.desc(), t.id.desc()).where(sql`${t.bookLater}`),
    index('bookings_cost').on(t.trip_cost.desc(), t.id.desc()),
    index('bookings_status_cost').on(t.status, t.trip_cost.desc(), t.id.desc()),
    // Costs within a car type or fleet are similar: an index on the cost only would scan far for the next match.
    index('bookings_fleet_cost').on(t.fleetadmin, t.trip_cost.desc(), t.id.desc()),
    index('bookings_car_type_cost').on(t.car_type_id, t.trip_cost.desc(), t.id.desc()),
  ],
)
export type BookingRow = typeof bookingsTable.$inferSelect

/**
 * Search text of bookings, maintained by triggers. A separate table because its index is expensive to update: a booking
 * changes seven times, its text once.
 */
export const bookingSearchTable = pgTable(
  'booking_search',
  {
    booking_id: uuid('booking_id')
      .primaryKey()
      .references(() => bookingsTable.id, { onDelete: 'cascade' }),
    words: text('words').notNull(),
    /** The rider's email address and phone number, searched only where they are not hidden. */
    contacts: text('contacts').notNull().default(''),
  },
  (t) => [
    index('booking_search_words').using('gin', t.words.op('gin_trgm_ops')),
    index('booking_search_contacts').using('gin', t.contacts.op('gin_trgm_ops')),
  ],
)

/**
 * The audit trail: every command that changed a booking. Partitioned by month: see docs/decisions/0203-retention.md.
 */
export const bookingEventsTable = pgTable(
  'booking_events',
  {
    booking_id: uuid('booking_id').notNull(),
    version: integer('version').notNull(),
    at: instant('at').notNull(),
    actor: text('actor', { enum: eventActors }).notNull(),
    by_user: uuid('by_user'),
    command: text('command').notNull(),
    from: text('from_status', { enum: bookingStatuses }),
    to: text('to_status', { enum: bookingStatuses }).notNull(),
    reason: text('reason'),
    /** What a change of the booking's data changed. */
    changes: jsonb('changes').$type<EventChange[]>(),
  },
  (t) => [primaryKey({ columns: [t.booking_id, t.version, t.at] })],
)

/**
 * requestedDrivers: the drivers asked. A request is active until `expires_at`; its row remains until it is answered or
 * the booking is accepted or cancelled, so that no driver is asked twice.
 */
export const bookingRequestsTable = pgTable(
  'booking_requests',
  {
    booking_id: uuid('booking_id')
      .notNull()
      .references(() => bookingsTable.id),
    driver_id: uuid('driver_id')
      .notNull()
      .references(() => usersTable.id),
    wave: smallint('wave').notNull(),
    requested_at: instant('requested_at').notNull(),
    /** null for an admin's assignment, which does not expire. */
    expires_at: instant('expires_at'),
    pickupKm: doublePrecision('pickup_km').notNull(),
    pickupS: doublePrecision('pickup_s').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.booking_id, t.driver_id] }),
    index('booking_requests_driver').on(t.driver_id),
  ],
)

/**
 * Why drivers were asked for a booking or not, a row for each wave: some drivers with their reasons, as ids only.
 * Kept for a week.
 */
export const dispatchDecisionsTable = pgTable(
  'dispatch_decisions',
  {
    booking_id: uuid('booking_id').notNull(),
    wave: smallint('wave').notNull(),
    at: instant('at').notNull(),
    kind: text('kind', { enum: ['ask', 'wait', 'none'] }).notNull(),
    strategy: text('strategy', { enum: strategies }).notNull(),
    /** The name of the rule that chose the strategy; null: the settings did. */
    rule: text('rule'),
    /** How far drivers were asked, km. */
    radius: doublePrecision('radius_km').notNull(),
    /** The number of all considered drivers by reason. */
    counts: jsonb('counts').$type<Considered['counts']>().notNull().default({}),
    drivers: jsonb('drivers').$type<ConsideredDriver[]>().notNull(),
    /** The ids in `drivers`, for the search by driver. */
    driver_ids: uuid('driver_ids').array().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.booking_id, t.wave] }),
    index('dispatch_decisions_drivers').using('gin', t.driver_ids),
    index('dispatch_decisions_at').on(t.at),
  ],
)

/** Which admin has a booking open on the dispatch screen; a row past `until` is as good as none. */
export const bookingHoldsTable = pgTable('booking_holds', {
  booking_id: uuid('booking_id')
    .primaryKey()
    .references(() => bookingsTable.id, { onDelete: 'cascade' }),
  user_id: uuid('user_id')
    .notNull()
    .references(() => usersTable.id, { onDelete: 'cascade' }),
  until: instant('until').notNull(),
})

/** Which booking a driver about to finish a trip is awaited by; a row past `until` is as good as none. */
export const awaitedDriversTable = pgTable('awaited_drivers', {
  driver_id: uuid('driver_id')
    .primaryKey()
    .references(() => usersTable.id, { onDelete: 'cascade' }),
  booking_id: uuid('booking_id')
    .notNull()
    .references(() => bookingsTable.id, { onDelete: 'cascade' }),
  until: instant('until').notNull(),
})

/**
 * Points of a trip in the order they were recorded. Those from STARTED to REACHED count for the fare. Partitioned by
 * month: see docs/decisions/0203-retention.md.
 */
export const trackingTable = pgTable(
  'tracking',
  {
    booking_id: uuid('booking_id').notNull(),
    at: instant('at').notNull(),
    status: text('status', { enum: bookingStatuses }).notNull(),
    lat: doublePrecision('lat').notNull(),
    lng: doublePrecision('lng').notNull(),
    /** Radius reported by the device, m; null if it reported none. */
    accuracy: integer('accuracy'),
  },
  (t) => [uniqueIndex('tracking_point_once').on(t.booking_id, t.at)],
)

/** Replaces a trip's points when their month is dropped: the route driven as one simplified line. */
export const tripLinesTable = pgTable('trip_lines', {
  booking_id: uuid('booking_id')
    .primaryKey()
    .references(() => bookingsTable.id, { onDelete: 'cascade' }),
  /** Encoded polyline with precision 5. */
  polyline: text('polyline').notNull(),
  /** Length of the route before it was simplified. */
  distance_km: doublePrecision('distance_km').notNull(),
  /** The trip's last point, including the route to the pickup. */
  last_at: instant('last_at').notNull(),
  last_status: text('last_status', { enum: bookingStatuses }).notNull(),
  last_lat: doublePrecision('last_lat').notNull(),
  last_lng: doublePrecision('last_lng').notNull(),
})
