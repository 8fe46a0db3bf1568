import type { AdminCarType } from '@hansom/contract/car-types'
import { rowVersion, id as uuid } from '@hansom/contract/shapes'
import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Images, imageError, type Storage, storedPath } from '../../adapters/storage/port.ts'
import { refuseClash } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { mountImageRoute } from '../../platform/http/image-route.ts'
import type { AuthorizeRoute } from '../../platform/http/implement.ts'
import { adminView, type CarTypesAdmin } from './service.ts'

export interface CarTypeImageDeps {
  admin: Pick<CarTypesAdmin, 'command' | 'lock' | 'store'>
  storage: Pick<Storage, 'get' | 'put' | 'remove'>
  images: Images
  clock: Pick<Clock, 'now'>
  authorize: AuthorizeRoute
}

const largestBytes = 8 * 1024 * 1024
/** Pixels: twice the width of the largest place that shows a car. */
const pictureSide = 480
const upload = 'PUT /api/v1/car-types/:id/image'
const given = z.object({ id: uuid, version: z.coerce.number().pipe(rowVersion) })

/**
 * Car type pictures. Anyone may read them; an admin uploads one as the part `image` of a multipart form, with the
 * version of the car type that was read as `?version=`.
 */
export function mountCarTypeImages(server: FastifyInstance, deps: CarTypeImageDeps): void {
  const { storage, authorize } = deps
  server.get<{ Params: { id: string; at: string } }>(
    '/api/v1/car-types/:id/images/:at',
    async ({ params }, reply) => {
      const isValid = uuid.safeParse(params.id).success && /^\d{1,16}$/.test(params.at)
      const file = isValid ? await storage.get(storedPath.carTypeImage(params.id, Number(params.at))) : null
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
    before: async (request) => void (await authorize(request, upload)),
    handler: async (image, request, reply) => {
      const { id } = await authorize(request, upload)
      const changed = await setImage(deps, id, read(request), image).catch((error: unknown) => {
        throw imageError(error)
      })
      return reply.send(changed)
    },
  })
}

/** Re-encodes and stores a picture. Throws not_found, conflict, ImageRefused, StorageError. */
async function setImage(
  { admin, storage, images, clock }: CarTypeImageDeps,
  uid: string,
  { id, version }: z.infer<typeof given>,
  bytes: Uint8Array,
): Promise<AdminCarType> {
  const at = clock.now()
  const path = storedPath.carTypeImage(id, at)
  const { bytes: drawn, contentType } = await images.prepare(bytes, pictureSide)
  await storage.put(path, drawn, contentType)
  // Every upload gets a new URL, so browsers can cache it indefinitely.
  const changes = { image: `/api/v1/car-types/${id}/images/${at}` }
  return admin
    .command({ uid, key: null }, 'carTypes.update', { id }, async (tx) => {
      const before = await admin.lock(tx, id)
      const view = () => adminView(before)
      await refuseClash(tx, { kind: 'car_type', subject: id, seen: version, current: before, changes, view })
      return { before, after: await admin.store(tx, id, changes) }
    })
    .catch(async (error: unknown) => {
      await storage.remove(path)
      throw error
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
