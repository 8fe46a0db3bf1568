import { toE164 } from '@hansom/domain/users/contact'
import type { FastifyInstance } from 'fastify'
import { mountImageRoute } from '../../platform/http/image-route.ts'
import { type Os, type RequestContext, signedIn } from '../../platform/http/implement.ts'
import type { IdentityService, SignedIn } from './service.ts'
import type { SetupService } from './setup.ts'

const done = { ok: true as const }

/** The only routes that sign users in and out. */
export function accountsRoutes(os: Os, identity: IdentityService) {
  const { accounts } = os
  const { sessions, phone } = identity
  const visitor = (context: RequestContext) => identity.visitor(context)
  const respond = ({ uid, token, cookies }: SignedIn, context: RequestContext) => {
    for (const cookie of cookies) context.setHeader('set-cookie', cookie)
    return { uid, token }
  }
  return {
    ways: accounts.ways.handler(() => identity.signInMethods.enabled()),
    signUp: accounts.signUp.handler(({ input: { phoneCode, ...input }, context }) =>
      identity.signUp({ ...input, mobile: toE164(phoneCode, input.mobile) }, visitor(context), {
        driverFields: true,
      }),
    ),
    signInByEmail: accounts.signInByEmail.handler(async ({ input, context }) =>
      respond(await identity.signIn(input, visitor(context)), context),
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
      const { cookie } = await identity.signOut(context.headers)
      context.setHeader('set-cookie', cookie)
      return done
    }),
    session: accounts.session.handler(({ context }) => {
      if (context.viewer === null) return null
      const { id, role, approved } = context.viewer
      return { uid: id, role, approved }
    }),
    forgotPassword: accounts.forgotPassword.handler(async ({ input, context }) => {
      await identity.forgot(input.email, visitor(context))
      return done
    }),
    resetPassword: accounts.resetPassword.handler(async ({ input }) => {
      await identity.setByLink('reset', input)
      return done
    }),
    acceptInvitation: accounts.acceptInvitation.handler(async ({ input }) => {
      await identity.setByLink('invitation', input)
      return done
    }),
    verifyEmail: accounts.verifyEmail.handler(async ({ input }) => {
      await identity.verifyEmail(input.token)
      return done
    }),
    changePassword: accounts.changePassword
      .use(signedIn)
      .handler(async ({ input, context }) =>
        respond(await identity.change(context.viewer, input, visitor(context)), context),
      ),
    sessions: accounts.sessions.use(signedIn).handler(({ context }) => sessions.list(context.viewer)),
    endSession: accounts.endSession.use(signedIn).handler(async ({ input, context }) => {
      await sessions.endOne(context.viewer.id, input.id)
      return done
    }),
    signOutEverywhere: accounts.signOutEverywhere.use(signedIn).handler(async ({ context }) => {
      await identity.signOutEverywhere(context.viewer.id)
      context.setHeader('set-cookie', sessions.cookie(null))
      return done
    }),
    requestEmailChange: accounts.requestEmailChange.use(signedIn).handler(async ({ input, context }) => {
      await identity.requestEmail(context.viewer.id, input.email, visitor(context))
      return done
    }),
    confirmEmailChange: accounts.confirmEmailChange.use(signedIn).handler(async ({ input, context }) => {
      await identity.confirmEmail(context.viewer.id, input.token)
      return done
    }),
    requestMobileChange: accounts.requestMobileChange
      .use(signedIn)
      .handler(({ input, context }) => identity.requestMobile(context.viewer.id, input, visitor(context))),
    confirmMobileChange: accounts.confirmMobileChange.use(signedIn).handler(async ({ input, context }) => {
      await identity.confirmMobile(context.viewer, input)
      return done
    }),
  }
}

/** The sign-up functions, at their specified paths. A refusal is an `error` in the body, with its key's status. */
export function signUpFunctions(os: Os, identity: IdentityService) {
  const { functions } = os
  return {
    validateReferrer: functions.validateReferrer.handler(async ({ input, context }) => ({
      uid: await identity.validateReferrer(input.referralId, identity.visitor(context)),
    })),
    checkUserExists: functions.checkUserExists.handler(async ({ input, context }) => ({
      users: await identity.checkUserExists(input, identity.visitor(context)),
    })),
    userSignUp: functions.userSignUp.handler(async ({ input: { regData }, context }) => {
      const { createdAt: _createdAt, ...given } = regData
      const request = { ...given, mobile: await identity.readPhone(given.mobile) }
      const { uid } = await identity.signUp(request, identity.visitor(context), { driverFields: false })
      return { uid }
    }),
  }
}

const largestBytes = 8 * 1024 * 1024

/** `POST /api/v1/uploads/licence`: uploads an image for the following sign-up; returns {uploadId}. */
export function mountLicenceUpload(server: FastifyInstance, identity: IdentityService): void {
  mountImageRoute(server, {
    method: 'POST',
    url: '/api/v1/uploads/licence',
    largest: largestBytes,
    perMinute: 30,
    before: (request) => identity.uploads.limit(identity.visitor(request)),
    handler: async (image, _request, reply) => {
      const uploadId = await identity.uploads.store(image)
      return reply.status(201).send({ uploadId })
    },
  })
}

export function setupRoutes(os: Os, setup: SetupService) {
  return {
    state: os.setup.state.handler(async () => ({ open: await setup.isOpen() })),
    create: os.setup.create.handler(async ({ input }) => ({ uid: await setup.createFirstAdmin(input) })),
  }
}
