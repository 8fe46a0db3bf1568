import type { PlacePoint } from '@hansom/domain/bookings/booking'
import {
  cashPlaces,
  dropFailures,
  informProblems,
  proofKinds,
  type ReturnLeg,
  stopKinds,
  stopOrders,
  stopOutcomes,
} from '@hansom/domain/deliveries/delivery'
import {
  type ImportedRow,
  type ImportPlan,
  type ImportProblem,
  importRowStates,
} from '@hansom/domain/deliveries/import'
import type { ErrorKey } from '@hansom/domain/error-keys'
import type { Extra } from '@hansom/domain/fare/fare'
import type { LatLng } from '@hansom/domain/geo/point'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { amount, instant } from '../../platform/database/columns.ts'
import { bookingsTable } from '../bookings/table.ts'
import { usersTable } from '../users/table.ts'

/** What a booking of the delivery category has in addition. Column names are those of the domain's `DeliveryRecord`. */
export const deliveriesTable = pgTable(
  'deliveries',
  {
    booking_id: uuid('booking_id')
      .primaryKey()
      .references(() => bookingsTable.id, { onDelete: 'cascade' }),
    parcel_type: jsonb('parcel_type').$type<Extra>(),
    option: jsonb('option').$type<Extra>(),
    stop_order: text('stop_order', { enum: stopOrders }).notNull(),
    cash_at: text('cash_at', { enum: cashPlaces }),
    return_leg: jsonb('return_leg').$type<ReturnLeg>().notNull(),
    /** When the data of recipients and the images were removed. */
    cleared_at: instant('cleared_at'),
  },
  (t) => [index('deliveries_uncleared').on(t.booking_id).where(sql`${t.cleared_at} is null`)],
)

/** The stops of a delivery: 0 is the pickup. Column names are those of the domain's `DeliveryStop`. */
export const deliveryStopsTable = pgTable(
  'delivery_stops',
  {
    booking_id: uuid('booking_id')
      .notNull()
      .references(() => deliveriesTable.booking_id, { onDelete: 'cascade' }),
    n: smallint('n').notNull(),
    kind: text('kind', { enum: stopKinds }).notNull(),
    place: jsonb('place').$type<PlacePoint>().notNull(),
    person: text('person').notNull(),
    phone: text('phone').notNull(),
    email: text('email'),
    instructions: text('instructions'),
    /** What the sender wrote before the recipient changed it: '' for nothing, null while they have not changed it. */
    sender_instructions: text('sender_instructions'),
    window_from: instant('window_from'),
    window_to: instant('window_to'),
    planned_at: instant('planned_at').notNull(),
    share: amount('share').notNull(),
    /** Why a message did not reach the recipient. */
    not_informed: text('not_informed', { enum: informProblems }),
    code: text('code'),
    code_tries: smallint('code_tries').notNull().default(0),
    code_blocked_until: instant('code_blocked_until'),
    outcome: text('outcome', { enum: stopOutcomes }),
    failure: text('failure', { enum: dropFailures }),
    done_at: instant('done_at'),
    done_location: jsonb('done_location').$type<LatLng>(),
    received_by: text('received_by'),
    scanned: text('scanned'),
    unsigned: boolean('unsigned').notNull().default(false),
    unseen: boolean('unseen').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.booking_id, t.n] }),
    check('delivery_stops_number', sql`${t.n} >= 0 and (${t.n} = 0) = (${t.kind} = 'pickup')`),
    check('delivery_stops_done', sql`(${t.outcome} is null) = (${t.done_at} is null)`),
    check(
      'delivery_stops_failure',
      sql`(${t.outcome} is not distinct from 'failed') = (${t.failure} is not null)`,
    ),
    check('delivery_stops_window', sql`${t.window_from} < ${t.window_to}`),
    // Admins are alerted of those of the last day.
    index('delivery_stops_unproven').on(t.done_at.desc()).where(sql`${t.unseen} or ${t.unsigned}`),
  ],
)

/** Images of a stop; the files are in the storage. A new upload replaces the earlier one. */
export const deliveryProofsTable = pgTable(
  'delivery_proofs',
  {
    booking_id: uuid('booking_id').notNull(),
    n: smallint('n').notNull(),
    kind: text('kind', { enum: proofKinds }).notNull(),
    /** The upload that its file is named after; null for files stored before uploads had paths of their own. */
    upload: uuid('upload'),
    /** When it was uploaded. */
    at: instant('at').notNull(),
    by_user: uuid('by_user')
      .notNull()
      .references(() => usersTable.id),
  },
  (t) => [
    primaryKey({ columns: [t.booking_id, t.n, t.kind] }),
    foreignKey({
      columns: [t.booking_id, t.n],
      foreignColumns: [deliveryStopsTable.booking_id, deliveryStopsTable.n],
    }).onDelete('cascade'),
  ],
)

/** Recipients that a sender has saved. The same one is stored once. */
export const addressBookTable = pgTable(
  'address_book',
  {
    id: uuid('id').primaryKey(),
    user_id: uuid('user_id')
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    person: text('person').notNull(),
    phone: text('phone').notNull(),
    email: text('email'),
    instructions: text('instructions'),
    place: jsonb('place').$type<PlacePoint>().notNull(),
  },
  (t) => [
    index('address_book_user').on(t.user_id, t.id),
    unique('address_book_once').on(t.user_id, t.person, t.phone, t.place),
  ],
)

/** Files of deliveries that a sender, or an admin for them, has uploaded. */
export const deliveryImportsTable = pgTable(
  'delivery_imports',
  {
    id: uuid('id').primaryKey(),
    /** The sender. */
    user_id: uuid('user_id')
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    by_user: uuid('by_user')
      .notNull()
      .references(() => usersTable.id),
    name: text('name').notNull(),
    created_at: instant('created_at').notNull(),
    /** SHA-256 of the keys of its rows: the same file again is the same import. */
    hash: text('hash').notNull(),
    /** When the sender had its good rows booked. */
    confirmed_at: instant('confirmed_at'),
  },
  (t) => [unique('delivery_imports_once').on(t.user_id, t.hash)],
)

/** One row of a file: a delivery with one drop. */
export const deliveryImportRowsTable = pgTable(
  'delivery_import_rows',
  {
    import_id: uuid('import_id')
      .notNull()
      .references(() => deliveryImportsTable.id, { onDelete: 'cascade' }),
    /** Its number in the file; the header is row 1. */
    n: integer('n').notNull(),
    /** The texts of the file. */
    data: jsonb('data').$type<ImportedRow>().notNull(),
    /** SHA-256 of the texts and options: a sender's row with the same key is booked once, in whichever file. */
    key: text('key').notNull(),
    state: text('state', { enum: importRowStates }).notNull(),
    problems: jsonb('problems').$type<readonly ImportProblem[]>().notNull(),
    /** What is booked; null until the row has been checked. */
    plan: jsonb('plan').$type<ImportPlan>(),
    fare: amount('fare'),
    /** Why a row waits or was not booked. */
    reason: text('reason').$type<ErrorKey>(),
    booking_id: uuid('booking_id').references(() => bookingsTable.id, { onDelete: 'set null' }),
  },
  (t) => [
    primaryKey({ columns: [t.import_id, t.n] }),
    index('delivery_import_rows_open').on(t.import_id, t.n).where(sql`${t.state} in ('new', 'queued')`),
    index('delivery_import_rows_key').on(t.key),
    index('delivery_import_rows_booking').on(t.booking_id),
  ],
)
