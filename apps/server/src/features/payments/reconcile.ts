import { openPaymentStates } from '@hansom/domain/payments/payment'
import { and, asc, eq, inArray, isNull, lte, notInArray, sql } from 'drizzle-orm'
import { PaymentError } from '../../adapters/payments/port.ts'
import { deleteInBatches } from '../../platform/database/transaction.ts'
import { isOpen, lapseMs, nextLatePoll, nextPoll, type PaymentsDeps, silenceMs } from './attempt.ts'
import { confirmPayment, endAttempt, processMessage, retryLater } from './confirm-payment.ts'
import { movePayment } from './store.ts'
import {
  paymentMessagesTable as messages,
  type PaymentMessageRow,
  type PaymentRow,
  paymentsTable as table,
} from './table.ts'

/**
 * Processes what was left over: unprocessed messages, ended attempts that are not closed, and attempts that are due for
 * a poll. `signal` stops it between two items.
 */
export async function reconcilePayments(deps: PaymentsDeps, signal?: AbortSignal): Promise<void> {
  /** Processes each provider's items in sequence, so that no provider waits for another. */
  const each = async <T extends { provider: string }>(
    rows: readonly T[],
    work: (row: T) => Promise<void>,
  ) => {
    const lane = async (name: string) => {
      for (const row of rows) if (row.provider === name && !signal?.aborted) await work(row)
    }
    await Promise.all([...new Set(rows.map(({ provider }) => provider))].map(lane))
  }
  await Promise.all([
    each(await dueMessages(deps), (message) =>
      guarded(deps, { message: message.id }, async () => {
        try {
          await processMessage(deps, message)
        } catch (error) {
          await postponeMessage(deps, message)
          throw error
        }
      }),
    ),
    each(await unfinished(deps), (row) =>
      guarded(deps, { payment: row.id }, async () => {
        await postponeClosing(deps, row)
        await endAttempt(deps, row)
      }),
    ),
    each(await dueAttempts(deps), (row) => guarded(deps, { payment: row.id }, () => poll(deps, row))),
  ])
}

/** Unprocessed messages that are due: of each provider, those that have waited longest. */
async function dueMessages({ database: { db }, worldNow }: PaymentsDeps): Promise<PaymentMessageRow[]> {
  const ranked = db
    .select({
      id: messages.id,
      rank: sql<number>`row_number() over (partition by ${messages.provider} order by ${messages.retry_at})`.as(
        'rank',
      ),
    })
    .from(messages)
    .where(and(isNull(messages.processed_at), lte(messages.retry_at, worldNow())))
    .as('ranked')
  const first = db.select({ id: ranked.id }).from(ranked).where(lte(ranked.rank, 20))
  return db
    .select()
    .from(messages)
    .where(and(inArray(messages.id, first), isNull(messages.processed_at)))
    .orderBy(asc(messages.retry_at))
}

/** Retries a message later after a failure; stops after `silenceMs`. */
async function postponeMessage(deps: PaymentsDeps, message: PaymentMessageRow): Promise<void> {
  const now = deps.worldNow()
  const isOver = now - message.received_at > silenceMs
  await deps.database.db
    .update(messages)
    .set({ ...retryLater(message, now), ...(isOver && { processed_at: now }) })
    .where(eq(messages.id, message.id))
}

/** Ended attempts that are not closed; failing ones back off. */
async function unfinished({ database: { db }, worldNow }: PaymentsDeps): Promise<PaymentRow[]> {
  const hasEnded = notInArray(table.state, [...openPaymentStates])
  return db
    .select()
    .from(table)
    .where(and(eq(table.closed, false), hasEnded, lte(table.close_at, worldNow())))
    .orderBy(asc(table.close_at), asc(table.id))
    .limit(50)
}

/** Backoff for failing attempts, from half a minute to six hours, ms. */
const firstWaitMs = 30_000
const maxWaitMs = 6 * 3_600_000

/** Set before processing, so that an item that fails or crashes the server is not first again. */
async function postponeClosing({ database: { db }, worldNow }: PaymentsDeps, row: PaymentRow): Promise<void> {
  const wait = Math.min(maxWaitMs, firstWaitMs * 2 ** Math.min(row.close_tries, 20))
  await db
    .update(table)
    .set({ close_tries: row.close_tries + 1, close_at: worldNow() + wait })
    .where(and(eq(table.id, row.id), eq(table.closed, false), eq(table.state, row.state)))
}

/** Attempts due for a poll: of each provider, those that have waited longest. */
async function dueAttempts({ database: { db }, worldNow }: PaymentsDeps): Promise<PaymentRow[]> {
  const ranked = db
    .select({
      id: table.id,
      rank: sql<number>`row_number() over (partition by ${table.provider} order by ${table.ask_at})`.as(
        'rank',
      ),
    })
    .from(table)
    .where(lte(table.ask_at, worldNow()))
    .as('ranked')
  const first = db.select({ id: ranked.id }).from(ranked).where(lte(ranked.rank, 20))
  return db.select().from(table).where(inArray(table.id, first)).orderBy(asc(table.ask_at))
}

/** Polls the provider about an attempt; an open one lapses if undecided after a day. */
async function poll(deps: PaymentsDeps, row: PaymentRow): Promise<void> {
  const { db } = deps.database
  const now = deps.worldNow()
  const age = now - row.opened_at
  await db
    .update(table)
    .set({ ask_at: isOpen(row) ? nextPoll(row.opened_at, now) : nextLatePoll(row.opened_at, now) })
    .where(and(eq(table.id, row.id), eq(table.state, row.state)))
  let hasResponded = deps.providers.find(row.provider) !== null
  try {
    await confirmPayment(deps, row.id)
  } catch (error) {
    if (!(error instanceof PaymentError)) throw error
    hasResponded = false
    deps.log.warn({ err: error, payment: row.id }, 'payment provider did not respond')
  }
  if (!isOpen(row) || age < (hasResponded ? lapseMs : silenceMs)) return
  const lapsed = await movePayment(db, row.id, 'expired', { ask_at: nextLatePoll(row.opened_at, now) })
  if (lapsed) await endAttempt(deps, lapsed)
}

/** Logs errors, so that one failing item does not block the others. */
async function guarded(
  { log }: PaymentsDeps,
  about: Record<string, string>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    log.error({ err: error, ...about }, 'payment could not be reconciled, will retry')
  }
}

/** How long unpaid attempts are kept, ms: longer than any provider may still change their state. */
const deadForMs = 400 * 24 * 60 * 60_000

/** Deletes old unpaid attempts, and top-ups without attempts. Paid ones are kept forever. */
export async function deleteUnpaidAttempts({
  database: { pool },
  worldNow,
}: Pick<PaymentsDeps, 'database' | 'worldNow'>): Promise<void> {
  const before = worldNow() - deadForMs
  await deleteInBatches(
    pool,
    'payments',
    `state in ('failed', 'expired') and closed and ask_at is null and opened_at < $1
      and not exists (select from refund_records r where r.payment = payments.id)`,
    [before],
  )
  await deleteInBatches(
    pool,
    'top_ups',
    'created_at < $1 and not exists (select from payments where payments.top_up = top_ups.id)',
    [before],
  )
}
