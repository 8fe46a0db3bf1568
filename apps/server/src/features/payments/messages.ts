import { PaymentError, type PaymentNews } from '../../adapters/payments/port.ts'
import type { PaymentProviderName } from '@hansom/domain/payments/providers'
import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { silenceMs } from './ask-times.ts'
import { confirmPayment } from './confirm-payment.ts'
import type { PaymentsDeps } from './deps.ts'
import { moneyWentBackEvent } from './money-went-back.ts'
import { findByNews } from './store/payments.ts'
import { type PaymentMessageRow, paymentMessageKeysTable, paymentMessagesTable as table } from './table.ts'

/** An authentic message, with what it says. */
export interface AuthenticMessage {
  provider: PaymentProviderName
  eventKey: string
  /** Null: about nothing that we keep. */
  news: PaymentNews | null
  query: string
  body: Buffer
}

/** A message about an attempt that nobody knows is looked at again for so long, ms: it may have overtaken our own note. */
const unknownForMs = 24 * 60 * 60_000
const mostWaitMs = 60 * 60_000

/** Keeps a message once. Null when it was here before: then nothing is to be done for this delivery. */
export async function keepMessage(
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
        goes_back: news?.goesBack ?? false,
        processed_at: news === null ? now : null,
        // The job looks when whoever has received it did not come to it.
        retry_at: now + 30_000,
      })
      .returning()
    return row ?? null
  })
}

/** Does what a kept message calls for. Throws what `confirmPayment` throws; it can be called again then. */
export async function processMessage(deps: PaymentsDeps, message: PaymentMessageRow): Promise<void> {
  const { db } = deps.database
  const payment = await findByNews(db, message.provider, message)
  if (payment !== null) {
    const { provider_id: providerId, found, body } = message
    try {
      await confirmPayment(deps, payment.id, { providerId, found, message: body })
      if (message.goes_back) {
        await deps.database.withTransaction((tx) => deps.outbox.write(tx, [moneyWentBackEvent(payment.id)]))
      }
    } catch (error) {
      if (!(error instanceof PaymentError && error.permanent)) throw error
      // The provider does not stand by its message: it will not the next time either.
      deps.log.warn(
        { err: error, provider: message.provider, message: message.id },
        'a message does not hold',
      )
    }
  }
  const now = deps.worldNow()
  const isDone = payment !== null || now - message.received_at > unknownForMs
  if (payment === null && isDone) {
    deps.log.warn(
      { provider: message.provider, message: message.id },
      'a message is about no payment of ours',
    )
  }
  // Of somebody who has gone nothing is kept that names the person.
  const payer = payment && (await deps.users.find(payment.payer))
  const isGone = payer !== null && payer.deleted_at !== null
  await db
    .update(table)
    .set({
      payment: payment?.id ?? null,
      ...(isGone && { body: Buffer.alloc(0), query: '' }),
      ...(isDone ? { processed_at: now } : putOff(message, now)),
    })
    .where(eq(table.id, message.id))
}

function putOff({ tries }: Pick<PaymentMessageRow, 'tries'>, now: number) {
  return { tries: tries + 1, retry_at: now + Math.min(mostWaitMs, 30_000 * 2 ** Math.min(tries, 10)) }
}

/** Messages that are still to be done and due: of each provider those that have waited longest. */
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

/** Looks at a message again later, after a failure; one that fails for long rests. */
export async function postponeMessage(deps: PaymentsDeps, message: PaymentMessageRow): Promise<void> {
  const now = deps.worldNow()
  const isOver = now - message.received_at > silenceMs
  await deps.database.db
    .update(table)
    .set({ ...putOff(message, now), ...(isOver && { processed_at: now }) })
    .where(eq(table.id, message.id))
}
