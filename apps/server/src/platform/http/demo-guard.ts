import type { IncomingMessage } from 'node:http'
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
