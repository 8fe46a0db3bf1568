import { PaymentError, type PaymentEvent } from '../../adapters/payments/port.ts'
import type { PaymentProviderName } from '@hansom/domain/payments/providers'
import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { silenceMs } from './poll-schedule.ts'
import { confirmPayment } from './confirm-payment.ts'
import type { PaymentsDeps } from './deps.ts'
import { paymentReversedEvent } from './payment-reversed-event.ts'
import { findByMessage } from './store/payments.ts'
import { type PaymentMessageRow, paymentMessageKeysTable, paymentMessagesTable as table } from './table.ts'

/** An authentic message with its parsed content. */
export interface AuthenticMessage {
  provider: PaymentProviderName
  eventKey: string
  /** Null if the message is not about a payment. */
  news: PaymentEvent | null
  query: string
  body: Buffer
}

/** How long a message about an unknown attempt is retried, ms: it may have arrived before the attempt was stored. */
const unknownForMs = 24 * 60 * 60_000
const maxWaitMs = 60 * 60_000

/** Stores a message once. Null for a repeated delivery, which needs no processing. */
export async function storeMessage(
  { database, worldNow }: PaymentsDeps,
  { provider, eventKey, news, query, body }: AuthenticMessage,
): Promise<PaymentMessageRow | null> {
  const now = worldNow()
  return database.withTransaction(async ({ db }) => {
    const key = { provider, event_key: eventKey.slice(0, 300), at: now }
    const [fresh] = await db.insert(paymentMessageKeysTable).values(key).onConflictDoNothing().returning()
    if (fresh === undefined) return null
    const [row] = await db
      .insert(table)
      .values({
        id: uuidv7(),
        provider,
        event_key: key.event_key,
        query,
        body,
        received_at: now,
        reference: news?.reference ?? null,
        provider_ref: news?.providerRef ?? null,
        provider_id: news?.providerId ?? null,
        found: news?.found ?? null,
        goes_back: news?.isReversal ?? false,
        processed_at: news === null ? now : null,
        // The job retries if the server that received it fails.
        retry_at: now + 30_000,
      })
      .returning()
    return row ?? null
  })
}

/** Processes a stored message. Throws the errors of `confirmPayment`; it can be called again then. */
export async function processMessage(deps: PaymentsDeps, message: PaymentMessageRow): Promise<void> {
  const { db } = deps.database
  const payment = await findByMessage(db, message.provider, message)
  if (payment !== null) {
    const { provider_id: providerId, found, body } = message
    try {
      await confirmPayment(deps, payment.id, { providerId, found, message: body })
      if (message.goes_back) {
        await deps.database.withTransaction((tx) => deps.outbox.write(tx, [paymentReversedEvent(payment.id)]))
      }
    } catch (error) {
      if (!(error instanceof PaymentError && error.permanent)) throw error
      // The provider does not confirm its message, and would not on a retry.
      deps.log.warn(
        { err: error, provider: message.provider, message: message.id },
        'webhook failed verification',
      )
    }
  }
  const now = deps.worldNow()
  const isDone = payment !== null || now - message.received_at > unknownForMs
  if (payment === null && isDone) {
    deps.log.warn({ provider: message.provider, message: message.id }, 'message matches no payment')
  }
  // Personal data of deleted accounts is not kept.
  const payer = payment && (await deps.users.find(payment.payer))
  const isDeleted = payer !== null && payer.deleted_at !== null
  await db
    .update(table)
    .set({
      payment: payment?.id ?? null,
      ...(isDeleted && { body: Buffer.alloc(0), query: '' }),
      ...(isDone ? { processed_at: now } : retryLater(message, now)),
    })
    .where(eq(table.id, message.id))
}

function retryLater({ tries }: Pick<PaymentMessageRow, 'tries'>, now: number) {
  return { tries: tries + 1, retry_at: now + Math.min(maxWaitMs, 30_000 * 2 ** Math.min(tries, 10)) }
}

/** Unprocessed messages that are due: of each provider, those that have waited longest. */
export async function dueMessages({
  database: { db },
  worldNow,
}: PaymentsDeps): Promise<PaymentMessageRow[]> {
  const ranked = db
    .select({
      id: table.id,
      rank: sql<number>`row_number() over (partition by ${table.provider} order by ${table.retry_at})`.as(
        'rank',
      ),
    })
    .from(table)
    .where(and(isNull(table.processed_at), lte(table.retry_at, worldNow())))
    .as('ranked')
  const first = db.select({ id: ranked.id }).from(ranked).where(lte(ranked.rank, 20))
  return db
    .select()
    .from(table)
    .where(and(inArray(table.id, first), isNull(table.processed_at)))
    .orderBy(asc(table.retry_at))
}

/** Retries a message later after a failure; stops after `silenceMs`. */
export async function postponeMessage(deps: PaymentsDeps, message: PaymentMessageRow): Promise<void> {
  const now = deps.worldNow()
  const isOver = now - message.received_at > silenceMs
  await deps.database.db
    .update(table)
    .set({ ...retryLater(message, now), ...(isOver && { processed_at: now }) })
    .where(eq(table.id, message.id))
}
