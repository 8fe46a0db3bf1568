import type { AlertKind } from '@hansom/domain/alerts/alerts'
import { roles } from '@hansom/domain/users/roles'
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
import { amount, citext, instant } from '../../platform/database/columns.ts'
import { carTypesTable } from '../car-types/table.ts'

export const usersTable = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    createdAt: instant('created_at').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    preferredName: text('preferred_name'),
    /** Null only for a guest, who has no sign-in. */
    email: citext('email').unique(),
    /** E.164. */
    mobile: text('mobile'),
    /** When the user verified the number; null while it is unverified. */
    mobile_verified_at: instant('mobile_verified_at'),
    usertype: text('usertype', { enum: roles }).notNull(),
    profile_image: text('profile_image'),
    approved: boolean('approved').notNull(),
    /** Why an admin rejected the account. */
    rejection: text('rejection'),
    /** When an admin let the account wait for approval again; null: it has waited since its creation, if at all. */
    waiting_since: instant('waiting_since'),
    loginType: text('login_type').notNull().default('email'),
    locale: text('locale'),
    signupViaReferral: uuid('signup_via_referral').references((): AnyPgColumn => usersTable.id),
    referralId: text('referral_id').notNull().unique(),
    bankName: text('bank_name'),
    bankCode: text('bank_code'),
    bankAccount: text('bank_account'),
    createdByAdmin: boolean('created_by_admin').notNull().default(false),
    fleetadmin: uuid('fleetadmin').references((): AnyPgColumn => usersTable.id),
    walletBalance: amount('wallet_balance').notNull().default(0),
    rating_sum: integer('rating_sum').notNull().default(0),
    rating_count: integer('rating_count').notNull().default(0),
    // Drivers only.
    car_type_id: uuid('car_type_id').references(() => carTypesTable.id),
    vehicleMake: text('vehicle_make'),
    vehicleModel: text('vehicle_model'),
    vehicleNumber: text('vehicle_number'),
    other_info: text('other_info'),
    licenseImage: text('license_image'),
    driverActiveStatus: boolean('driver_active_status').notNull().default(false),
    /** True while the driver is on a trip. */
    queue: boolean('queue').notNull().default(false),
    lat: doublePrecision('lat'),
    lng: doublePrecision('lng'),
    bearing: doublePrecision('bearing'),
    located_at: instant('located_at'),
    /** When the account was deleted. An anonymised row remains, which bookings and ledger entries still reference. */
    deleted_at: instant('deleted_at'),
    /** When the last copy of the name and contacts of a deleted account was removed. */
    erased_at: instant('erased_at'),
    /** Created by the demo; removed with it. */
    demo: boolean('demo').notNull().default(false),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    // A guest and an account may have the same number, until its owner proves it and takes over the guest.
    uniqueIndex('users_account_mobile').on(t.mobile).where(sql`${t.email} is not null`),
    uniqueIndex('users_guest_mobile').on(t.mobile).where(sql`${t.email} is null`),
    check(
      'users_guest',
      sql`${t.email} is not null or (${t.usertype} = 'rider' and ${t.mobile} is not null)`,
    ),
    check('users_usertype', sql`${t.usertype} in ('rider', 'driver', 'fleetadmin', 'admin')`),
    check('users_location_whole', sql`(${t.lat} is null) = (${t.lng} is null)`),
    check('users_queue_is_drivers', sql`not ${t.queue} or ${t.usertype} = 'driver'`),
    index('users_free_drivers')
      .on(t.car_type_id)
      .where(sql`${t.usertype} = 'driver' and ${t.approved} and ${t.driverActiveStatus}`),
    index('users_fleet').on(t.fleetadmin, t.id).where(sql`${t.fleetadmin} is not null`),
    index('users_referred').on(t.signupViaReferral).where(sql`${t.signupViaReferral} is not null`),
    index('users_by_type').on(t.usertype, t.id),
    index('users_by_date').on(t.createdAt.desc(), t.id.desc()),
    index('users_by_email').on(sql`coalesce(${t.email}, '') desc`, t.id.desc()),
    index('users_guests').on(t.createdAt.desc(), t.id.desc()).where(sql`${t.email} is null`),
    index('users_waiting').on(t.usertype, t.createdAt.desc(), t.id.desc()).where(sql`not ${t.approved}`),
    // Drivers whom an admin has to approve or reject, as in the view waiting_drivers.
    index('users_waiting_drivers')
      .on(sql`coalesce(${t.waiting_since}, ${t.createdAt}) desc`, t.id.desc())
      .where(
        sql`${t.usertype} = 'driver' and not ${t.approved} and ${t.rejection} is null and ${t.deleted_at} is null`,
      ),
    index('users_by_car_type')
      .on(t.car_type_id, t.createdAt.desc(), t.id.desc())
      .where(sql`${t.car_type_id} is not null`),
    index('users_to_erase').on(t.id).where(sql`${t.deleted_at} is not null and ${t.erased_at} is null`),
    check('users_approved_or_rejected', sql`not ${t.approved} or ${t.rejection} is null`),
    check('users_deleted_are_out', sql`${t.deleted_at} is null or not ${t.approved}`),
  ],
)
export type UserRow = typeof usersTable.$inferSelect

/**
 * The search text of users, maintained by triggers: folded once instead of for every row read, and its expensive index
 * is not updated when balances and positions change. Contacts are separate because a demo hides them.
 */
export const userSearchTable = pgTable(
  'user_search',
  {
    user_id: uuid('user_id')
      .primaryKey()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    names: text('names').notNull(),
    contacts: text('contacts').notNull(),
  },
  (t) => [index('user_search_words').using('gin', t.names.op('gin_trgm_ops'), t.contacts.op('gin_trgm_ops'))],
)

export const savedAddressesTable = pgTable(
  'saved_addresses',
  {
    id: uuid('id').primaryKey(),
    user_id: uuid('user_id')
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    /** The street address. */
    description: text('description').notNull(),
    /** The owner's name for it, shown to no one else. */
    label: text('label'),
    lat: doublePrecision('lat').notNull(),
    lng: doublePrecision('lng').notNull(),
    count: integer('count').notNull().default(1),
  },
  (t) => [index('saved_addresses_user').on(t.user_id, t.count)],
)

/** Named states of tables, of each user. */
export const savedViewsTable = pgTable(
  'saved_views',
  {
    user_id: uuid('user_id')
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    table: text('table_name').notNull(),
    name: text('name').notNull(),
    /** Search parameters of the page's URL. */
    search: text('search').notNull(),
  },
  (t) => [primaryKey({ columns: [t.user_id, t.table, t.name] })],
)

/** The alerts that admins and fleet admins receive by email, too. */
export const alertMailsTable = pgTable('alert_mails', {
  user_id: uuid('user_id')
    .primaryKey()
    .references(() => usersTable.id, { onDelete: 'cascade' }),
  kinds: text('kinds').array().$type<AlertKind[]>().notNull(),
  /** Notifications up to this id have been mailed, or are not to be. */
  mailed_until: uuid('mailed_until').notNull(),
})

/** Partitioned by month: see docs/decisions/0203-retention.md. */
export const userNotificationsTable = pgTable(
  'user_notifications',
  {
    id: uuid('id').notNull(),
    user_id: uuid('user_id').notNull(),
    at: instant('at').notNull(),
    /** Text keys, translated to the reader's language. */
    title: text('title').notNull(),
    msg: text('msg').notNull(),
    params: jsonb('params').$type<Record<string, string>>().notNull().default({}),
    screen: text('screen').notNull(),
    booking_id: uuid('booking_id'),
    read_at: instant('read_at'),
    /** Identifies the occasion, so that a repeated event is stored once. */
    dedupe: text('dedupe').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.at] }),
    index('user_notifications_user').on(t.user_id, t.id),
    index('user_notifications_unread').on(t.user_id, t.id).where(sql`${t.read_at} is null`),
    // Alerts whose matter may have been settled, as in the view unread_alerts.
    index('user_notifications_alerts')
      .on(t.id)
      .where(sql`${t.read_at} is null and ${t.title} like 'alert.%'`),
    index('user_notifications_booking').on(t.booking_id).where(sql`${t.booking_id} is not null`),
    // Notifications that name another user, whose name is replaced when their account is erased.
    index('user_notifications_person').on(sql`(${t.params} ->> 'person')`).where(sql`${t.params} ? 'person'`),
  ],
)

/** Deduplication keys of notifications, stored for longer than anything repeats. */
export const notificationKeysTable = pgTable(
  'notification_keys',
  { dedupe: text('dedupe').primaryKey(), at: instant('at').notNull() },
  (t) => [index('notification_keys_at').on(t.at)],
)

/** One row per rating: who rated whom for which trip. */
export const userRatingsTable = pgTable(
  'user_ratings',
  {
    booking_id: uuid('booking_id').notNull(),
    user_id: uuid('user_id')
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    rated_by: uuid('rated_by').notNull(),
    rate: smallint('rate').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.booking_id, t.user_id] }),
    index('user_ratings_user').on(t.user_id),
    check('user_ratings_range', sql`${t.rate} between 1 and 5`),
  ],
)
