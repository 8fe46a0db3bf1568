import { once } from 'node:events'
import { liveClose } from '@hansom/contract/live'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { ServerBus } from './adapters/server-bus/port.ts'
import { RedisBus } from './adapters/server-bus/redis.ts'
import { hasRedis, startTestRedis, type TestRedis } from './adapters/server-bus/test-redis.ts'
import type { SharedCounts } from './adapters/shared-counts/port.ts'
import { redisCounts } from './adapters/shared-counts/redis.ts'
import { listen } from './listen.ts'
import { connectDatabase } from './platform/database/database.ts'
import { createTestDatabase, type TestDatabase } from './platform/database/test-database.ts'
import { silentLog } from './platform/log/log.ts'
import { createTestApp, type TestApp, testPassword } from './test-app.ts'

const limit = 40

describe.skipIf(!hasRedis)('two servers', { timeout: 60_000 }, () => {
  let redis: TestRedis
  let database: TestDatabase
  let servers: [Server, Server]

  interface Server {
    app: TestApp
    url: string
    stop(): Promise<void>
  }

  async function start(): Promise<Server> {
    const options = { url: `redis://127.0.0.1:${redis.port}`, prefix: 'hansom:test', log: silentLog() }
    const bus: ServerBus = await RedisBus.open(options)
    const sharedCounts: SharedCounts = await redisCounts(options)
    const connection = { connectionString: database.url }
    const own = connectDatabase({ connection, description: 'a server', exclusive: false }, silentLog())
    const app = await createTestApp({ database: own, bus, sharedCounts, limits: { user: limit } })
    await app.start()
    const url = await listen(app.server, { host: '127.0.0.1', port: 0, portGiven: true })
    return {
      app,
      url,
      async stop() {
        await app.close()
        sharedCounts.stop()
        await bus.close()
      },
    }
  }

  beforeAll(async () => {
    redis = await startTestRedis()
    database = await createTestDatabase()
    servers = [await start(), await start()]
    for (const name of ['ann', 'bob', 'eve'])
      await servers[0].app.addUser({ email: `${name}@two.test`, usertype: 'rider' })
  })
  afterAll(async () => {
    for (const { stop } of servers) await stop()
    await database.close()
    await redis.close()
  })

  async function signIn({ url }: Server, name: string): Promise<string> {
    const answer = await fetch(`${url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify({ email: `${name}@two.test`, password: testPassword }),
    })
    return `Bearer ${((await answer.json()) as { token: string }).token}`
  }

  const call = ({ url }: Server, path: string, authorization: string, method = 'GET') =>
    fetch(`${url}${path}`, { method, headers: { authorization } })
  const ask = async (server: Server, authorization: string) =>
    (await call(server, '/api/v1/bookings', authorization)).status

  /** Resolves to 101, or to the status of the refusal. */
  const open = ({ url }: Server, authorization: string) =>
    new Promise<{ ws: WebSocket; status: number }>((resolve) => {
      const ws = new WebSocket(`${url.replace('http', 'ws')}/live`, { headers: { authorization } })
      ws.on('error', () => {})
      ws.on('open', () => resolve({ ws, status: 101 }))
      ws.on('unexpected-response', (_request, { statusCode = 0 }) => resolve({ ws, status: statusCode }))
    })

  test('a session is ended on one server -> the other one closes its socket and serves it nothing', async () => {
    const [one, other] = servers
    const [own, lost] = [await signIn(one, 'bob'), await signIn(other, 'bob')]
    expect(await ask(other, lost)).toBe(200)
    const { ws } = await open(other, lost)
    const stays = await open(other, own)
    const closed = once(ws, 'close')
    const sessions = (await (await call(one, '/api/v1/me/sessions', own)).json()) as {
      id: string
      current: boolean
    }[]
    const [ended] = sessions.filter(({ current }) => !current)
    expect((await call(one, `/api/v1/me/sessions/${ended?.id}`, own, 'DELETE')).status).toBe(200)
    expect(await ask(other, lost)).toBe(401)
    const [code] = await closed
    expect(code).toBe(liveClose.sessionEnded)
    expect((await open(other, lost)).status).toBe(401)
    expect(stays.ws.readyState).toBe(WebSocket.OPEN)
    stays.ws.terminate()
  })

  test('a user asks both servers at once -> the limit holds for both, also after a restart', async () => {
    const bearer = await signIn(servers[0], 'ann')
    const statuses = await Promise.all(
      Array.from({ length: 3 * limit }, (_, number) => ask(servers[number % 2] as Server, bearer)),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(limit)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * limit)
    await servers[1].stop()
    servers[1] = await start()
    expect(await ask(servers[1], bearer)).toBe(429)
  })

  test('51 sockets of a user on both servers -> the last is refused until one closes', async () => {
    const bearer = await signIn(servers[0], 'eve')
    const sockets = []
    for (let number = 0; number < 50; number++)
      sockets.push(await open(servers[number % 2] as Server, bearer))
    expect(sockets.every(({ status }) => status === 101)).toBe(true)
    for (const server of servers) expect((await open(server, bearer)).status).toBe(429)
    sockets[0]?.ws.close()
    await expect.poll(async () => (await open(servers[1], bearer)).status, { timeout: 5_000 }).toBe(101)
    for (const { ws } of sockets) ws.terminate()
  })
})
