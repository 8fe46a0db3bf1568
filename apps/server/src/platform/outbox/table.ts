import { bigserial, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../database/columns.ts'

/** What happened, written in the transaction in which it happened and told after commit, at least once. */
export const outboxTable = pgTable(
  'outbox',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    kind: text('kind').notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    tries: integer('tries').notNull().default(0),
    not_before: instant('not_before').notNull().default(0),
  },
  (t) => [index('outbox_due').on(t.not_before, t.id)],
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
