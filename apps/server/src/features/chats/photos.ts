import { randomUUID } from 'node:crypto'
import { type ChatMessage, chatSmsId } from '@hansom/contract/chats'
import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import {
  type Images,
  imageError,
  largestImageBytes,
  type Storage,
  type StoredFile,
  storedPath,
} from '../../adapters/storage/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { mountImageRoute } from '../../platform/http/image-route.ts'
import type { AuthorizeRoute } from '../../platform/http/implement.ts'
import { readPeople } from '../bookings/service.ts'
import type { CurrentSettings } from '../settings/service.ts'
import { auditPhoto } from './admin.ts'
import { getChat } from './find-chat.ts'
import type { ChatsService } from './service.ts'

export interface ChatPhotosService {
  /** Re-encodes a photo, without its metadata, and sends it as a message. Throws like `ChatsService.send`, and the refusals of images. */
  send(actor: Actor, booking: string, smsId: string, bytes: Uint8Array): Promise<ChatMessage>
  /**
   * The photo of a message. Throws chat_not_found for those who may not see it, as for a missing one. Audited for admins, and
   * refused like `ChatsAdminService.read` on a demo: demo_mode.
   */
  read(actor: Actor, booking: string, message: string): Promise<StoredFile>
}

export interface ChatPhotosDeps {
  database: Pick<Database, 'pool' | 'withTransaction'>
  clock: Pick<Clock, 'now'>
  settings: { current(): Promise<CurrentSettings> }
  storage: Pick<Storage, 'get' | 'put' | 'remove'>
  images: Images
  chats: Pick<ChatsService, 'send'>
}

/** The longest side, pixels: a house number in a photo stays readable. */
const longestSide = 1_600

export function createChatPhotosService({
  database,
  clock,
  settings,
  storage,
  images,
  chats,
}: ChatPhotosDeps): ChatPhotosService {
  const photoOf = async (message: string) => {
    const { rows } = await database.pool.query<{ booking: string; driver: string; photo: string | null }>(
      'select booking_id as booking, driver_id as driver, photo from chat_messages where id = $1',
      [message],
    )
    return rows[0] ?? null
  }

  const send = async (actor: Actor, booking: string, smsId: string, bytes: Uint8Array) => {
    const { bytes: drawn, contentType } = await images.prepare(bytes, longestSide)
    const upload = randomUUID()
    const path = storedPath.chatPhoto(booking, upload)
    // Outside the transaction: a slow storage must not hold the conversation's lock and a database connection.
    await storage.put(path, drawn, contentType)
    let isUsed = false
    try {
      const message = await chats.send(actor, booking, { smsId, photo: upload })
      isUsed = (await photoOf(message.id))?.photo === upload
      return message
    } finally {
      // Refused, or sent before. The retention of chats removes a file that stays behind.
      if (!isUsed) await storage.remove(path).catch(() => undefined)
    }
  }

  return {
    send: (actor, booking, smsId, bytes) =>
      send(actor, booking, smsId, bytes).catch((error: unknown) => {
        throw imageError(error)
      }),
    read: async (actor, booking, message) => {
      const isAdmin = actor.role === 'admin'
      const seen = isAdmin ? null : await getChat(database.pool, actor, booking)
      const found = await photoOf(message)
      const isShown = found?.booking === booking && (seen === null || found.driver === seen.driver)
      const file =
        isShown && found.photo !== null ? await storage.get(storedPath.chatPhoto(booking, found.photo)) : null
      if (file === null) throw new Refusal('chat_not_found')
      if (isAdmin && !(await settings.current()).AllowCriticalEditsAdmin) throw new Refusal('demo_mode')
      if (isAdmin) {
        await database.withTransaction(async (tx) => {
          const people = (await readPeople(tx.client, [booking])).get(booking)
          if (people !== undefined) await auditPhoto(tx, actor, people, clock.now())
        })
      }
      return file
    },
  }
}

const url = '/api/v1/bookings/:id/chat/photos'
const given = z.object({ id: z.uuid(), photo: z.uuid().optional() })

/** Photos of conversations: sent as the part `image` of a multipart form, and read by those who see the message. */
export function mountChatPhotos(
  server: FastifyInstance,
  {
    photos,
    chats,
    authorize,
  }: { photos: ChatPhotosService; chats: Pick<ChatsService, 'checkPhoto'>; authorize: AuthorizeRoute },
): void {
  const idsOf = ({ params }: FastifyRequest) => {
    const { success, data } = given.safeParse(params)
    if (!success) throw new Refusal('chat_not_found')
    return data
  }
  const smsIdOf = ({ query }: FastifyRequest) => {
    const smsId = chatSmsId.safeParse((query as Record<string, unknown>)['smsId'])
    if (smsId.success) return smsId.data
    throw new Refusal('invalid_input', { fields: [{ field: 'smsId', error: 'required' }] })
  }
  mountImageRoute(server, {
    method: 'POST',
    url,
    largest: largestImageBytes,
    perMinute: 30,
    before: async (request) => {
      const actor = await authorize(request, `POST ${url}`)
      // Access comes first: a missing id is refused afterwards.
      return chats.checkPhoto(actor, idsOf(request).id, () => smsIdOf(request))
    },
    handler: async (image, request, reply) => {
      const actor = await authorize(request, `POST ${url}`)
      return reply.send(await photos.send(actor, idsOf(request).id, smsIdOf(request), image))
    },
  })
  server.get(`${url}/:photo`, { exposeHeadRoute: false }, async (request, reply) => {
    const actor = await authorize(request, `GET ${url}/:photo`)
    const { id, photo = '' } = idsOf(request)
    const { bytes, contentType } = await photos.read(actor, id, photo)
    return reply
      .header('cache-control', actor.role === 'admin' ? 'no-store' : 'private, max-age=300')
      .header(
        'content-disposition',
        `inline; filename="photo-${photo.slice(-8)}.${contentType.slice('image/'.length)}"`,
      )
      .type(contentType)
      .send(Buffer.from(bytes))
  })
}
