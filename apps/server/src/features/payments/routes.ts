import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from '../../adapters/payments/port.ts'
import { chosenLocale } from '../../platform/http/content-negotiation.ts'
import { errorResponse } from '../../platform/http/error-response.ts'
import { type AuthorizeRoute, type Os, signedIn } from '../../platform/http/implement.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Log } from '../../platform/log/log.ts'
import type { LanguagesService } from '../languages/service.ts'
import type { PaymentsService } from './service.ts'

export function paymentsRoutes({ payments: os }: Os, payments: PaymentsService) {
  return {
    order: os.order.use(signedIn).handler(({ context, input }) => payments.order(context.actor, input.order)),
    topUp: os.topUp.use(signedIn).handler(async ({ context, input }) => ({
      order: await payments.topUp(context.actor, input.amount, context.idempotencyKey),
    })),
    show: os.show
      .use(signedIn)
      .handler(({ context, input }) => payments.show(context.actor.id, input.payment)),
    complete: os.complete
      .use(signedIn)
      .handler(({ context, input }) => payments.complete(context.actor.id, input.payment, input.input)),
    giveUp: os.giveUp
      .use(signedIn)
      .handler(({ context, input }) => payments.giveUp(context.actor.id, input.payment)),
    ofBooking: os.ofBooking.use(signedIn).handler(async ({ context, input }) => ({
      items: await payments.ofBooking(context.actor, input.id),
    })),
    services: os.services.handler(() => payments.services()),
    list: os.list.handler(({ input }) => payments.page(input)),
    count: os.count.handler(({ input }) => payments.count(input)),
  }
}

/** The list of providers at its old path. */
export function providersFunction({ functions }: Os, payments: Pick<PaymentsService, 'providers'>) {
  return { getProviders: functions.getProviders.handler(() => payments.providers()) }
}

interface InboundRoutesDeps {
  payments: Pick<PaymentsService, 'pay' | 'handleReturn' | 'handleWebhook'>
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
