import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import ar from '@hansom/domain/languages/packs/ar/error.json' with { type: 'json' }
import en from '@hansom/domain/languages/packs/en/error.json' with { type: 'json' }
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import { retryAfterS } from './error-response.ts'

/** A page that reloads itself. It is sent when settings and languages cannot be read, so it contains both languages. */
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="3">
<title>503</title>
<p>${en.unavailable}</p>
<p lang="ar" dir="rtl">${ar.unavailable}</p>
</html>
`

/** Sends `unavailable` with a retry time: a page for a browser's GET, otherwise `body`. */
export function sendUnavailable(
  request: FastifyRequest,
  reply: FastifyReply,
  body: object = unavailableBody(request.id),
): FastifyReply {
  const { headers, text } = unavailable(request.raw, body)
  return reply.status(503).headers(headers).send(text)
}

const unavailableBody = (requestId: string) => ({ error: 'unavailable', data: { retryAfterS }, requestId })

/** The response `unavailable` to a request that reached no server. */
export function unavailable(request: IncomingMessage, body: object = unavailableBody(randomUUID())) {
  const asksForPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
  return {
    headers: {
      'retry-after': String(retryAfterS),
      'cache-control': 'no-store',
      'content-type': asksForPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    },
    text: asksForPage ? page : JSON.stringify(body),
  }
}

/** Rejects every request except the health check while `isServing` returns false. */
export function refuseWhileStandingBy(server: FastifyInstance, isServing: () => boolean): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (isServing() || request.url.split('?', 1)[0] === '/healthz') return done()
    sendUnavailable(request, reply)
  })
}

const patienceMs = 1_500
/** The database is asked at most this often. */
const keptMs = 250

/**
 * `GET /healthz`: 200 while this server is serving and the database responds, otherwise 503. Not limited: a balancer would
 * take a server that responds with 429 for broken, so visitors who seem to share its address could end the service.
 */
export function mountHealth(server: FastifyInstance, database: Database, isServing: () => boolean): void {
  let asked: Promise<boolean> | null = null
  /** Requests share one database query. */
  const ask = () => {
    asked ??= databaseAnswers(database).finally(() => {
      setTimeout(() => {
        asked = null
      }, keptMs).unref()
    })
    return asked
  }
  server.get('/healthz', { config: { rateLimit: false } }, async (_request, reply) => {
    const answers = await ask()
    const ok = answers && isServing()
    if (!ok) void reply.header('retry-after', String(retryAfterS))
    return reply
      .status(ok ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        ok,
        state: isServing() ? 'serving' : 'standing by',
        database: answers ? 'answers' : 'does not answer',
      })
  })
}

async function databaseAnswers(database: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs)
  })
  const asked = database.pool.query('select 1').then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([asked, patience])
  } finally {
    clearTimeout(timer)
  }
}
