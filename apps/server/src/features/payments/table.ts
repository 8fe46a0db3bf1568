import { paymentsTableSpec as spec } from '@hansom/contract/payments-table'
import {
  openPaymentStates,
  type PaymentState,
  type PaymentUse,
  paymentStates,
  type ReportedCapture,
  type ReportedPayment,
} from '@hansom/domain/payments/payment'
import type { PaymentProviderName } from '@hansom/domain/payments/providers'
import { type SQL, sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { CheckoutStep } from '../../adapters/payments/port.ts'
import { amount, bytes, instant } from '../../platform/database/columns.ts'
import type { Table } from '../../platform/tables/table.ts'
import { bookingsTable } from '../bookings/table.ts'
import { usersTable } from '../users/table.ts'

const quoted = (values: readonly string[]): SQL => sql.raw(values.map((value) => `'${value}'`).join(', '))

/** Orders to add money to the user's own wallet. */
export const topUpsTable = pgTable(
  'top_ups',
  {
    id: uuid('id').primaryKey(),
    /** The code shown to people and providers. */
    code: text('code').notNull().unique(),
    uid: uuid('uid')
      .notNull()
      .references(() => usersTable.id),
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    created_at: instant('created_at').notNull(),
  },
  (t) => [check('top_ups_amount', sql`${t.amount} > 0`), index('top_ups_uid').on(t.uid)],
)

/** Attempts to pay an order by card. An order, a booking or a top-up, may have many. */
export const paymentsTable = pgTable(
  'payments',
  {
    id: uuid('id').primaryKey(),
    provider: text('provider').$type<PaymentProviderName>().notNull(),
    /** Real money rather than the provider's sandbox. */
    live: boolean('live').notNull(),
    booking: uuid('booking').references(() => bookingsTable.id),
    top_up: uuid('top_up').references(() => topUpsTable.id),
    /** The code of the order shown to people: its booking_id, or the top-up's code. */
    code: text('code').notNull(),
    /** The number of the attempt within its order, from 1. */
    number: integer('number').notNull(),
    /** The reference used with the provider; never reused. */
    reference: text('reference').notNull(),
    payer: uuid('payer')
      .notNull()
      .references(() => usersTable.id),
    /** The payer's name at that time. */
    payer_name: text('payer_name').notNull(),
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    state: text('state').$type<PaymentState>().notNull().default('created'),
    /** The remaining step in the payer's browser; null before it is known and when none remains. */
    step: jsonb('step').$type<CheckoutStep>(),
    /** The provider's IDs of the attempt and of the capture. */
    provider_ref: text('provider_ref'),
    provider_id: text('provider_id'),
    used_for: text('used_for').$type<PaymentUse>(),
    /** The reason for the failure, as a text key. */
    failure: text('failure'),
    /** The fields in which the provider's report differs from ours. */
    differs: text('differs').array().notNull().default([]),
    /** The provider's report, if it differs from ours. */
    found: jsonb('found').$type<ReportedCapture>(),
    /** When it was found to differ. */
    mismatch_at: instant('mismatch_at'),
    /** The amount refunded through the provider. */
    refunded: amount('refunded').notNull().default(0),
    created_at: instant('created_at').notNull(),
    paid_at: instant('paid_at'),
    /** In world time: when it was created, and when to poll the provider next. */
    opened_at: instant('opened_at').notNull(),
    ask_at: instant('ask_at'),
    /** In world time: when to check for returned money; null for no more checks. */
    back_at: instant('back_at'),
    /** Until this time another process is capturing the money. */
    capturing_until: instant('capturing_until'),
    /** True when the state has been processed. */
    closed: boolean('closed').notNull().default(false),
    /** In world time: when processing is retried, and the number of retries. */
    close_at: instant('close_at').notNull().default(0),
    close_tries: integer('close_tries').notNull().default(0),
  },
  (t) => {
    const isOpen = sql`${t.state} in (${quoted(openPaymentStates)})`
    // Drizzle columns keep only their last index settings, so each index needs new ones.
    const newest = () => [t.created_at.desc(), t.id.desc()] as const
    return [
      unique('payments_reference').on(t.reference),
      check('payments_one_order', sql`(${t.booking} is null) <> (${t.top_up} is null)`),
      check('payments_amount', sql`${t.amount} > 0 and ${t.refunded} between 0 and ${t.amount}`),
      check('payments_state', sql`${t.state} in (${quoted(paymentStates)})`),
      check('payments_paid', sql`(${t.state} = 'paid') = (${t.paid_at} is not null)`),
      check('payments_used', sql`${t.used_for} is null or ${t.state} = 'paid'`),
      check(
        'payments_use',
        sql`${t.used_for} is null or (${t.used_for} = 'top_up') = (${t.top_up} is not null)`,
      ),
      check('payments_closed', sql`not ${t.closed} or not (${isOpen})`),
      uniqueIndex('payments_one_open')
        .on(sql`(coalesce(${t.booking}, ${t.top_up}))`, t.provider)
        .where(isOpen),
      index('payments_newest').on(...newest()),
      index('payments_by_payer_name').on(t.payer_name.desc(), t.id.desc()),
      index('payments_by_amount').on(t.amount.desc(), t.id.desc()),
      index('payments_by_state').on(t.state, ...newest()),
      index('payments_by_provider').on(t.provider, ...newest()),
      index('payments_by_use').on(t.used_for, ...newest()),
      index('payments_by_payer').on(t.payer, ...newest()),
      index('payments_by_booking').on(t.booking, ...newest()),
      index('payments_by_top_up').on(t.top_up).where(sql`${t.top_up} is not null`),
      index('payments_provider_ref').on(t.provider_ref).where(sql`${t.provider_ref} is not null`),
      index('payments_provider_id').on(t.provider_id).where(sql`${t.provider_id} is not null`),
      index('payments_to_ask').on(t.ask_at).where(sql`${t.ask_at} is not null`),
      index('payments_to_look_back').on(t.provider, t.back_at).where(sql`${t.back_at} is not null`),
      index('payments_to_close').on(t.close_at, t.id).where(sql`not ${t.closed} and not (${isOpen})`),
      index('payments_search').using(
        'gin',
        sql`search_fold(' ' || ${t.reference} || ' ' || ${t.payer_name} || ' ' || coalesce(${t.provider_id}, '')) gin_trgm_ops`,
      ),
    ]
  },
)
export type PaymentRow = typeof paymentsTable.$inferSelect

/**
 * Authentic provider messages as received, each once. Headers are not stored, since some contain secrets. Partitioned
 * by month: see docs/decisions/0203-retention.md.
 */
export const paymentMessagesTable = pgTable(
  'payment_messages',
  {
    id: uuid('id').notNull(),
    provider: text('provider').$type<PaymentProviderName>().notNull(),
    event_key: text('event_key').notNull(),
    query: text('query').notNull(),
    body: bytes('body').notNull(),
    /** In world time. */
    received_at: instant('received_at').notNull(),
    /** The attempt that the message names: by our reference or by the provider's IDs. */
    reference: text('reference'),
    provider_ref: text('provider_ref'),
    provider_id: text('provider_id'),
    /** The signed facts of a provider that cannot be queried. */
    found: jsonb('found').$type<ReportedPayment>(),
    /** The message reports returned money. */
    goes_back: boolean('goes_back').notNull().default(false),
    /** The attempt that the message is about, once known. */
    payment: uuid('payment'),
    /** Null until processed. */
    processed_at: instant('processed_at'),
    tries: integer('tries').notNull().default(0),
    retry_at: instant('retry_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.id, t.received_at] }),
    index('payment_messages_open').on(t.retry_at).where(sql`${t.processed_at} is null`),
    index('payment_messages_payment').on(t.payment).where(sql`${t.payment} is not null`),
  ],
)
/** The keys of received messages, kept longer than any provider repeats one. */
export const paymentMessageKeysTable = pgTable(
  'payment_message_keys',
  {
    provider: text('provider').notNull(),
    event_key: text('event_key').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.provider, t.event_key] }), index('payment_message_keys_at').on(t.at)],
)
export type PaymentMessageRow = typeof paymentMessagesTable.$inferSelect

/** Sorts, filters and search of payment attempts. */
export const paymentsTableColumns = {
  spec,
  columns: {
    id: paymentsTable.id,
    sorts: {
      created_at: { sql: paymentsTable.created_at, type: 'int8' },
      amount: { sql: paymentsTable.amount, type: 'int8' },
      payer_name: { sql: paymentsTable.payer_name, type: 'text' },
    },
    filters: {
      state: paymentsTable.state,
      provider: paymentsTable.provider,
      used_for: paymentsTable.used_for,
      created_at: paymentsTable.created_at,
      payer: paymentsTable.payer,
      booking: paymentsTable.booking,
    },
    sums: { amount: paymentsTable.amount, refunded: paymentsTable.refunded },
    search: sql`search_fold(' ' || ${paymentsTable.reference} || ' ' || ${paymentsTable.payer_name} || ' ' || coalesce(${paymentsTable.provider_id}, ''))`,
  },
} satisfies Table<typeof spec>
