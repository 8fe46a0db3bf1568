import { Readable } from 'node:stream'
import { rowVersion, id as uuid } from '@hansom/contract/shapes'
import type { UserView } from '@hansom/contract/users'
import { usersTableSpec } from '@hansom/contract/users-table'
import { Refusal } from '@hansom/domain/error-keys'
import { maySeeField, type UserFieldsIn, userFieldsIn } from '@hansom/domain/users/field-views'
import type { UserFieldRule } from '@hansom/domain/users/fields'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { imageError, type Storage, storedPath } from '../../../adapters/storage/port.ts'
import { mountImageRoute } from '../../../platform/http/image-route.ts'
import { type AuthorizeRoute, type Os, signedIn } from '../../../platform/http/implement.ts'
import { type CellKind, type TableExport, tableExport } from '../../../platform/tables/table-export.ts'
import type { UserAdminService } from './service.ts'

const done = { ok: true } as const

/** The admin routes on users, and the deletion of one's own account. */
export function userAdminRoutes(os: Os, admin: UserAdminService) {
  const { users } = os
  return {
    callers: users.callers
      .use(signedIn)
      .handler(({ context, input }) => admin.callers(context.actor, input.mobile)),
    list: users.list.use(signedIn).handler(({ context, input }) => admin.list(context.actor, input)),
    count: users.count.use(signedIn).handler(({ context, input }) => admin.count(context.actor, input)),
    get: users.get.use(signedIn).handler(({ context, input }) => admin.get(context.actor, input.id)),
    create: users.create.use(signedIn).handler(({ context, input }) => admin.add(context.actor, input)),
    update: users.update
      .use(signedIn)
      .handler(({ context, input: { id, version, ...changes } }) =>
        admin.change(context.actor, id, changes, version),
      ),
    obligations: users.obligations
      .use(signedIn)
      .handler(({ context, input }) => admin.obligations(context.actor, input.id)),
    ownObligations: users.ownObligations
      .use(signedIn)
      .handler(({ context }) => admin.obligations(context.actor, context.actor.id)),
    remove: users.remove.use(signedIn).handler(async ({ context, input }) => {
      await admin.remove(context.actor, input.id, input.giveUp ?? 0)
      return done
    }),
    approve: users.approve
      .use(signedIn)
      .handler(({ context, input }) => admin.approve(context.actor, input.id, input.version)),
    disapprove: users.disapprove
      .use(signedIn)
      .handler(({ context, input: { id, reason, version } }) =>
        admin.disapprove(context.actor, id, reason || null, version),
      ),
    change_type: users.change_type
      .use(signedIn)
      .handler(({ context, input: { id, usertype, version } }) =>
        admin.changeType(context.actor, id, usertype, version),
      ),
    assign_fleet: users.assign_fleet
      .use(signedIn)
      .handler(({ context, input: { id, fleetadmin, version } }) =>
        admin.assignFleet(context.actor, id, fleetadmin, version),
      ),
    correct_contact: users.correct_contact
      .use(signedIn)
      .handler(({ context, input: { id, version, ...corrected } }) =>
        admin.correctContact(context.actor, id, corrected, version),
      ),
    phoneCollisions: users.phoneCollisions
      .use(signedIn)
      .handler(({ context }) => admin.phoneCollisions(context.actor)),
    invite: users.invite.use(signedIn).handler(async ({ context, input }) => {
      await admin.invite(context.actor, input.id)
      return done
    }),
    deleteMe: users.deleteMe.use(signedIn).handler(async ({ context, input }) => {
      await admin.removeOwn(context.actor, input.password, input.giveUp ?? 0)
      return done
    }),
  }
}

export interface UserFileDeps {
  admin: Pick<UserAdminService, 'ownData' | 'canViewPhoto' | 'setLicence'>
  storage: Pick<Storage, 'get'>
  authorize: AuthorizeRoute
}

const downloads = { config: { rateLimit: { max: 12, groupId: 'own-data' } } }

const licenceUpload = 'PUT /api/v1/users/:id/licence'
const largestLicence = 8 * 1024 * 1024
const licenceOf = z.object({ id: uuid, version: z.coerce.number().pipe(rowVersion) })

/** The users' routes outside the JSON API: the export of own data, and pictures. */
export function mountUserFileRoutes(server: FastifyInstance, deps: UserFileDeps): void {
  const { admin, storage, authorize } = deps

  server.get('/api/v1/me/data', downloads, async (request, reply) => {
    const { id } = await authorize(request, 'GET /api/v1/me/data')
    return reply
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment; filename="my-data.json"')
      .type('application/json; charset=utf-8')
      .send(Readable.from(admin.ownData(id)))
  })

  mountImageRoute(server, {
    method: 'PUT',
    url: '/api/v1/users/:id/licence',
    largest: largestLicence,
    perMinute: 30,
    before: async (request) => void (await authorize(request, licenceUpload)),
    handler: async (image, request, reply) => {
      const actor = await authorize(request, licenceUpload)
      const asked = licenceOf.safeParse({ ...(request.params as object), ...(request.query as object) })
      if (!asked.success) throw new Refusal('not_found')
      const { id, version } = asked.data
      const user = await admin.setLicence(actor, id, image, version).catch((error: unknown) => {
        throw imageError(error)
      })
      return reply.send(user)
    },
  })

  server.get<{ Params: { id: string } }>('/api/v1/users/:id/photo', async (request, reply) => {
    const actor = await authorize(request, 'GET /api/v1/users/:id/photo')
    const { id } = request.params
    const isAllowed = uuid.safeParse(id).success && (await admin.canViewPhoto(actor, id))
    const file = isAllowed ? await storage.get(storedPath.profileImage(id)) : null
    if (file === null) throw new Refusal('not_found')
    return reply
      .header('cache-control', 'private, max-age=300')
      .header('content-disposition', 'inline')
      .type(file.contentType)
      .send(Buffer.from(file.bytes))
  })
}

/** CSV export of the user tables; contacts that a demo hides stay hidden. */
export const usersExport = (admin: Pick<UserAdminService, 'all'>): TableExport =>
  tableExport<UserView>({
    name: 'users',
    spec: usersTableSpec,
    roles: ['fleetadmin', 'admin'],
    when: 'critical',
    rows: (actor, query) => admin.all(actor, query),
    columns: userFieldsIn('user').flatMap(({ field, rule, name }) =>
      rule.export === undefined
        ? []
        : {
            title: `exports.${rule.export}`,
            kind: cellKind(rule),
            roles: (['fleetadmin', 'admin'] as const).filter((role) => maySeeField(field, role)),
            value: (row: UserView) => row[name as keyof UserFieldsIn<'user'>],
          },
    ),
  })

function cellKind({ kind }: UserFieldRule): CellKind {
  if (kind === 'role') return { words: 'auth.role_' }
  if (kind === 'integer') return 'number'
  return kind === 'id' || kind === 'code' ? 'text' : kind
}
