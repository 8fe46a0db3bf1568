import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import type { FastifyHelmetOptions } from '@fastify/helmet'
import helmet from '@fastify/helmet'
import { screenAt } from '@hansom/domain/access/screens'
import { Refusal } from '@hansom/domain/error-keys'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Log } from '../log/log.ts'
import { requestIdOf, withOrigin } from '../log/origin.ts'
import { metrics } from '../metrics/metrics.ts'
import { beginSpan, type OpenSpan } from '../tracing/tracing.ts'
import { refuseWhileStandingBy, sendUnavailable } from './availability.ts'
import { errorResponse } from './error-response.ts'
import { type GeneralLimits, limitRequests, type UserOf } from './limits.ts'
import { refuseCrossOrigin, refuseRemoteRequests, rejectInvalidUnicode } from './request-guards.ts'
import type { CommonCounts } from './window-counts.ts'

export interface ServerOptions {
  log: Log
  /** False while another server may own the database: requests get `unavailable` with a retry time. */
  isServing?: () => boolean
  limits: GeneralLimits
  /** Counts the requests of all servers. Default: this server's. */
  counts?: CommonCounts | undefined
  userOf: UserOf
  /** The public URL; over https, browsers are told to require https. */
  publicUrl: string | undefined
  /** IP addresses and networks of trusted proxies on other machines. */
  trustedProxies: readonly string[]
  /** A demo's passwords are public: requests from other machines are rejected. */
  demo?: boolean
  /** Where browsers load the map from, if not from this server. */
  mapOrigins?: readonly string[]
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
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id']),
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
  const spans = new WeakMap<object, OpenSpan>()
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    const origin = { requestId: request.id }
    const span = beginSpan('SERVER', origin)
    if (span) spans.set(request, span)
    withOrigin(span?.origin ?? origin, done)
  })
  // Reading the body has left the origin.
  server.addHook('preValidation', (request, _reply, done) =>
    withOrigin(spans.get(request)?.origin ?? { requestId: request.id }, done),
  )
  if (options.demo) refuseRemoteRequests(server)
  if (options.isServing) refuseWhileStandingBy(server, options.isServing)
  refuseCrossOrigin(server, options.publicUrl)
  rejectInvalidUnicode(server)
  server.addHook('onResponse', async (request, reply) => {
    const { method, url, routeOptions } = request
    const { statusCode: status, elapsedTime } = reply
    // The path may contain the secret of a link.
    const route = routeOptions.url ?? screenAt(url.split('?', 1)[0] ?? '') ?? 'unknown'
    metrics.httpSeconds.observe(
      { method, route, status: `${Math.floor(status / 100)}xx` },
      elapsedTime / 1000,
    )
    spans
      .get(request)
      ?.end(
        `${method} ${route}`,
        { 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
        status >= 500 ? new Error() : undefined,
      )
    log.debug({ requestId: request.id, method, route, status, ms: Math.round(elapsedTime) })
  })
  // The map's worker has the policy of its own script, so that these origins are allowed everywhere.
  const { mapOrigins = [] } = options
  await server.register(
    helmet,
    securityHeaders(options.publicUrl, { connect: mapOrigins, image: mapOrigins }),
  )
  await limitRequests(server, options.limits, options.userOf, options.counts)
  await server.register(compress, {
    encodings: ['br', 'gzip'],
    threshold: 1024,
    brotliOptions: fasterBrotli,
  })
  return server
}

/** Additional origins that one page needs, by directive. */
interface AllowedOrigins {
  form?: readonly string[]
  script?: readonly string[]
  frame?: readonly string[]
  connect?: readonly string[]
  image?: readonly string[]
  style?: readonly string[]
}

/**
 * Builds the security headers, including the content security policy. The map runs in a worker created from a blob, and
 * page styles contain inline variables. Scripts come only from this server and from origins opened to the one page that
 * needs them. A parcel's label is decoded by WebAssembly, which `wasm-unsafe-eval` allows without allowing scripts.
 */
export function securityHeaders(
  publicUrl: string | undefined,
  opened: AllowedOrigins = {},
): FastifyHelmetOptions {
  const secure = publicUrl?.startsWith('https:') ?? false
  const socket = publicUrl === undefined ? [] : [publicUrl.replace(/^http/, 'ws')]
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...(opened.script ?? [])],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'", ...(opened.style ?? [])],
        imgSrc: ["'self'", 'data:', 'blob:', ...(opened.image ?? [])],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...socket, ...(opened.connect ?? [])],
        frameSrc: ["'self'", ...(opened.frame ?? [])],
        workerSrc: ["'self'", 'blob:'],
        manifestSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'", ...(opened.form ?? [])],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'deny' },
  }
}

/** Paths used by programs: an unknown one never gets a page. */
const programPaths = /^\/(googleapis-|assets\/|(api|live|healthz|metrics|openapi\.json)(\/|$))/

export type PageHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** Handles unknown paths: a page for a browser's GET when `page` is given, otherwise not_found. */
export function handleUnknownPaths(server: FastifyInstance, max: number, page?: PageHandler): void {
  // Unknown paths have no route hooks, so the limit is applied here.
  const limit = server.rateLimit({ max })
  server.setNotFoundHandler({ preHandler: limit }, async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const asksForPage = request.method === 'GET' || request.method === 'HEAD'
    if (page === undefined || !asksForPage || programPaths.test(path)) throw new Refusal('not_found')
    return page(request, reply)
  })
}
