import type { AddressInfo } from 'node:net'
import type { ChatMessage } from '@hansom/contract/chats'
import type { Actor } from '@hansom/domain/access/relation'
import type { QuickReply } from '@hansom/domain/chats/quick-replies'
import { WebSocket } from 'ws'
import { createCarType, createScene, roleOf, type Scene, type SceneUser } from '../../access-scene.fixture.ts'
import { TestClient } from '../../platform/live/test-live.ts'
import { createTestApp, secret, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

export type Talk = Awaited<ReturnType<ChatScene['talk']>>
export type ChatScene = Awaited<ReturnType<typeof createChatScene>>

/** A running application in which people write to each other over its public interface. */
export async function createChatScene(changes: Parameters<typeof createTestApp>[0] = {}) {
  const app: TestApp = await createTestApp({ maps: straightMaps(), authSecret: secret, ...changes })
  await app.start()
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const carType = await createCarType(app.database)
  const { port } = app.server.server.address() as AddressInfo
  const { pool } = app.database

  return {
    app,
    pool,
    close: () => app.close(),
    /** Resolves when everything committed so far has been published. */
    async published() {
      await app.server.inject({ url: '/healthz' })
      for (;;) {
        const { rows } = await pool.query<{ left: number }>('select count(*)::int as left from outbox')
        if (rows[0]?.left === 0) return
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    /** The people of one booking, accepted by its driver. */
    async talk() {
      const scene: Scene = await createScene(app.database, secret, { carType, isAssigned: true })
      const { booking, ids, bearers } = scene
      const actor = (who: SceneUser): Actor => ({ id: ids[who], role: roleOf[who], approved: true })
      const call = async (who: SceneUser, method: 'GET' | 'POST', part: string, payload?: object) => {
        const answer = await app.server.inject({
          method,
          url: `/api/v1/bookings/${booking}/chat${part}`,
          headers: { authorization: bearers[who] },
          ...(method === 'POST' && { payload: payload ?? {} }),
        })
        return { status: answer.statusCode, body: answer.json() }
      }
      return {
        ...scene,
        actor,
        call,
        /** Sends a text; a number makes up its id. */
        send: async (who: SceneUser, message: string, smsId = `sms-${crypto.randomUUID()}`) =>
          app.services.chats.send(actor(who), booking, { smsId, message }),
        quick: (who: SceneUser, quick: QuickReply) =>
          app.services.chats.send(actor(who), booking, { smsId: `sms-${crypto.randomUUID()}`, quick }),
        setStatus: (status: string) =>
          pool.query('update bookings set status = $2 where id = $1', [booking, status]),
        stored: async () =>
          (
            await pool.query<Pick<ChatMessage, 'seq' | 'message'> & { sms_id: string }>(
              'select seq, message, sms_id from chat_messages where booking_id = $1 order by seq',
              [booking],
            )
          ).rows,
        socket: async (who: SceneUser) => {
          const headers = { authorization: bearers[who] }
          const client = new TestClient(
            new WebSocket(`ws://127.0.0.1:${port}/live`, { origin: `http://127.0.0.1:${port}`, headers }),
          )
          await client.frame('hello')
          return client
        },
      }
    },
  }
}
