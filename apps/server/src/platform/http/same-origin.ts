import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance } from 'fastify'

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
