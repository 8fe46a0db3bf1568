import { sql } from 'drizzle-orm'
import { bigint, bigserial, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** Events, written in the transaction of the change and delivered after its commit, at least once. */
export const outboxTable = pgTable(
  'outbox',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    /** Events of one stream are delivered one at a time in id order; null: in any order. */
    stream: text('stream'),
    kind: text('kind').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    tries: integer('tries').notNull().default(0),
    not_before: instant('not_before').notNull().default(0),
    /** Time of the first failed delivery. */
    failing_since: instant('failing_since'),
  },
  (t) => [
    index('outbox_due').on(t.not_before, t.id),
    index('outbox_stream').on(t.stream, t.id).where(sql`${t.stream} is not null`),
  ],
)

/** Events that failed for too long; an admin can publish them again or discard them. */
export const parkedEventsTable = pgTable(
  'parked_events',
  {
    /** The event's id in the outbox. */
    id: bigint('id', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    stream: text('stream'),
    kind: text('kind').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    error: text('error').notNull(),
    failing_since: instant('failing_since').notNull(),
  },
  (t) => [index('parked_events_kind').on(t.kind, t.id)],
)

/** First responses of repeatable commands. */
export const idempotencyTable = pgTable(
  'idempotency_keys',
  {
    /** `<user>|<command>|<key>` */
    scope: text('scope').primaryKey(),
    body_hash: text('body_hash').notNull(),
    at: instant('at').notNull(),
    /** Id of the record that the command created. */
    result_id: uuid('result_id'),
    result: jsonb('result').$type<unknown>(),
  },
  (t) => [index('idempotency_keys_at').on(t.at)],
)
