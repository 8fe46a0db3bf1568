import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export interface ImageRoute {
  method: 'POST' | 'PUT'
  url: string
  /** Largest image in bytes. */
  largest: number
  /** Requests per minute and IP address. */
  perMinute: number
  /** Throws to reject the request before the image is read. */
  before(request: FastifyRequest): Promise<void>
  handler(image: Uint8Array, request: FastifyRequest, reply: FastifyReply): Promise<unknown>
}

/** Size of the multipart form around the image. */
const aroundBytes = 16_384

/**
 * Mounts a route that takes a multipart form with one part named `image`. Throws unsupported_media for another body,
 * too_large, and invalid_input without that part. No other route accepts such forms, since foreign pages can send them.
 */
export function mountImageRoute(server: FastifyInstance, route: ImageRoute): void {
  const bodyLimit = route.largest + aroundBytes
  void server.register(async (scope) => {
    scope.addContentTypeParser(
      'multipart/form-data',
      { parseAs: 'buffer', bodyLimit },
      (_request, body, done) => done(null, body),
    )
    scope.route({
      method: route.method,
      url: route.url,
      bodyLimit,
      exposeHeadRoute: false,
      config: { rateLimit: { max: route.perMinute, groupId: route.url } },
      onRequest: route.before,
      handler: async (request, reply) => {
        const image = await imageIn(request)
        if (image.length > route.largest) throw new Refusal('too_large')
        reply.header('cache-control', 'no-store')
        return route.handler(image, request, reply)
      },
    })
  })
}

async function imageIn(request: FastifyRequest): Promise<Uint8Array> {
  const type = request.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(type) || !Buffer.isBuffer(request.body)) {
    throw new Refusal('unsupported_media')
  }
  const body = new Uint8Array(request.body)
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null)
  const image = form?.get('image')
  if (!(image instanceof Blob)) {
    throw new Refusal('invalid_input', { fields: [{ field: 'image', error: 'required' }] })
  }
  return new Uint8Array(await image.arrayBuffer())
}
