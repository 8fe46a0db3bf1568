import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance } from 'fastify'

/**
 * True when a request comes from a page of this server, or from no page at all (browsers always name the origin of a
 * foreign page that writes or opens a socket). `host` is the address the request was sent to, with its port.
 */
export function isOwnOrigin(
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
    /** Pages of any origin may send a form here: the route does nothing in anybody's name. */
    fromAnyPage?: boolean
  }
}

/** Refuses what pages of other origins try to change in a signed-in person's name. */
export function refuseForeignPages(server: FastifyInstance, publicUrl: string | undefined): void {
  server.addHook('onRequest', async (request) => {
    if (readingMethods.includes(request.method) || request.routeOptions.config.fromAnyPage) return
    if (!isOwnOrigin(request.headers.origin, request.headers.host ?? '', publicUrl))
      throw new Refusal('forbidden')
  })
}
