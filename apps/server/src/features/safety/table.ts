import {
  safetyAnswers,
  safetyClosings,
  safetyKinds,
  safetyMoments,
  safetyStates,
} from '@hansom/domain/safety/event'
import { sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant } from '../../platform/database/columns.ts'
import { bookingsTable } from '../bookings/table.ts'
import { usersTable } from '../users/table.ts'

/** A question to the people of a trip, or an alarm. */
export const safetyEventsTable = pgTable(
  'safety_events',
  {
    id: uuid('id').primaryKey(),
    booking_id: uuid('booking_id')
      .notNull()
      .references(() => bookingsTable.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: safetyKinds }).notNull(),
    /** Of the trip when the event was opened. */
    driver: uuid('driver')
      .notNull()
      .references(() => usersTable.id),
    fleetadmin: uuid('fleetadmin').references(() => usersTable.id),
    state: text('state', { enum: safetyStates }).notNull(),
    opened_at: instant('opened_at').notNull(),
    /** When a question becomes an alarm. */
    answer_by: instant('answer_by'),
    rider_answer: text('rider_answer', { enum: safetyAnswers }),
    driver_answer: text('driver_answer', { enum: safetyAnswers }),
    alarm_at: instant('alarm_at'),
    /** Who pressed the panic button first. */
    raised_by: uuid('raised_by').references(() => usersTable.id),
    /** Where the trip was: the newest position that the event knows. */
    lat: doublePrecision('lat'),
    lng: doublePrecision('lng'),
    point_at: instant('point_at'),
    acknowledged_at: instant('acknowledged_at'),
    acknowledged_by: uuid('acknowledged_by').references(() => usersTable.id),
    closed_at: instant('closed_at'),
    closed_by: uuid('closed_by').references(() => usersTable.id),
    closing: text('closing', { enum: safetyClosings }),
  },
  (t) => [
    uniqueIndex('safety_events_open').on(t.booking_id, t.driver, t.kind).where(sql`${t.state} <> 'closed'`),
    index('safety_events_driver').on(t.driver),
    index('safety_events_fleet').on(t.fleetadmin, t.opened_at),
    index('safety_events_booking').on(t.booking_id),
    index('safety_events_asked').on(t.answer_by).where(sql`${t.state} = 'asked'`),
    index('safety_events_alarm').on(t.alarm_at).where(sql`${t.state} = 'alarm'`),
    index('safety_events_closed').on(t.closed_at).where(sql`${t.state} = 'closed'`),
    check('safety_events_state', sql`(${t.state} = 'closed') = (${t.closed_at} is not null)`),
    check('safety_events_closing', sql`(${t.closing} is null) = (${t.closed_at} is null)`),
    check('safety_events_alarmed', sql`${t.state} <> 'alarm' or ${t.alarm_at} is not null`),
    check('safety_events_panic', sql`(${t.kind} = 'panic') = (${t.raised_by} is not null)`),
    check('safety_events_question', sql`(${t.kind} = 'panic') = (${t.answer_by} is null)`),
    check('safety_events_point', sql`num_nulls(${t.lat}, ${t.lng}, ${t.point_at}) in (0, 3)`),
    check('safety_events_charge', sql`(${t.acknowledged_at} is null) = (${t.acknowledged_by} is null)`),
  ],
)

/** What happened to an event, in order. */
export const safetyMomentsTable = pgTable(
  'safety_moments',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    event_id: uuid('event_id')
      .notNull()
      .references(() => safetyEventsTable.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    what: text('what', { enum: safetyMoments }).notNull(),
    /** Null for the platform. */
    by_user: uuid('by_user').references(() => usersTable.id),
    note: text('note'),
    lat: doublePrecision('lat'),
    lng: doublePrecision('lng'),
  },
  (t) => [
    index('safety_moments_event').on(t.event_id, t.id),
    uniqueIndex('safety_moments_seen').on(t.event_id, t.by_user).where(sql`${t.what} = 'seen'`),
    check('safety_moments_point', sql`num_nulls(${t.lat}, ${t.lng}) in (0, 2)`),
  ],
)

/** Whom a user wants to be informed. Only the user sees them; admins do with an open alarm of the user. */
export const trustedContactsTable = pgTable(
  'trusted_contacts',
  {
    id: uuid('id').primaryKey(),
    user_id: uuid('user_id')
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    mobile: text('mobile'),
    email: text('email'),
    share_always: boolean('share_always').notNull(),
    on_help: boolean('on_help').notNull(),
  },
  (t) => [
    index('trusted_contacts_user').on(t.user_id),
    check('trusted_contacts_reachable', sql`num_nonnulls(${t.mobile}, ${t.email}) > 0`),
  ],
)

/** Contacts who want no messages of a user, also after the user removed and added them again. */
export const contactRefusalsTable = pgTable(
  'contact_refusals',
  {
    user_id: uuid('user_id')
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    /** Keyed digest of the email address or phone number. */
    address: text('address').notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.address] })],
)

/** How often the link of a trip was sent to trusted contacts on request. */
export const contactSharesTable = pgTable('contact_shares', {
  booking_id: uuid('booking_id')
    .primaryKey()
    .references(() => bookingsTable.id, { onDelete: 'cascade' }),
  presses: integer('presses').notNull(),
  shared_at: instant('shared_at').notNull(),
})
