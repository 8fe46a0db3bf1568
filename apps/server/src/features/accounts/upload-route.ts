import type { FastifyInstance } from 'fastify'
import { mountImageRoute } from '../../platform/http/image-route.ts'
import type { IdentityService } from './service.ts'

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
