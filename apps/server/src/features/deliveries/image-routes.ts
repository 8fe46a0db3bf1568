import { maxDrops } from '@hansom/domain/deliveries/delivery'
import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { largestImageBytes } from '../../adapters/storage/port.ts'
import { mountImageRoute } from '../../platform/http/image-route.ts'
import type { AuthorizeRoute } from '../../platform/http/implement.ts'
import type { ProofName, ProofsService } from './proofs.ts'

const routes = [
  { url: '/api/v1/bookings/:id/pickup_image', stop: 0, kind: 'photo' },
  { url: '/api/v1/bookings/:id/deliver_image', stop: 'last', kind: 'photo' },
  { url: '/api/v1/bookings/:id/stops/:n/deliver_image', stop: undefined, kind: 'photo' },
  { url: '/api/v1/bookings/:id/stops/:n/signature', stop: undefined, kind: 'signature' },
] as const

const given = z.object({
  id: z.uuid(),
  n: z.coerce
    .number()
    .int()
    .min(0)
    .max(maxDrops + 1)
    .optional(),
})

/**
 * Photos and signatures of a delivery's stops: the courier uploads one as the part `image` of a multipart form and gets
 * the booking; the parties read it.
 */
export function mountProofImages(
  server: FastifyInstance,
  { proofs, authorize }: { proofs: ProofsService; authorize: AuthorizeRoute },
): void {
  for (const { url, stop, kind } of routes) {
    const nameOf = ({ params }: FastifyRequest): ProofName => {
      const { success, data } = given.safeParse(params)
      const number = stop ?? data?.n
      if (!success || number === undefined) throw new Refusal('not_found')
      return { booking: data.id, stop: number, kind }
    }
    mountImageRoute(server, {
      method: 'PUT',
      url,
      largest: largestImageBytes,
      perMinute: 120,
      before: async (request) => proofs.check(await authorize(request, `PUT ${url}`), nameOf(request)),
      handler: async (image, request, reply) => {
        const actor = await authorize(request, `PUT ${url}`)
        return reply.send(await proofs.store(actor, nameOf(request), image))
      },
    })
    server.get(url, { exposeHeadRoute: false }, async (request, reply) => {
      const actor = await authorize(request, `GET ${url}`)
      const { bytes, contentType } = await proofs.read(actor, nameOf(request))
      // Every upload gets a new URL in the booking.
      return reply
        .header('cache-control', 'private, max-age=300')
        .header('content-disposition', 'inline')
        .type(contentType)
        .send(Buffer.from(bytes))
    })
  }
}
