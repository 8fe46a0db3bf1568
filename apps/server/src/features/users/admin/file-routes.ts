import { id as uuid } from '@hansom/contract/shapes'
import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance } from 'fastify'
import { Readable } from 'node:stream'
import { type Storage, storedPath } from '../../../adapters/storage/port.ts'
import type { AuthorizeRoute } from '../../../platform/http/authorize-route.ts'
import type { PeopleService } from './service.ts'

export interface PeopleFileDeps {
  people: Pick<PeopleService, 'ownData' | 'canViewPhoto'>
  storage: Pick<Storage, 'get'>
  authorize: AuthorizeRoute
}

const downloads = { config: { rateLimit: { max: 12, groupId: 'own-data' } } }

/** The users' routes outside the JSON API: the export of own data, and pictures. */
export function mountPeopleFileRoutes(server: FastifyInstance, deps: PeopleFileDeps): void {
  const { people, storage, authorize: door } = deps

  server.get('/api/v1/me/data', downloads, async (request, reply) => {
    const { id } = await door(request, 'GET /api/v1/me/data')
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .type('application/json; charset=utf-8')
      .send(Readable.from(people.ownData(id)))
  })

  server.get<{ Params: { id: string } }>('/api/v1/users/:id/photo', async (request, reply) => {
    const viewer = await door(request, 'GET /api/v1/users/:id/photo')
    const { id } = request.params
    const person = viewer
    const isAllowed = uuid.safeParse(id).success && (await people.canViewPhoto(person, id))
    const file = isAllowed ? await storage.get(storedPath.profileImage(id)) : null
    if (file === null) throw new Refusal('not_found')
    return reply
      .header('cache-control', 'private, max-age=300')
      .header('content-disposition', 'inline')
      .type(file.contentType)
      .send(Buffer.from(file.bytes))
  })
}
