import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Paths used by programs: an unknown one never gets a page. */
const programPaths = /^\/(googleapis-|assets\/|(api|live|healthz|openapi\.json)(\/|$))/

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
