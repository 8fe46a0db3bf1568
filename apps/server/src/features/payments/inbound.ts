import { id as uuid } from '@hansom/contract/shapes'
import { Refusal } from '@hansom/domain/error-keys'
import type { ReportedPayment } from '@hansom/domain/payments/payment'
import type { IncomingMessage, PaymentProvider } from '../../adapters/payments/port.ts'
import { PaymentError } from '../../adapters/payments/port.ts'
import type { PaymentsDeps } from './deps.ts'
import { storeMessage, processMessage } from './messages.ts'
import { isOpen, startedOf } from './attempt.ts'
import { captureOnce } from './capture-once.ts'
import { confirmAfterReturn } from './own-attempt.ts'
import { checkoutPath } from './providers.ts'
import { hasReturnProof } from './return-proof.ts'
import { readPayment } from './store/payments.ts'
import type { PaymentRow } from './table.ts'

/** Handles webhooks and browser returns from providers. Nothing is trusted before it is verified. */
export function createInbound(deps: PaymentsDeps) {
  const { database, providers, log } = deps
  const refused: Record<string, number> = {}
  const underWay = new Set<Promise<void>>()

  const refuse = (provider: string, door: 'return' | 'webhook', why: string) => {
    refused[provider] = (refused[provider] ?? 0) + 1
    log.warn({ provider, door, why, refused: refused[provider] }, 'payment message failed verification')
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
    // Attempts that were given up are no longer captured. Knowing the URL alone ends nothing.
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
      const news = reading.kind === 'news' ? reading.event : null
      const eventKey = reading.kind === 'news' ? reading.event.eventKey : reading.eventKey
      const kept = await storeMessage(deps, {
        provider: provider.name,
        eventKey,
        news,
        query,
        body: message.body,
      })
      if (kept && news) inBackground({ message: kept.id }, processMessage(deps, kept))
      return null
    },

    refused: () => ({ ...refused }),

    async stop(): Promise<void> {
      await Promise.all(underWay)
    },
  }
}
