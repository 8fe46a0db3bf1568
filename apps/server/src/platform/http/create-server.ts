import { randomUUID } from 'node:crypto'
import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import { screenAt } from '@hansom/domain/access/screens'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  LogController,
} from 'fastify'
import type { Log } from '../log/log.ts'
import { contentPolicy } from './content-policy.ts'
import { refuseElsewhere } from './demo-door.ts'
import { errorAnswer } from './error-answer.ts'
import { type GeneralLimits, limitRequests, type PersonOf } from './limits.ts'
import { refuseForeignPages } from './own-origin.ts'
import { refuseBrokenText } from './refuse-broken-text.ts'
import { answerUnavailable, refuseWhileStandingBy } from './unavailable.ts'

export interface ServerOptions {
  log: Log
  /** False while the database may belong to another server: requests are asked to come again. */
  isServing?: () => boolean
  limits: GeneralLimits
  personOf: PersonOf
  /** The address people use; decides whether browsers are held to https. */
  publicUrl: string | undefined
  /** Addresses and networks of proxies on other machines. */
  trustedProxies: readonly string[]
  /** Its passwords are known: whoever asks from another machine is refused. */
  demo?: boolean
}

const bodyLimit = 1_048_576
/** As long as a request may take to come in, ms: enough for a picture over a poor line. */
const requestTimeout = 300_000
const fasterBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** The HTTP server with what holds for every route: safety headers, limits, compression, one form of refusal. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { log } = options
  const server: FastifyInstance = Fastify({
    // Its own remarks would repeat ours.
    loggerInstance: log.child({}, { level: 'warn' }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    requestTimeout,
    // A proxy on this machine, or one that was named, may say on whose behalf it asks: limits count by that.
    trustProxy: ['loopback', ...options.trustedProxies],
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      const { status, body } = errorAnswer(error, request.id, log)
      void (reply as FastifyReply).status(status).send(body)
    },
  })
  // JSON is the one body there is; a plain-text one could come from a foreign page's form.
  server.removeContentTypeParser('text/plain')
  server.setErrorHandler((error, request, reply) => {
    const { status, body } = errorAnswer(error, request.id, log)
    if (body.error === 'unavailable') return answerUnavailable(request, reply, body)
    const wait = body.data?.retryAfterS
    if (typeof wait === 'number') void reply.header('retry-after', String(wait))
    return reply.status(status).send(body)
  })
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  if (options.demo) refuseElsewhere(server)
  if (options.isServing) refuseWhileStandingBy(server, options.isServing)
  refuseForeignPages(server, options.publicUrl)
  refuseBrokenText(server)
  server.addHook('onResponse', async (request, reply) => {
    const { method, url, routeOptions } = request
    log.debug({
      requestId: request.id,
      method,
      // The path itself may hold the secret of a link.
      route: routeOptions.url ?? screenAt(url.split('?', 1)[0] ?? '') ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    })
  })
  await server.register(helmet, contentPolicy(options.publicUrl))
  await limitRequests(server, options.limits, options.personOf)
  await server.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    brotliOptions: fasterBrotli,
  })
  return server
}
