import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IdentityService } from '../service.ts'
import { cookieOf } from '../visitor.ts'
import { localPath, type Redirect, stateCookie } from './service.ts'

type Query = Record<string, string | string[] | undefined>

/**
 * `GET /api/auth/social/{provider}` redirects the browser to a provider, which redirects it back to
 * `/api/auth/callback/{provider}`. Apple posts a form instead, which is turned into a GET because browsers do not send
 * our cookies with a cross-site POST.
 */
export function mountSocialRoutes(
  server: FastifyInstance,
  identity: IdentityService,
  perMinute: number,
): void {
  const config = { rateLimit: { max: perMinute, groupId: 'social' } }
  const answer = (reply: FastifyReply, { location, cookies }: Redirect) => {
    for (const cookie of cookies) reply.header('set-cookie', cookie)
    return reply.header('cache-control', 'no-store').redirect(location, 303)
  }
  const providerIn = (request: FastifyRequest) => (request.params as { provider: string }).provider

  server.get('/api/auth/social/:provider', { config, exposeHeadRoute: false }, async (request, reply) => {
    const { from } = request.query as Query
    return answer(reply, await identity.social.begin(providerIn(request), localPath(from)))
  })
  server.get('/api/auth/callback/:provider', { config, exposeHeadRoute: false }, async (request, reply) => {
    const { code, state, user, error } = request.query as Query
    const back = { code: single(code), state: single(state) ?? '', user: single(user), error: single(error) }
    const cookie = cookieOf(request.headers, stateCookie)
    const visitor = identity.visitor(request)
    return answer(reply, await identity.social.finish(providerIn(request), back, cookie, visitor))
  })
  void server.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 32_768 },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    )
    scope.post(
      '/api/auth/callback/:provider',
      { config: { ...config, fromAnyPage: true } },
      async (request, reply) => {
        const form = (request.body ?? {}) as Query
        const query = new URLSearchParams()
        for (const name of ['code', 'state', 'user', 'error']) {
          const value = single(form[name])
          if (value !== undefined) query.set(name, value)
        }
        const path = `/api/auth/callback/${encodeURIComponent(providerIn(request))}`
        return answer(reply, { location: `${path}?${query}`, cookies: [] })
      },
    )
  })
}

function single(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value.length <= 4_096 ? value : undefined
}
