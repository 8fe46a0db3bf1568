import {
  nextRefundCheckAt,
  openPaymentStates,
  type PaymentState,
  paymentSteps,
} from '@hansom/domain/payments/payment'
import type { PaymentProviderName } from '@hansom/domain/payments/providers'
import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import type { Pool } from 'pg'
import { uuidv7 } from 'uuidv7'
import type { PaymentEvent } from '../../adapters/payments/port.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries } from '../../platform/database/transaction.ts'
import {
  type PaymentMessageRow,
  type PaymentRow,
  paymentMessageKeysTable,
  paymentMessagesTable,
  paymentsTable,
  paymentsTable as table,
  topUpsTable,
} from './table.ts'

/** Null for an unknown ID. */
export async function readPayment(queries: Queries, id: string): Promise<PaymentRow | null> {
  const [row] = await queries.select().from(table).where(eq(table.id, id))
  return row ?? null
}

const isOpen = inArray(table.state, [...openPaymentStates])
const ofOrder = (order: string) => or(eq(table.booking, order), eq(table.top_up, order))

/** The open attempt of an order with a provider. */
export async function readOpenPayment(
  queries: Queries,
  order: string,
  provider: PaymentProviderName,
): Promise<PaymentRow | null> {
  const [row] = await queries
    .select()
    .from(table)
    .where(and(ofOrder(order), eq(table.provider, provider), isOpen))
  return row ?? null
}

/** True if the order has another open attempt. */
export async function hasOtherOpen(queries: Queries, { id, booking, top_up }: PaymentRow): Promise<boolean> {
  const order = booking ?? top_up ?? id
  const rows = await queries
    .select({ id: table.id })
    .from(table)
    .where(and(ofOrder(order), ne(table.id, id), isOpen))
    .limit(1)
  return rows.length > 0
}

/** The next attempt number of an order. */
export async function nextNumber(queries: Queries, order: string): Promise<number> {
  const [row] = await queries
    .select({ last: sql<number>`coalesce(max(${table.number}), 0)::int` })
    .from(table)
    .where(ofOrder(order))
  return (row?.last ?? 0) + 1
}

/** The attempts of a booking, newest first. */
export async function readPaymentsOf(queries: Queries, booking: string): Promise<PaymentRow[]> {
  return queries
    .select()
    .from(table)
    .where(eq(table.booking, booking))
    .orderBy(sql`${table.created_at} desc, ${table.id} desc`)
    .limit(200)
}

type Fields = Partial<
  Pick<
    PaymentRow,
    | 'provider_id'
    | 'paid_at'
    | 'failure'
    | 'differs'
    | 'found'
    | 'mismatch_at'
    | 'amount'
    | 'closed'
    | 'ask_at'
  >
>

/**
 * Moves an attempt to a state if that transition is allowed: the only place where states change. Null if it is not
 * allowed or the attempt already has that state. The caller processes the new state.
 */
export async function movePayment(
  queries: Queries,
  id: string,
  to: PaymentState,
  fields: Fields = {},
): Promise<PaymentRow | null> {
  const isEnd = !(openPaymentStates as readonly PaymentState[]).includes(to)
  const [row] = await queries
    .update(table)
    .set({
      state: to,
      closed: false,
      close_at: 0,
      close_tries: 0,
      ...(isEnd && { step: null, ask_at: null }),
      ...fields,
    })
    .where(and(eq(table.id, id), inArray(table.state, [...paymentSteps[to]])))
    .returning()
  return row ?? null
}

/** Records that the state as read has been processed. From now on, used money may be refunded. */
export async function closePayment(
  queries: Queries,
  { id, state, opened_at }: Pick<PaymentRow, 'id' | 'state' | 'opened_at'>,
  used: Pick<PaymentRow, 'used_for'> | object = {},
): Promise<void> {
  const back_at = nextRefundCheckAt(opened_at, opened_at)
  await queries
    .update(table)
    .set({ ...used, ...('used_for' in used && { back_at }), closed: true })
    .where(and(eq(table.id, id), eq(table.state, state)))
}

/** The attempt that a message is about: by our reference or by the provider's IDs. */
export async function findByMessage(
  queries: Queries,
  provider: PaymentProviderName,
  message: { reference: string | null; provider_ref: string | null; provider_id: string | null },
): Promise<PaymentRow | null> {
  const matches = [
    message.reference === null ? [] : [eq(table.reference, message.reference)],
    message.provider_ref === null ? [] : [eq(table.provider_ref, message.provider_ref)],
    message.provider_id === null ? [] : [eq(table.provider_id, message.provider_id)],
  ].flat()
  for (const match of matches) {
    const [row] = await queries
      .select()
      .from(table)
      .where(and(eq(table.provider, provider), match))
      .limit(1)
    if (row) return row
  }
  return null
}

/** Finds a person's order by ID or code; null for others' orders. */
export async function findOrderId(
  pool: Pool,
  uid: string,
  idOrCode: string,
): Promise<{ id: string; kind: 'booking' | 'top_up' } | null> {
  const { rows } = await pool.query<{ id: string; kind: 'booking' | 'top_up' }>(
    `select id, 'booking' as kind from booking_money where rider = $1 and (id::text = $2 or code = upper($2))
      union all select id, 'top_up' from top_ups where uid = $1 and (id::text = $2 or code = upper($2))`,
    [uid, idOrCode],
  )
  return rows[0] ?? null
}

export async function readTopUp(queries: Queries, id: string) {
  const [row] = await queries
    .select({
      id: topUpsTable.id,
      code: topUpsTable.code,
      uid: topUpsTable.uid,
      amount: topUpsTable.amount,
      currency: topUpsTable.currency,
      isPaid: sql<boolean>`exists (select from ${paymentsTable} where ${and(
        eq(paymentsTable.top_up, topUpsTable.id),
        eq(paymentsTable.state, 'paid'),
      )})`,
    })
    .from(topUpsTable)
    .where(eq(topUpsTable.id, id))
  return row ?? null
}

/** An authentic message with its parsed content. */
interface AuthenticMessage {
  provider: PaymentProviderName
  eventKey: string
  /** Null if the message is not about a payment. */
  event: PaymentEvent | null
  query: string
  body: Buffer
}

/** Stores a message once. Null for a repeated delivery, which needs no processing. */
export async function storeMessage(
  database: Pick<Database, 'withTransaction'>,
  { provider, eventKey, event, query, body }: AuthenticMessage,
  now: number,
): Promise<PaymentMessageRow | null> {
  return database.withTransaction(async ({ db }) => {
    const key = { provider, event_key: eventKey.slice(0, 300), at: now }
    const [fresh] = await db.insert(paymentMessageKeysTable).values(key).onConflictDoNothing().returning()
    if (fresh === undefined) return null
    const [row] = await db
      .insert(paymentMessagesTable)
      .values({
        id: uuidv7(),
        provider,
        event_key: key.event_key,
        query,
        body,
        received_at: now,
        reference: event?.reference ?? null,
        provider_ref: event?.providerRef ?? null,
        provider_id: event?.providerId ?? null,
        found: event?.found ?? null,
        goes_back: event?.isReversal ?? false,
        processed_at: event === null ? now : null,
        // The job retries if the server that received it fails.
        retry_at: now + 30_000,
      })
      .returning()
    return row ?? null
  })
}
