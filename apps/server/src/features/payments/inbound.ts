import { id as uuid } from '@hansom/contract/shapes'
import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import type { ReportedPayment } from '@hansom/domain/payments/payment'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type IncomingMessage, PaymentError, type PaymentProvider } from '../../adapters/payments/port.ts'
import { chosenLocale } from '../../platform/http/content-negotiation.ts'
import { errorResponse } from '../../platform/http/error-response.ts'
import type { AuthorizeRoute } from '../../platform/http/implement.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Log } from '../../platform/log/log.ts'
import type { LanguagesService } from '../languages/service.ts'
import { captureOnce, isOpen, type PaymentsDeps, startedOf } from './attempt.ts'
import { processMessage } from './confirm-payment.ts'
import { confirmAfterReturn } from './own-attempt.ts'
import { checkoutPath, hasReturnProof } from './providers.ts'
import { readPayment, storeMessage } from './store.ts'
import type { PaymentRow } from './table.ts'

/** What the endpoints of payments call, and their background work. */
export interface Inbound {
  /**
   * Handles the form of an order posted to a provider's link and returns the page that runs the attempt. Throws the
   * errors of `order`, fare_changed and conflict for another amount, currency or user, payment_unavailable.
   */
  pay(actor: Actor, provider: string, posted: URLSearchParams, locale: string): Promise<string>
  /** Handles the browser's return from a provider; returns the page that shows the state. Throws not_found. */
  handleReturn(provider: string, id: string, message: IncomingMessage): Promise<string>
  /**
   * Stores an authentic webhook and processes it after the response. Null: acknowledge without a body. Throws not_found,
   * invalid_input if verification fails, and unavailable if the provider must verify the message and does not respond.
   */
  handleWebhook(provider: string, query: string, message: IncomingMessage): Promise<string | null>
  /** Messages that failed verification since the start, by provider. */
  refused(): Readonly<Record<string, number>>
  /** Waits for background work. */
  stop(): Promise<void>
}

/** Handles webhooks and browser returns from providers. Nothing is trusted before it is verified. */
export function createInbound(deps: PaymentsDeps): Omit<Inbound, 'pay'> {
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
    async handleReturn(name, id, message) {
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

    async handleWebhook(name, query, message) {
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
      const received = { provider: provider.name, eventKey, event, query, body: message.body }
      const stored = await storeMessage(database, received, deps.worldNow())
      if (stored && event) inBackground({ message: stored.id }, processMessage(deps, stored))
      return null
    },

    refused: () => ({ ...refused }),

    async stop() {
      await Promise.all(underWay)
    },
  }
}

interface InboundRoutesDeps {
  payments: Pick<Inbound, 'pay' | 'handleReturn' | 'handleWebhook'>
  languages: Pick<LanguagesService, 'start'>
  authorize: AuthorizeRoute
  log: Log
  limits: Pick<Limits, 'payments' | 'webhooks'>
  worldNow(): number
}

const bodyLimit = 262_144

/**
 * Endpoints for order forms, browsers returning from providers, and provider webhooks. Bodies remain raw because
 * signatures cover their bytes. Browsers are redirected to a page even on errors.
 */
export function mountInboundRoutes(server: FastifyInstance, deps: InboundRoutesDeps): void {
  const { payments, languages, authorize, log, limits, worldNow } = deps
  const limited = (groupId: string, max: number) => ({ rateLimit: { max, groupId } })
  const toPage = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { body } = errorResponse(error, request.id, log)
    const isSignedOut = body.error === 'not_logged_in'
    const query = new URLSearchParams({ error: body.error, ...orderIn(request) })
    return seeOther(reply, isSignedOut ? '/login' : `/checkout?${query}`)
  }

  void server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit }, (_request, body, done) =>
      done(null, body),
    )

    scope.post<{ Params: { provider: string } }>(
      '/pay/:provider',
      { bodyLimit: 32_768, errorHandler: toPage, config: limited('pay', limits.payments) },
      async (request, reply) => {
        const payer = await authorize(request, 'POST /pay/:provider')
        const { provider } = request.params
        const { langLocale } = await languages.start(chosenLocale(request.headers))
        return seeOther(reply, await payments.pay(payer, provider, formOf(request), langLocale))
      },
    )

    scope.route<{ Params: { provider: string; payment: string } }>({
      method: ['GET', 'POST'],
      url: '/pay/:provider/return/:payment',
      bodyLimit,
      exposeHeadRoute: false,
      errorHandler: toPage,
      config: { ...limited('pay-return', limits.payments), fromAnyPage: true },
      handler: async (request, reply) => {
        const { provider, payment } = request.params
        return seeOther(reply, await payments.handleReturn(provider, payment, messageOf(request, worldNow())))
      },
    })

    scope.route<{ Params: { provider: string } }>({
      method: ['GET', 'POST'],
      url: '/pay/:provider/webhook',
      bodyLimit,
      exposeHeadRoute: false,
      config: { ...limited('pay-webhook', limits.webhooks), fromAnyPage: true },
      handler: async (request, reply) => {
        const message = messageOf(request, worldNow())
        const answer = await payments.handleWebhook(
          request.params.provider,
          message.query.toString(),
          message,
        )
        return reply
          .header('cache-control', 'no-store')
          .type('text/plain; charset=utf-8')
          .send(answer ?? 'OK')
      },
    })
  })
}

function seeOther(reply: FastifyReply, path: string) {
  return reply.header('cache-control', 'no-store').redirect(path, 303)
}

function bodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

/** Throws invalid_input for text that cannot be stored. */
function formOf(request: FastifyRequest): URLSearchParams {
  const form = new URLSearchParams(bodyOf(request).toString())
  for (const value of form.values()) if (value.includes('\0')) throw new Refusal('invalid_input')
  return form
}

/** The order of a form, for the error page. */
function orderIn(request: FastifyRequest): { order?: string } {
  const order = new URLSearchParams(bodyOf(request).toString()).get('order_id') ?? ''
  return /^[\w-]{1,40}$/.test(order) ? { order } : {}
}

/** A request in the form that provider adapters read: only the URL is parsed. */
function messageOf(request: FastifyRequest, at: number): IncomingMessage {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )
  const start = request.url.indexOf('?')
  return {
    method: request.method === 'POST' ? 'POST' : 'GET',
    headers,
    query: new URLSearchParams(start < 0 ? '' : request.url.slice(start + 1)),
    body: bodyOf(request),
    from: request.ip,
    at,
  }
}
