import { refundsTableSpec as spec } from '@hansom/contract/refunds-table'
import type { PaymentProviderName } from '@hansom/domain/payments/providers'
import {
  endedRefundStates,
  type RefundBearer,
  type RefundOrigin,
  type RefundSourceKind,
  type RefundState,
  refundBearers,
  refundOrigins,
  refundSources,
  refundStates,
} from '@hansom/domain/wallet/refund'
import { type SQL, sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { amount, instant } from '../../platform/database/columns.ts'
import type { Table } from '../../platform/tables/table.ts'
import { bookingsTable } from '../bookings/table.ts'
import { paymentsTable } from '../payments/table.ts'
import { usersTable } from '../users/table.ts'

const quoted = (values: readonly string[]): SQL => sql.raw(values.map((value) => `'${value}'`).join(', '))

/** Refunds. Their amounts are in the ledger account `refund` until they arrive. */
export const refundsTable = pgTable(
  'refunds',
  {
    /** Also the ID used with the provider. */
    id: uuid('id').primaryKey(),
    at: instant('at').notNull(),
    booking: uuid('booking').references(() => bookingsTable.id),
    /** The code of the booking or top-up shown to people. */
    code: text('code').notNull(),
    origin: text('origin').$type<RefundOrigin>().notNull().default('office'),
    source: text('source').$type<RefundSourceKind>().notNull(),
    payment: uuid('payment').references(() => paymentsTable.id),
    provider: text('provider').$type<PaymentProviderName>(),
    rider: uuid('rider')
      .notNull()
      .references(() => usersTable.id),
    rider_name: text('rider_name').notNull(),
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    bearer: text('bearer').$type<RefundBearer>().notNull(),
    /** The driver, if the driver bears it. */
    driver: uuid('driver').references(() => usersTable.id),
    reason: text('reason').notNull(),
    state: text('state').$type<RefundState>().notNull(),
    failure: text('failure'),
    provider_refund_id: text('provider_refund_id'),
    /** The amount of earlier refunds of the payment, including pending ones. */
    before: amount('before').notNull(),
    tries: integer('tries').notNull().default(0),
    /** The time of the next attempt or query. */
    look_at: instant('look_at').notNull(),
    ended_at: instant('ended_at'),
    /** When it was left to an admin. */
    review_at: instant('review_at'),
    /** Null if the provider reported it. */
    by_user: uuid('by_user'),
    /** The provider's dispute fee, and the number of its changes. */
    fee: amount('fee').notNull().default(0),
    fee_changes: integer('fee_changes').notNull().default(0),
  },
  (t) => {
    const hasEnded = sql`${t.state} in (${quoted(endedRefundStates)})`
    const newest = () => [t.at.desc(), t.id.desc()] as const
    return [
      check('refunds_amount', sql`${t.amount} > 0 and ${t.before} >= 0`),
      check('refunds_source', sql`${t.source} in (${quoted(refundSources)})`),
      check('refunds_origin', sql`${t.origin} in (${quoted(refundOrigins)})`),
      check('refunds_by', sql`${t.origin} <> 'office' or ${t.by_user} is not null`),
      // Reported by the provider, or recorded by an admin.
      check(
        'refunds_elsewhere',
        sql`${t.origin} = 'office' or (${t.source} = 'card' and coalesce(${t.provider_refund_id}, ${t.by_user}::text) is not null)`,
      ),
      check('refunds_fee', sql`${t.fee} >= 0`),
      check('refunds_bearer', sql`${t.bearer} in (${quoted(refundBearers)})`),
      check('refunds_state', sql`${t.state} in (${quoted(refundStates)})`),
      check(
        'refunds_card',
        sql`(${t.source} = 'card') = (${t.payment} is not null and ${t.provider} is not null)`,
      ),
      check('refunds_order', sql`${t.booking} is not null or ${t.payment} is not null`),
      check('refunds_driver', sql`(${t.bearer} = 'driver') = (${t.driver} is not null)`),
      check('refunds_ended', sql`(${hasEnded}) = (${t.ended_at} is not null)`),
      // Providers without idempotency keys are queried for their refunds, so only one order may be pending.
      uniqueIndex('refunds_one_under_way')
        .on(t.payment)
        .where(sql`not (${hasEnded}) and ${t.origin} = 'office'`),
      // Refunds started elsewhere are recorded once per provider ID.
      uniqueIndex('refunds_elsewhere_once')
        .on(t.payment, t.provider_refund_id)
        .where(sql`${t.origin} <> 'office'`),
      index('refunds_newest').on(...newest()),
      index('refunds_by_rider_name').on(t.rider_name.desc(), t.id.desc()),
      index('refunds_by_amount').on(t.amount.desc(), t.id.desc()),
      index('refunds_by_state').on(t.state, ...newest()),
      index('refunds_by_source').on(t.source, ...newest()),
      index('refunds_by_bearer').on(t.bearer, ...newest()),
      index('refunds_by_booking').on(t.booking, ...newest()),
      index('refunds_by_rider').on(t.rider, ...newest()),
      index('refunds_by_payment').on(t.payment),
      // Refunds that a driver bears, by time.
      index('refunds_by_driver')
        .on(t.driver, ...newest())
        .where(sql`${t.driver} is not null`),
      index('refunds_to_look_at').on(t.look_at).where(sql`${t.state} in ('asked', 'pending')`),
      index('refunds_search').using(
        'gin',
        sql`search_fold(' ' || ${t.code} || ' ' || ${t.rider_name} || ' ' || ${t.reason}) gin_trgm_ops`,
      ),
    ]
  },
)
export type RefundRow = typeof refundsTable.$inferSelect

/** Sorts, filters and search of refunds. */
export const refundsTableColumns = {
  spec,
  columns: {
    id: refundsTable.id,
    sorts: {
      at: { sql: refundsTable.at, type: 'int8' },
      amount: { sql: refundsTable.amount, type: 'int8' },
      rider_name: { sql: refundsTable.rider_name, type: 'text' },
    },
    filters: {
      state: refundsTable.state,
      source: refundsTable.source,
      origin: refundsTable.origin,
      bearer: refundsTable.bearer,
      at: refundsTable.at,
      booking: refundsTable.booking,
      rider: refundsTable.rider,
    },
    sums: { amount: refundsTable.amount },
    search: sql`search_fold(' ' || ${refundsTable.code} || ' ' || ${refundsTable.rider_name} || ' ' || ${refundsTable.reason})`,
  },
} satisfies Table<typeof spec>
