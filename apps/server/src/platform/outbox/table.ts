import { sql } from 'drizzle-orm'
import { bigint, bigserial, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** What happened, written in the transaction in which it happened and told after commit, at least once. */
export const outboxTable = pgTable(
  'outbox',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    /** Events of one stream are told in the order of their ids, one after the other; null: in any order. */
    stream: text('stream'),
    kind: text('kind').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    tries: integer('tries').notNull().default(0),
    not_before: instant('not_before').notNull().default(0),
    /** When its first try failed. */
    failing_since: instant('failing_since'),
  },
  (t) => [
    index('outbox_due').on(t.not_before, t.id),
    index('outbox_stream').on(t.stream, t.id).where(sql`${t.stream} is not null`),
  ],
)

/** Events that failed for too long. They wait for an admin, who has them published again or discards them. */
export const parkedEventsTable = pgTable(
  'parked_events',
  {
    /** Its id in the outbox. */
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

/** First answers of commands that may come twice. */
export const idempotencyTable = pgTable(
  'idempotency_keys',
  {
    /** `<user>|<command>|<key>` */
    scope: text('scope').primaryKey(),
    body_hash: text('body_hash').notNull(),
    at: instant('at').notNull(),
    /** What the command made. */
    result_id: uuid('result_id'),
    result: jsonb('result').$type<unknown>(),
  },
  (t) => [index('idempotency_keys_at').on(t.at)],
)
