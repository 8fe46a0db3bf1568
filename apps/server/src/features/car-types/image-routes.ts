import { id as uuid, rowVersion } from '@hansom/contract/shapes'
import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { imageError, type Storage, storedPath } from '../../adapters/storage/port.ts'
import { mountImageRoute } from '../../platform/http/image-route.ts'
import type { AuthorizeRoute } from '../../platform/http/authorize-route.ts'
import type { CarTypesAdmin } from './admin-service.ts'

export interface CarTypeImageDeps {
  admin: Pick<CarTypesAdmin, 'setImage'>
  storage: Pick<Storage, 'get'>
  authorize: AuthorizeRoute
}

const largestBytes = 8 * 1024 * 1024
const upload = 'PUT /api/v1/car-types/:id/image'
const given = z.object({ id: uuid, version: z.coerce.number().pipe(rowVersion) })

/**
 * Car type pictures. Anyone may read them; an admin uploads one as the part `image` of a multipart form, with the
 * version of the car type that was read as `?version=`.
 */
export function mountCarTypeImages(
  server: FastifyInstance,
  { admin: office, storage, authorize: door }: CarTypeImageDeps,
): void {
  server.get<{ Params: { id: string; at: string } }>(
    '/api/v1/car-types/:id/images/:at',
    async ({ params }, reply) => {
      const isAddress = uuid.safeParse(params.id).success && /^\d{1,16}$/.test(params.at)
      const file = isAddress ? await storage.get(storedPath.carTypeImage(params.id, Number(params.at))) : null
      if (file === null) throw new Refusal('not_found')
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-disposition', 'inline')
        .type(file.contentType)
        .send(Buffer.from(file.bytes))
    },
  )

  mountImageRoute(server, {
    method: 'PUT',
    url: '/api/v1/car-types/:id/image',
    largest: largestBytes,
    perMinute: 30,
    before: async (request) => void (await door(request, upload)),
    handler: async (image, request, reply) => {
      const { uid } = await door(request, upload)
      const { id, version } = read(request)
      const changed = await office.setImage(uid, id, image, version).catch((error: unknown) => {
        throw imageError(error)
      })
      return reply.send(changed)
    },
  })
}

function read({ params, query }: FastifyRequest): z.infer<typeof given> {
  const parsed = given.safeParse({ ...(params as object), ...(query as object) })
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map(({ path }) => ({
    field: path.join('.'),
    error: 'wrong_type' as const,
  }))
  throw new Refusal('invalid_input', { fields })
}
