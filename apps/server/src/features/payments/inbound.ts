import { id as uuid } from '@hansom/contract/shapes'
import { Refusal } from '@hansom/domain/error-keys'
import type { ReportedPayment } from '@hansom/domain/payments/payment'
import type { PaymentProviderName } from '@hansom/domain/payments/providers'
import { eq } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import {
  type IncomingMessage,
  PaymentError,
  type PaymentEvent,
  type PaymentProvider,
} from '../../adapters/payments/port.ts'
import { captureOnce, isOpen, type PaymentsDeps, paymentReversedEvent, startedOf } from './attempt.ts'
import { confirmPayment } from './confirm-payment.ts'
import { confirmAfterReturn } from './own-attempt.ts'
import { checkoutPath, hasReturnProof } from './providers.ts'
import { findByMessage, readPayment } from './store.ts'
import {
  type PaymentMessageRow,
  type PaymentRow,
  paymentMessageKeysTable,
  paymentMessagesTable as table,
} from './table.ts'

/** Handles webhooks and browser returns from providers. Nothing is trusted before it is verified. */
export function createInbound(deps: PaymentsDeps) {
  const { database, providers, log } = deps
  const refused: Record<string, number> = {}
  const underWay = new Set<Promise<void>>()

  const refuse = (provider: string, endpoint: 'return' | 'webhook', why: string) => {
    refused[provider] = (refused[provider] ?? 0) + 1
    log.warn({ provider, endpoint, why, refused: refused[provider] }, 'payment message failed verification')
  }

  /** Runs work in the background; only `stop` waits for it. */
  const inBackground = (about: object, work: Promise<void>) => {
    const done: Promise<void> = work
      .catch((error: unknown) => {
        const isSilent = error instanceof PaymentError && !error.permanent
        log[isSilent ? 'warn' : 'error']({ err: error, ...about }, 'payment message will be retried')
      })
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }

  const readBack = async (provider: PaymentProvider, row: PaymentRow, message: IncomingMessage) => {
    const reading = await provider.readReturn(message, startedOf(row))
    if (reading.kind === 'refused') return refuse(provider.name, 'return', reading.why)
    if (row.state === 'paid') return
    const found = reading.event?.found ?? null
    let answered: ReportedPayment | null = null
    // Attempts that were given up are no longer captured. Knowing the URL is not enough to end one.
    const isProven = hasReturnProof(message.query, deps.authSecret, row.id)
    if (isProven && reading.complete && provider.complete && isOpen(row)) {
      const answer = await captureOnce(deps, provider, row, reading.complete)
      if (answer?.kind === 'found') answered = answer.found
    }
    await confirmAfterReturn(deps, row, { providerId: reading.event?.providerId ?? null, found, answered })
  }

  return {
    /** Returns the page that shows the attempt's state. Throws not_found. */
    async handleReturn(name: string, id: string, message: IncomingMessage): Promise<string> {
      const provider = providers.find(name)
      const row = uuid.safeParse(id).success ? await readPayment(database.db, id) : null
      if (provider === null || row === null || row.provider !== name) throw new Refusal('not_found')
      try {
        await readBack(provider, row, message)
      } catch (error) {
        if (!(error instanceof PaymentError)) throw error
        log.warn({ err: error, payment: row.id }, 'payment could not be completed on return')
        await confirmAfterReturn(deps, row, {})
      }
      return checkoutPath(name, row.id)
    },

    /**
     * Stores an authentic message and processes it after the response. Throws not_found, invalid_input, and unavailable
     * if the provider must verify the message and does not respond.
     */
    async handleWebhook(name: string, query: string, message: IncomingMessage): Promise<string | null> {
      const provider = providers.find(name)
      if (provider === null) throw new Refusal('not_found')
      const reading = await provider.readWebhook(message).catch((error: unknown) => {
        // The provider will send it again.
        throw error instanceof PaymentError ? new Refusal('unavailable', { cause: error }) : error
      })
      if (reading.kind === 'refused') {
        refuse(name, 'webhook', reading.why)
        throw new Refusal('invalid_input')
      }
      if (reading.kind === 'answer') return reading.body
      const event = reading.kind === 'event' ? reading.event : null
      const eventKey = reading.kind === 'event' ? reading.event.eventKey : reading.eventKey
      const stored = await storeMessage(deps, {
        provider: provider.name,
        eventKey,
        event,
        query,
        body: message.body,
      })
      if (stored && event) inBackground({ message: stored.id }, processMessage(deps, stored))
      return null
    },

    refused: () => ({ ...refused }),

    async stop(): Promise<void> {
      await Promise.all(underWay)
    },
  }
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

/** How long a message about an unknown attempt is retried, ms: it may have arrived before the attempt was stored. */
const unknownForMs = 24 * 60 * 60_000
const maxWaitMs = 60 * 60_000

/** Stores a message once. Null for a repeated delivery, which needs no processing. */
async function storeMessage(
  { database, worldNow }: PaymentsDeps,
  { provider, eventKey, event, query, body }: AuthenticMessage,
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
  // Personal data of deleted accounts is not stored.
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

/** Backoff of a message that could not be processed. */
export function retryLater({ tries }: Pick<PaymentMessageRow, 'tries'>, now: number) {
  return { tries: tries + 1, retry_at: now + Math.min(maxWaitMs, 30_000 * 2 ** Math.min(tries, 10)) }
}
