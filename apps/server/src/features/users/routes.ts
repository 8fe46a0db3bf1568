import type { FastifyInstance } from 'fastify'
import { imageError } from '../../adapters/storage/port.ts'
import { mountImageRoute } from '../../platform/http/image-route.ts'
import { type AuthorizeRoute, type Os, signedIn } from '../../platform/http/implement.ts'
import type { ProfileService } from './profile.ts'
import type { UsersService } from './service.ts'

export function usersRoutes(os: Os, users: UsersService, profile: ProfileService) {
  return {
    me: os.users.me.handler(({ context }) => (context.actor === null ? null : users.me(context.actor.id))),
    updateMe: os.users.updateMe
      .use(signedIn)
      .handler(({ context, input: { version, ...changes } }) =>
        profile.update(context.actor.id, changes, version),
      ),
    setLanguage: os.users.setLanguage
      .use(signedIn)
      .handler(({ context, input }) => profile.setLanguage(context.actor.id, input.locale)),
    removePhoto: os.users.removePhoto
      .use(signedIn)
      .handler(({ context }) => profile.removePhoto(context.actor.id)),
    addAddress: os.users.addAddress
      .use(signedIn)
      .handler(({ context, input }) => profile.addAddress(context.actor.id, input)),
    renameAddress: os.users.renameAddress
      .use(signedIn)
      .handler(({ context, input }) => profile.renameAddress(context.actor.id, input.id, input.label)),
    removeAddress: os.users.removeAddress.use(signedIn).handler(async ({ context, input }) => {
      await profile.removeAddress(context.actor.id, input.id)
      return { ok: true as const }
    }),
    savedAddresses: os.users.savedAddresses
      .use(signedIn)
      .handler(({ context }) => users.savedAddresses(context.actor.id)),
    savedViews: os.users.savedViews
      .use(signedIn)
      .handler(({ context, input }) => users.savedViews(context.actor.id, input.table)),
    saveView: os.users.saveView
      .use(signedIn)
      .handler(({ context, input }) => users.saveView(context.actor.id, input)),
    notifications: os.users.notifications
      .use(signedIn)
      .handler(({ context, input }) => users.notifications(context.actor.id, input)),
    readNotifications: os.users.readNotifications.use(signedIn).handler(async ({ context, input }) => ({
      read: await users.markNotificationsRead(context.actor, input.ids),
    })),
  }
}

export interface PhotoUploadDeps {
  profile: ProfileService
  authorize: AuthorizeRoute
}

const largestBytes = 8 * 1024 * 1024

/** `PUT /api/v1/me/photo`: a multipart form with one part `image`; returns the user. */
export function mountPhotoUpload(
  server: FastifyInstance,
  { profile, authorize: door }: PhotoUploadDeps,
): void {
  mountImageRoute(server, {
    method: 'PUT',
    url: '/api/v1/me/photo',
    largest: largestBytes,
    perMinute: 30,
    before: async (request) => void (await door(request, 'PUT /api/v1/me/photo')),
    handler: async (image, request, reply) => {
      const { id } = await door(request, 'PUT /api/v1/me/photo')
      const me = await profile.setPhoto(id, image).catch((error: unknown) => {
        throw imageError(error)
      })
      return reply.send(me)
    },
  })
}
