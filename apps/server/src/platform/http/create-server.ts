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
import { refuseRemoteRequests } from './demo-guard.ts'
import { errorResponse } from './error-response.ts'
import { type GeneralLimits, limitRequests, type PersonOf } from './limits.ts'
import { rejectInvalidUnicode } from './reject-invalid-unicode.ts'
import { refuseCrossOrigin } from './same-origin.ts'
import { securityHeaders } from './security-headers.ts'
import { refuseWhileStandingBy, sendUnavailable } from './unavailable.ts'

export interface ServerOptions {
  log: Log
  /** False while another server may own the database: requests get `unavailable` with a retry time. */
  isServing?: () => boolean
  limits: GeneralLimits
  personOf: PersonOf
  /** The public URL; over https, browsers are told to require https. */
  publicUrl: string | undefined
  /** IP addresses and networks of trusted proxies on other machines. */
  trustedProxies: readonly string[]
  /** A demo's passwords are public: requests from other machines are rejected. */
  demo?: boolean
}

const bodyLimit = 1_048_576
/** Time limit for receiving a request, ms: enough for a picture over a slow connection. */
const requestTimeout = 300_000
const fasterBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/**
 * Creates the HTTP server with everything that applies to all routes: security headers, limits, compression and one
 * error format.
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { log } = options
  const server: FastifyInstance = Fastify({
    // Fastify's own log lines would duplicate ours.
    loggerInstance: log.child({}, { level: 'warn' }) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit,
    requestTimeout,
    // Trusted proxies may set the client's IP address, which the limits use.
    trustProxy: ['loopback', ...options.trustedProxies],
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      const { status, body } = errorResponse(error, request.id, log)
      void (reply as FastifyReply).status(status).send(body)
    },
  })
  // Only JSON bodies are accepted; a form on a foreign page could send plain text.
  server.removeContentTypeParser('text/plain')
  server.setErrorHandler((error, request, reply) => {
    const { status, body } = errorResponse(error, request.id, log)
    if (body.error === 'unavailable') return sendUnavailable(request, reply, body)
    const wait = body.data?.retryAfterS
    if (typeof wait === 'number') void reply.header('retry-after', String(wait))
    return reply.status(status).send(body)
  })
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  if (options.demo) refuseRemoteRequests(server)
  if (options.isServing) refuseWhileStandingBy(server, options.isServing)
  refuseCrossOrigin(server, options.publicUrl)
  rejectInvalidUnicode(server)
  server.addHook('onResponse', async (request, reply) => {
    const { method, url, routeOptions } = request
    log.debug({
      requestId: request.id,
      method,
      // The path may contain the secret of a link.
      route: routeOptions.url ?? screenAt(url.split('?', 1)[0] ?? '') ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    })
  })
  await server.register(helmet, securityHeaders(options.publicUrl))
  await limitRequests(server, options.limits, options.personOf)
  await server.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    brotliOptions: fasterBrotli,
  })
  return server
}
