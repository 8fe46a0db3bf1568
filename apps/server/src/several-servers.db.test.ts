import { setTimeout as wait } from 'node:timers/promises'
import type { BookingView } from '@hansom/contract/bookings'
import type { ServerFrame } from '@hansom/contract/live'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { hasRedis, startTestRedis, type TestRedis } from './adapters/server-bus/test-redis.ts'
import { generateKeys } from './platform/secrets/vapid-keys.ts'
import { createTestApp, type TestApp } from './test-app.ts'
import { expectInvariants } from './test-invariants.ts'
import { type Called, Journey, prepareCity } from './test-journeys.ts'
import { ServerProcess } from './test-server-process.ts'

const trips = 6
describe.skipIf(!hasRedis)('three servers', () => {
  let app: TestApp
  let redis: TestRedis
  let servers: [ServerProcess, ServerProcess, ServerProcess]
  let carType: string
  let env: Record<string, string>

  /** Another server for every call, as behind a balancer without sticky sessions. */
  const any: Called = {
    post: (...call) => running().post(...call),
    signIn: (email) => running().signIn(email),
  }
  const running = () => {
    const alive = servers.filter((server) => server.isRunning())
    return alive[Math.floor(Math.random() * alive.length)] ?? servers[0]
  }
  const start = async (server: ServerProcess) => {
    server.launch(env)
    await server.untilHealthy()
  }

  beforeAll(async () => {
    app = await createTestApp()
    // A server may not know yet of a driver who is new on another one.
    carType = await prepareCity(app, 20)
    redis = await startTestRedis()
    const { publicKey, privateKey } = generateKeys()
    env = {
      VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey,
      REDIS_URL: `redis://127.0.0.1:${redis.port}`,
    }
    const make = () => ServerProcess.at(app.database.url)
    servers = [await make(), await make(), await make()]
    await Promise.all(servers.map(start))
  }, 120_000)
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.end('SIGTERM')))
    await redis.close()
    await app.close()
  }, 60_000)

  /** Follows a booking on one server; returns the versions it was told, of the last state. */
  function follow(server: ServerProcess, bearer: string, booking: string) {
    const seen: { version: number; status: string }[] = []
    const ws = new WebSocket(server.url('/live').replace('http', 'ws'), {
      headers: { authorization: bearer },
    })
    ws.on('open', () => ws.send(JSON.stringify({ t: 'sub', topic: `booking:${booking}` })))
    ws.on('message', (data) => {
      const frame = JSON.parse(String(data)) as ServerFrame
      if (frame.t === 'snap' || frame.t === 'ev') seen.push(frame.data as BookingView)
    })
    return { seen, close: () => ws.terminate() }
  }

  test('a server without REDIS_URL on their database -> stands by or refuses to start, never serves', async () => {
    const alone = await ServerProcess.at(app.database.url)
    alone.launch()
    await expect.poll(() => alone.isRunning(), { timeout: 30_000 }).toBe(false)
    expect(alone.output).toContain('Several servers share this database')
  }, 60_000)

  test('every call goes to another server, two of them killed in turn -> nothing lost, every event on every server', {
    timeout: 240_000,
  }, async () => {
    const journeys = await Promise.all(
      Array.from({ length: trips }, (_, number) => Journey.begin(app, any, carType, number)),
    )
    const driven = Promise.all(journeys.map((journey) => journey.drive()))
    await expect.poll(() => journeys.every(({ id }) => id !== ''), { timeout: 30_000 }).toBe(true)
    const watched = journeys.map((journey) => follow(servers[0], journey.rider, journey.id))
    for (const victim of [servers[1], servers[2]]) {
      await wait(500)
      await victim.end('SIGKILL')
      await wait(300)
      await start(victim)
    }
    await driven
    await expectInvariants(app, journeys)
    const { rows } = await app.database.pool.query('select id, version from bookings')
    // The sockets of the server that lived on were told of every booking's end, and never of an older state.
    for (const [index, { seen, close }] of watched.entries()) {
      const last = rows.find(({ id }) => id === journeys[index]?.id)
      await expect.poll(() => seen.at(-1)?.version, { timeout: 15_000 }).toBe(last.version)
      close()
    }
  })

  test('Redis killed during trips -> they go on, pages catch up by reading, and events come again afterwards', {
    timeout: 240_000,
  }, async () => {
    const journeys = await Promise.all(
      Array.from({ length: 3 }, (_, number) => Journey.begin(app, any, carType, 100 + number)),
    )
    const driven = Promise.all(journeys.map((journey) => journey.drive()))
    await expect.poll(() => journeys.every(({ id }) => id !== ''), { timeout: 30_000 }).toBe(true)
    const watched = journeys.map((journey) => follow(servers[0], journey.rider, journey.id))
    await redis.kill()
    await driven
    for (const [index, journey] of journeys.entries()) {
      await journey.expectNothingLost()
      await expect.poll(() => watched[index]?.seen.at(-1)?.status, { timeout: 30_000 }).toBe('COMPLETE')
    }
    await redis.start()
    await wait(3_000)
    const again = await Journey.begin(app, any, carType, 200)
    await again.drive()
    await again.expectNothingLost()
    for (const { close } of watched) close()
  })
})
