import { id as uuid } from '@hansom/contract/shapes'
import { refusalAtTheDoor, type RouteRule } from '@hansom/domain/access/route-rule'
import { plainRoutes } from '@hansom/domain/access/routes'
import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { type Storage, storedPath } from '../../adapters/storage/port.ts'
import type { Viewer } from '../../platform/http/request-context.ts'
import type { PeopleService } from './service.ts'

export interface PeoplePlainDeps {
  people: Pick<PeopleService, 'ownData' | 'maySeePhoto'>
  storage: Pick<Storage, 'get'>
  session(headers: FastifyRequest['headers']): Promise<{ viewer: Viewer } | null>
}

const downloads = { config: { rateLimit: { max: 12, groupId: 'own-data' } } }

/** What of people is no JSON interface: the own data as a file, and pictures. */
export function mountPeoplePlainRoutes(server: FastifyInstance, deps: PeoplePlainDeps): void {
  const { people, storage } = deps
  const viewerOf = async (request: FastifyRequest, rule: RouteRule): Promise<Viewer> => {
    const viewer = (await deps.session(request.headers))?.viewer ?? null
    const caller = viewer && { id: viewer.uid, usertype: viewer.role, approved: viewer.approved }
    const refusal = refusalAtTheDoor(rule, caller)
    if (viewer === null || refusal !== null) throw new Refusal(refusal ?? 'not_logged_in')
    return viewer
  }

  server.get('/api/v1/me/data', downloads, async (request, reply) => {
    const { uid } = await viewerOf(request, plainRoutes['GET /api/v1/me/data'])
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .type('application/json; charset=utf-8')
      .send(Readable.from(people.ownData(uid)))
  })

  server.get<{ Params: { id: string } }>('/api/v1/users/:id/photo', async (request, reply) => {
    const viewer = await viewerOf(request, plainRoutes['GET /api/v1/users/:id/photo'])
    const { id } = request.params
    const person = { id: viewer.uid, usertype: viewer.role }
    const isAllowed = uuid.safeParse(id).success && (await people.maySeePhoto(person, id))
    const file = isAllowed ? await storage.get(storedPath.profileImage(id)) : null
    if (file === null) throw new Refusal('not_found')
    return reply
      .header('cache-control', 'private, max-age=300')
      .header('content-disposition', 'inline')
      .type(file.contentType)
      .send(Buffer.from(file.bytes))
  })
}
