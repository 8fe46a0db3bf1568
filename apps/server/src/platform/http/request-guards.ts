import type { IncomingMessage } from 'node:http'
import { Refusal } from '@hansom/domain/error-keys'
import ar from '@hansom/domain/languages/packs/ar/error.json' with { type: 'json' }
import en from '@hansom/domain/languages/packs/en/error.json' with { type: 'json' }
import type { FastifyInstance } from 'fastify'

/** Headers that proxies add to forwarded requests. */
const forwarding = /^(x-forwarded(-.+)?|forwarded|via|x-real-ip|x-client-ip|true-client-ip|cf-connecting-ip)$/
const ownNames = /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * True when a request may come from another machine although the demo listens on loopback only: a proxy or tunnel
 * forwarded it, or it names another host. Proxies that add no header use HTTP/1.0 or pass the host name on.
 */
export function mayBeRemote({ headers, httpVersion }: IncomingMessage): boolean {
  if (httpVersion === '1.0' || Object.keys(headers).some((name) => forwarding.test(name))) return true
  const host = `http://${headers.host ?? ''}`
  return !URL.canParse(host) || !ownNames.test(new URL(host).hostname)
}

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>403</title>
<style>body { max-width: 40rem; margin: 15vh auto; padding: 0 1rem; font: 1.1rem/1.6 system-ui }</style>
<p>${en.demo_elsewhere}</p>
<p lang="ar" dir="rtl">${ar.demo_elsewhere}</p>
</html>
`

/** Rejects requests that may come from another machine: a demo's passwords are public. */
export function refuseRemoteRequests(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!mayBeRemote(request.raw)) return done()
    void reply.status(403).header('cache-control', 'no-store')
    const asksForPage = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
    if (asksForPage) void reply.type('text/html; charset=utf-8').send(page)
    else void reply.send({ error: 'demo_elsewhere', requestId: request.id })
  })
}

/**
 * True when a request comes from a page of this server or from no page at all (browsers always send the origin of a
 * foreign page that writes or opens a socket). `host` is the host and port the request was sent to.
 */
export function isSameOrigin(
  origin: string | undefined,
  host: string,
  publicUrl: string | undefined,
): boolean {
  if (origin === undefined) return true
  if (publicUrl !== undefined && origin === publicUrl) return true
  return URL.canParse(origin) && /^https?:$/.test(new URL(origin).protocol) && new URL(origin).host === host
}

const readingMethods = ['GET', 'HEAD', 'OPTIONS']

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Pages of any origin may post a form here: the route does not act for the signed-in user. */
    fromAnyPage?: boolean
  }
}

/** Rejects writes that pages of other origins attempt with the user's session. */
export function refuseCrossOrigin(server: FastifyInstance, publicUrl: string | undefined): void {
  server.addHook('onRequest', async (request) => {
    if (readingMethods.includes(request.method) || request.routeOptions.config.fromAnyPage) return
    if (!isSameOrigin(request.headers.origin, request.headers.host ?? '', publicUrl))
      throw new Refusal('forbidden')
  })
}

/** A NUL or an unpaired surrogate: legal in JSON, but PostgreSQL cannot store it. */
const invalidText = /\0|\p{Cs}/u

/** Rejects requests with text that cannot be stored, before validation. */
export function rejectInvalidUnicode(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    if (request.url.includes('%00')) throw new Refusal('invalid_input')
  })
  server.addHook('preValidation', async (request) => {
    if (hasBrokenText(request.body)) throw new Refusal('invalid_input')
  })
}

/** Searches keys and values without recursion, since a body may be nested arbitrarily deep. */
function hasBrokenText(body: unknown): boolean {
  const pending = [body]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'string' && invalidText.test(value)) return true
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue
    for (const [key, item] of Object.entries(value)) {
      if (invalidText.test(key)) return true
      pending.push(item)
    }
  }
  return false
}
