import type { FastifyInstance } from 'fastify'
import { imageError } from '../../adapters/storage/port.ts'
import { mountImageRoute } from '../../platform/http/image-route.ts'
import type { AuthorizeRoute } from '../../platform/http/authorize-route.ts'
import type { ProfileService } from './profile.ts'

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
