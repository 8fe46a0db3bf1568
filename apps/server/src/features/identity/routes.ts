import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { fieldErrors } from '../../platform/http/field-errors.ts'
import type { IdentityService } from './service.ts'

const credentials = z.object({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(128),
})

/**
 * The only ways in and out; the library's other routes do not exist here.
 *
 * `POST /api/auth/sign-in/email` {email, password} -> {token, uid} and the session cookie;
 * `POST /api/auth/sign-out` -> {ok} and no cookie; `GET /api/auth/session` -> {uid, role, approved} or null.
 */
export function mountIdentityRoutes(
  server: FastifyInstance,
  identity: IdentityService,
  options: { signInsPerMinute: number; sessionEnded(uid: string): void },
): void {
  const limited = { config: { rateLimit: { max: options.signInsPerMinute, groupId: 'sign-in' } } }
  server.post('/api/auth/sign-in/email', limited, async (request, reply) => {
    const input = credentials.safeParse(request.body)
    if (!input.success) {
      throw new Refusal('login_validate_error', { fields: fieldErrors(input.error.issues) })
    }
    const { uid, token, cookie } = await identity.signIn(input.data, {
      address: request.ip,
      userAgent: String(request.headers['user-agent'] ?? '').slice(0, 300),
    })
    return reply.header('set-cookie', cookie).header('cache-control', 'no-store').send({ token, uid })
  })
  server.post('/api/auth/sign-out', async (request, reply) => {
    const { cookie, uid } = await identity.signOut(request.headers)
    if (uid !== null) options.sessionEnded(uid)
    return reply.header('set-cookie', cookie).header('cache-control', 'no-store').send({ ok: true })
  })
  server.get('/api/auth/session', async (request, reply) => {
    const session = await identity.session(request.headers)
    if (session?.cookie !== undefined) reply.header('set-cookie', session.cookie)
    const { uid, role, approved } = session?.viewer ?? {}
    reply.header('cache-control', 'no-store').type('application/json')
    return reply.send(JSON.stringify(session === null ? null : { uid, role, approved }))
  })
}
