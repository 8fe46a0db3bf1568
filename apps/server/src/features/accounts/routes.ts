import { toE164 } from '@hansom/domain/users/contact'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mountImageRoute } from '../../platform/http/image-route.ts'
import { type Os, type RequestContext, signedIn } from '../../platform/http/implement.ts'
import type { AccountsService, SignedIn } from './service.ts'
import type { SetupService } from './setup.ts'
import { localPath, type Redirect, stateCookie } from './social/service.ts'
import { cookieOf } from './visitor.ts'

const done = { ok: true as const }

/** The only routes that sign users in and out. */
export function accountsRoutes(os: Os, service: AccountsService) {
  const { accounts } = os
  const { sessions, phone } = service
  const visitor = (context: RequestContext) => service.visitor(context)
  const respond = ({ uid, token, cookies }: SignedIn, context: RequestContext) => {
    for (const cookie of cookies) context.setHeader('set-cookie', cookie)
    return { uid, token }
  }
  return {
    ways: accounts.ways.handler(() => service.signInMethods.enabled()),
    signUp: accounts.signUp.handler(({ input: { phoneCode, ...input }, context }) =>
      service.signUp({ ...input, mobile: toE164(phoneCode, input.mobile) }, visitor(context), {
        driverFields: true,
      }),
    ),
    signInByEmail: accounts.signInByEmail.handler(async ({ input, context }) =>
      respond(await service.signIn(input, visitor(context)), context),
    ),
    requestPhoneCode: accounts.requestPhoneCode.handler(({ input, context }) =>
      phone.request(input, visitor(context)),
    ),
    signInByPhone: accounts.signInByPhone.handler(async ({ input, context }) =>
      respond(await phone.signIn(input, visitor(context)), context),
    ),
    provePhone: accounts.provePhone.handler(async ({ input, context }) =>
      respond(await phone.prove(input, visitor(context)), context),
    ),
    mailPhoneProof: accounts.mailPhoneProof.handler(async ({ input, context }) => {
      await phone.mailLink(input.proof, visitor(context))
      return done
    }),
    signOut: accounts.signOut.handler(async ({ context }) => {
      const { cookie } = await service.signOut(context.headers)
      context.setHeader('set-cookie', cookie)
      return done
    }),
    session: accounts.session.handler(({ context }) => {
      if (context.actor === null) return null
      const { id, role, approved } = context.actor
      return { uid: id, role, approved }
    }),
    forgotPassword: accounts.forgotPassword.handler(async ({ input, context }) => {
      await service.forgot(input.email, visitor(context))
      return done
    }),
    resetPassword: accounts.resetPassword.handler(async ({ input }) => {
      await service.setByLink('reset', input)
      return done
    }),
    acceptInvitation: accounts.acceptInvitation.handler(async ({ input }) => {
      await service.setByLink('invitation', input)
      return done
    }),
    verifyEmail: accounts.verifyEmail.handler(async ({ input }) => {
      await service.verifyEmail(input.token)
      return done
    }),
    changePassword: accounts.changePassword
      .use(signedIn)
      .handler(async ({ input, context }) =>
        respond(await service.change(context.actor, input, visitor(context)), context),
      ),
    sessions: accounts.sessions.use(signedIn).handler(({ context }) => sessions.list(context.actor)),
    endSession: accounts.endSession.use(signedIn).handler(async ({ input, context }) => {
      await sessions.endOne(context.actor.id, input.id)
      return done
    }),
    signOutEverywhere: accounts.signOutEverywhere.use(signedIn).handler(async ({ context }) => {
      await service.signOutEverywhere(context.actor.id)
      context.setHeader('set-cookie', sessions.cookie(null))
      return done
    }),
    requestEmailChange: accounts.requestEmailChange.use(signedIn).handler(async ({ input, context }) => {
      await service.requestEmail(context.actor.id, input.email, visitor(context))
      return done
    }),
    confirmEmailChange: accounts.confirmEmailChange.use(signedIn).handler(async ({ input, context }) => {
      await service.confirmEmail(context.actor.id, input.token)
      return done
    }),
    requestMobileChange: accounts.requestMobileChange
      .use(signedIn)
      .handler(({ input, context }) => service.requestMobile(context.actor.id, input, visitor(context))),
    confirmMobileChange: accounts.confirmMobileChange.use(signedIn).handler(async ({ input, context }) => {
      await service.confirmMobile(context.actor, input)
      return done
    }),
  }
}

/** The sign-up functions, at their specified paths. A refusal is an `error` in the body, with its key's status. */
export function signUpFunctions(os: Os, service: AccountsService) {
  const { functions } = os
  return {
    validateReferrer: functions.validateReferrer.handler(async ({ input, context }) => ({
      uid: await service.validateReferrer(input.referralId, service.visitor(context)),
    })),
    checkUserExists: functions.checkUserExists.handler(async ({ input, context }) => ({
      users: await service.checkUserExists(input, service.visitor(context)),
    })),
    userSignUp: functions.userSignUp.handler(async ({ input: { regData }, context }) => {
      const { createdAt: _createdAt, ...given } = regData
      const request = { ...given, mobile: await service.readPhone(given.mobile) }
      const { uid } = await service.signUp(request, service.visitor(context), { driverFields: false })
      return { uid }
    }),
  }
}

const largestBytes = 8 * 1024 * 1024

/** `POST /api/v1/uploads/licence`: uploads an image for the following sign-up; returns {uploadId}. */
export function mountLicenceUpload(server: FastifyInstance, service: AccountsService): void {
  mountImageRoute(server, {
    method: 'POST',
    url: '/api/v1/uploads/licence',
    largest: largestBytes,
    perMinute: 30,
    before: (request) => service.uploads.limit(service.visitor(request)),
    handler: async (image, _request, reply) => {
      const uploadId = await service.uploads.store(image)
      return reply.status(201).send({ uploadId })
    },
  })
}

export function setupRoutes(os: Os, setup: SetupService) {
  return {
    state: os.setup.state.handler(({ input }) => setup.state(input.token)),
    create: os.setup.create.handler(async ({ input }) => ({ uid: await setup.createFirstAdmin(input) })),
  }
}

type Query = Record<string, string | string[] | undefined>

/**
 * `GET /api/auth/social/{provider}` redirects the browser to a provider, which redirects it back to
 * `/api/auth/callback/{provider}`. Apple posts a form instead, which is turned into a GET because browsers do not send
 * our cookies with a cross-site POST.
 */
export function mountSocialRoutes(
  server: FastifyInstance,
  service: AccountsService,
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
    return answer(reply, await service.social.begin(providerIn(request), localPath(from)))
  })
  server.get('/api/auth/callback/:provider', { config, exposeHeadRoute: false }, async (request, reply) => {
    const { code, state, user, error } = request.query as Query
    const back = { code: single(code), state: single(state) ?? '', user: single(user), error: single(error) }
    const cookie = cookieOf(request.headers, stateCookie)
    const visitor = service.visitor(request)
    return answer(reply, await service.social.finish(providerIn(request), back, cookie, visitor))
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
