import { type RouteRule, refusalBeforeInput, refusalOnDemo } from '@hansom/domain/access/route-rule'
import { plainRoutes } from '@hansom/domain/access/routes'
import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyRequest } from 'fastify'
import type { RequestContext, SessionActor } from './request-context.ts'

export type PlainRoute = keyof typeof plainRoutes

/**
 * Guards routes outside the contract: returns the viewer if `plainRoutes` allows the request. Throws the refusal of the
 * rule, and demo_mode for a critical edit while critical edits are disabled.
 */
export type AuthorizeRoute = (
  request: Pick<FastifyRequest, 'headers'>,
  route: PlainRoute,
) => Promise<SessionActor>

export interface RouteGuardDeps {
  session(headers: FastifyRequest['headers']): Promise<{ viewer: SessionActor } | null>
  settings: RequestContext['settings']
}

export function createRouteGuard({ session, settings }: RouteGuardDeps): AuthorizeRoute {
  return async (request, route) => {
    const rule: RouteRule = plainRoutes[route]
    const viewer = (await session(request.headers))?.viewer ?? null
    const refusal =
      refusalBeforeInput(rule, viewer) ?? (rule.critical ? refusalOnDemo(rule, await settings()) : null)
    if (viewer === null || refusal !== null) throw new Refusal(refusal ?? 'not_logged_in')
    return viewer
  }
}
