import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, citext, instant } from '../../platform/database/columns.ts'
import { usersTable } from '../users/table.ts'

// Real time, not the demo's clock.
const timestamptz = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** Who can sign in, with the same id as the row in users. */
export const authUsersTable = pgTable('auth_users', {
  id: uuid('id')
    .primaryKey()
    .references(() => usersTable.id, { onDelete: 'cascade' }),
  name: text('name').notNull(),
  email: citext('email').notNull().unique(),
  emailVerified: boolean('email_verified').notNull().default(false),
  image: text('image'),
  createdAt: timestamptz('created_at').notNull().defaultNow(),
  updatedAt: timestamptz('updated_at').notNull().defaultNow(),
})

export const authSessionsTable = pgTable(
  'auth_sessions',
  {
    id: uuid('id').primaryKey(),
    token: text('token').notNull().unique(),
    userId: uuid('user_id')
      .notNull()
      .references(() => authUsersTable.id, { onDelete: 'cascade' }),
    expiresAt: timestamptz('expires_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    updatedAt: timestamptz('updated_at').notNull().defaultNow(),
  },
  (t) => [index('auth_sessions_user').on(t.userId), index('auth_sessions_expires').on(t.expiresAt)],
)

/** One row per sign-in method of a user; `password` is a salted scrypt hash. */
export const authAccountsTable = pgTable(
  'auth_accounts',
  {
    id: uuid('id').primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    userId: uuid('user_id')
      .notNull()
      .references(() => authUsersTable.id, { onDelete: 'cascade' }),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: timestamptz('access_token_expires_at'),
    refreshTokenExpiresAt: timestamptz('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    updatedAt: timestamptz('updated_at').notNull().defaultNow(),
  },
  (t) => [
    index('auth_accounts_user').on(t.userId),
    uniqueIndex('auth_accounts_provider').on(t.providerId, t.accountId),
  ],
)

export const authVerificationsTable = pgTable(
  'auth_verifications',
  {
    id: uuid('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
    createdAt: timestamptz('created_at').notNull().defaultNow(),
    updatedAt: timestamptz('updated_at').notNull().defaultNow(),
  },
  (t) => [index('auth_verifications_identifier').on(t.identifier)],
)

/** Counted attempts, for limits. Keys are digests and do not reveal whose attempts they are. */
export const authAttemptsTable = pgTable(
  'auth_attempts',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    last_at: instant('last_at').notNull(),
    blocked_until: instant('blocked_until').notNull().default(0),
  },
  (t) => [index('auth_attempts_last').on(t.last_at)],
)

/** One-time links sent by email, as digests. */
export const authLinksTable = pgTable(
  'auth_links',
  {
    token_hash: text('token_hash').primaryKey(),
    kind: text('kind', {
      enum: ['reset', 'verify_email', 'invitation', 'change_email', 'prove_mobile'],
    }).notNull(),
    user_id: uuid('user_id')
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    /** The email address it was sent to. */
    email: citext('email').notNull(),
    expires_at: instant('expires_at').notNull(),
  },
  (t) => [index('auth_links_user').on(t.user_id, t.kind), index('auth_links_expires').on(t.expires_at)],
)

/** Codes sent to phones, as digests. */
export const authCodesTable = pgTable(
  'auth_codes',
  {
    /** Digest of an id known only to the requester. */
    verification_hash: text('verification_hash').primaryKey(),
    kind: text('kind', { enum: ['sign_in', 'change_mobile'] }).notNull(),
    user_id: uuid('user_id')
      .notNull()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    mobile: text('mobile').notNull(),
    code_hash: text('code_hash').notNull(),
    tries: integer('tries').notNull().default(0),
    expires_at: instant('expires_at').notNull(),
  },
  (t) => [index('auth_codes_user').on(t.user_id), index('auth_codes_expires').on(t.expires_at)],
)

/** Uploaded images waiting for the sign-up that references them. */
export const authUploadsTable = pgTable(
  'auth_uploads',
  {
    /** Digest of an id known only to the uploader. */
    id_hash: text('id_hash').primaryKey(),
    image: bytes('image').notNull(),
    content_type: text('content_type', { enum: ['image/webp', 'image/jpeg'] }).notNull(),
    expires_at: instant('expires_at').notNull(),
  },
  (t) => [index('auth_uploads_expires').on(t.expires_at)],
)

/**
 * Progress of converting an older version's phone numbers to today's form. One row, created by the migration; `done_at`
 * is set when all are converted.
 */
export const phoneNormalisationTable = pgTable(
  'phone_normalisation',
  {
    only: boolean('only').primaryKey().default(true),
    /** The last converted user. */
    after: uuid('after'),
    done_at: instant('done_at'),
  },
  (t) => [check('phone_normalisation_only', sql`${t.only}`)],
)

/** Users whose number in today's form belongs to another user; they keep the old form until an admin decides. */
export const phoneCollisionsTable = pgTable(
  'phone_collisions',
  {
    user_id: uuid('user_id')
      .primaryKey()
      .references(() => usersTable.id, { onDelete: 'cascade' }),
    /** The number in today's form. */
    e164: text('e164').notNull(),
  },
  (t) => [index('phone_collisions_number').on(t.e164)],
)

/** One row: the link that creates the first admin. Setting `done_at` closes it forever. */
export const setupTable = pgTable(
  'setup',
  {
    only: boolean('only').primaryKey().default(true),
    /** SHA-256 of the token in the link, hex. */
    token_hash: text('token_hash').notNull(),
    done_at: instant('done_at'),
  },
  (t) => [check('setup_only_row', sql`${t.only}`)],
)
