import type { CheckoutStep } from '../../adapters/payments/port.ts'
import {
  type FoundCapture,
  type FoundPayment,
  openPaymentStates,
  paymentStates,
} from '@hansom/domain/payments/payment'
import type { PaymentState, PaymentUse } from '@hansom/domain/payments/payment'
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
import { amount, bytes, instant } from '../../platform/database/columns.ts'
import { bookingsTable } from '../bookings/table.ts'
import { usersTable } from '../users/table.ts'

const quoted = (values: readonly string[]): SQL => sql.raw(values.map((value) => `'${value}'`).join(', '))

/** Wishes to put money into the own wallet: orders that are no booking. */
export const topUpsTable = pgTable(
  'top_ups',
  {
    id: uuid('id').primaryKey(),
    /** What people and providers read. */
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
    /** Real money, or the provider's sandbox. */
    live: boolean('live').notNull(),
    booking: uuid('booking').references(() => bookingsTable.id),
    top_up: uuid('top_up').references(() => topUpsTable.id),
    /** What people read of the order: its booking_id, or the top-up's code. */
    code: text('code').notNull(),
    /** Which attempt of the order it is, from 1. */
    number: integer('number').notNull(),
    /** What the provider knows it by; never used again. */
    reference: text('reference').notNull(),
    payer: uuid('payer')
      .notNull()
      .references(() => usersTable.id),
    /** The name at that time. */
    payer_name: text('payer_name').notNull(),
    amount: amount('amount').notNull(),
    currency: text('currency').notNull(),
    state: text('state').$type<PaymentState>().notNull().default('created'),
    /** What is left to do for the payer's browser; null before it is known and once nothing is left. */
    step: jsonb('step').$type<CheckoutStep>(),
    /** The provider's own names for the attempt and for the capture. */
    provider_ref: text('provider_ref'),
    provider_id: text('provider_id'),
    used_for: text('used_for').$type<PaymentUse>(),
    /** Why it failed, as a text key. */
    failure: text('failure'),
    /** In what the provider's word differs from ours. */
    differs: text('differs').array().notNull().default([]),
    /** What the provider reports where that differs from ours. */
    found: jsonb('found').$type<FoundCapture>(),
    /** What of it has gone back through the provider. */
    refunded: amount('refunded').notNull().default(0),
    created_at: instant('created_at').notNull(),
    paid_at: instant('paid_at'),
    /** Of the world's clock, in which providers live: when it was begun, and when to ask the provider next. */
    opened_at: instant('opened_at').notNull(),
    ask_at: instant('ask_at'),
    /** Of the world's clock: when to ask whether money of it went back; null: not any more. */
    back_at: instant('back_at'),
    /** Until then somebody is having the provider take the money: nobody else does. */
    capturing_until: instant('capturing_until'),
    /** What follows from its state has been done. */
    closed: boolean('closed').notNull().default(false),
    /** Of the world's clock: when that is tried again, and how often it was. */
    close_at: instant('close_at').notNull().default(0),
    close_tries: integer('close_tries').notNull().default(0),
  },
  (t) => {
    const isOpen = sql`${t.state} in (${quoted(openPaymentStates)})`
    // A column remembers only its last index: each needs an order of its own.
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
 * Authentic messages of providers as they came, each once. Headers are not kept: some are the secret itself. Partitioned by
 * month: see docs/decisions/0203-retention.md.
 */
export const paymentMessagesTable = pgTable(
  'payment_messages',
  {
    id: uuid('id').notNull(),
    provider: text('provider').$type<PaymentProviderName>().notNull(),
    event_key: text('event_key').notNull(),
    query: text('query').notNull(),
    body: bytes('body').notNull(),
    /** Of the world's clock. */
    received_at: instant('received_at').notNull(),
    /** What it says the attempt is called: by our reference, or by the provider's names. */
    reference: text('reference'),
    provider_ref: text('provider_ref'),
    provider_id: text('provider_id'),
    /** The facts that were signed, of a provider that cannot be asked. */
    found: jsonb('found').$type<FoundPayment>(),
    /** It tells of money that went back. */
    goes_back: boolean('goes_back').notNull().default(false),
    /** The attempt it was about, once that is known. */
    payment: uuid('payment'),
    /** Null while something is still to be done for it. */
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
/** Which messages were taken: each once, for longer than any provider repeats one. */
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
