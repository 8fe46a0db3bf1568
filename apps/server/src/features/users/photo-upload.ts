import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ImageRefused, StorageError } from '../../adapters/storage/port.ts'
import { mountImageRoute } from '../../platform/http/image-route.ts'
import type { Viewer } from '../../platform/http/request-context.ts'
import type { ProfileService } from './profile.ts'

export interface PhotoUploadDeps {
  profile: ProfileService
  session(headers: FastifyRequest['headers']): Promise<{ viewer: Viewer } | null>
}

const largestBytes = 8 * 1024 * 1024

/** `PUT /api/v1/me/photo`: a multipart form with one part `image`; answers with the person. */
export function mountPhotoUpload(server: FastifyInstance, { profile, session }: PhotoUploadDeps): void {
  const viewerOf = async (request: FastifyRequest) => {
    const found = await session(request.headers)
    if (found === null) throw new Refusal('not_logged_in')
    return found.viewer
  }
  mountImageRoute(server, {
    method: 'PUT',
    url: '/api/v1/me/photo',
    largest: largestBytes,
    perMinute: 30,
    before: async (request) => void (await viewerOf(request)),
    handler: async (image, request, reply) => {
      const { uid } = await viewerOf(request)
      const me = await profile.setPhoto(uid, image).catch((error: unknown) => {
        throw refusalOf(error) ?? error
      })
      return reply.send(me)
    },
  })
}

const keys: Record<ImageRefused['reason'], ErrorKey> = {
  too_large: 'too_large',
  too_many_pixels: 'too_large',
  format: 'unsupported_media',
  animated: 'unsupported_media',
  damaged: 'unsupported_media',
  busy: 'unavailable',
}

function refusalOf(error: unknown): Refusal | null {
  if (error instanceof ImageRefused)
    return new Refusal(keys[error.reason], { data: { reason: error.reason } })
  return error instanceof StorageError ? new Refusal('unavailable') : null
}
