import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Paths of programs, not of people: an unknown one is never answered with a page. */
const programPaths = /^\/(googleapis-|assets\/|(api|live|healthz|openapi\.json)(\/|$))/

export type PageAnswer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** What no route knows: a page for a person's GET when `page` is given, otherwise not_found. */
export function answerUnknownPaths(server: FastifyInstance, max: number, page?: PageAnswer): void {
  // A path that is no route has no hooks of a route: its limit is asked here.
  const limit = server.rateLimit({ max })
  server.setNotFoundHandler({ preHandler: limit }, async (request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const asksForPage = request.method === 'GET' || request.method === 'HEAD'
    if (page === undefined || !asksForPage || programPaths.test(path)) throw new Refusal('not_found')
    return page(request, reply)
  })
}
