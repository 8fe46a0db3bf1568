import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { chatTopic } from '@hansom/contract/live'
import type { Pool } from 'pg'
import { type WebSocket as Socket, WebSocket, WebSocketServer } from 'ws'
import {
  type ChatScene,
  createChatScene,
  type Talk,
} from '../apps/server/src/features/chats/chats.fixture.ts'
import { connectDatabase } from '../apps/server/src/platform/database/database.ts'
import { embeddedUser } from '../apps/server/src/platform/database/embedded/data-folder.ts'
import { startEmbeddedServer } from '../apps/server/src/platform/database/embedded/embedded-server.ts'
import { migrate } from '../apps/server/src/platform/database/migrate.ts'
import { installJobs } from '../apps/server/src/platform/jobs/jobs.ts'
import { silentLog } from '../apps/server/src/platform/log/log.ts'
import { breakConnections } from './chat/break-connections.ts'
import { against, type Line, ratioOf, rounded } from './limits.ts'

const conversations = 500
const messagesPerSecond = 50
const slices = 3
const sliceSeconds = 6
/** Conversations whose two people lose their connections, and how often in total. */
const broken = 50
const breaks = 10_000

/**
 * `chat-to-other-screen-p99`: with 500 open conversations and 1,000 sockets, the time from sending a message (HTTP) to its
 * arrival on the other person's socket, at 50 messages a second. The peer does the minimum on the same database, over the
 * same kinds of connections: one insert, then a frame to the other socket, without session, permission, rules or outbox.
 *
 * `reconnect-catch-up-p99`: 100 clients follow the topics of their booking and chat through a proxy that breaks each
 * connection at a random byte or moment, 10,000 times in total, while both change: the time from a break until the client
 * knows everything again; a break before that begins the time again. Fails when a client misses or repeats anything. The limit is one second.
 */
export async function run(): Promise<Line[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hansom-bench-'))
  const server = await startEmbeddedServer({ dataDir })
  const connection = { host: server.socketFolder, user: embeddedUser, max: 16 }
  const open = (database: string) =>
    connectDatabase(
      { connection: { ...connection, database }, description: database, exclusive: true },
      silentLog(),
    )
  const maintenance = open('postgres')
  await maintenance.pool.query('create database bench')
  await maintenance.close()
  const database = open('bench')
  await migrate(database)
  await installJobs(database)
  const scene = await createChatScene({ database })
  try {
    const talks: Talk[] = []
    while (talks.length < conversations) {
      talks.push(...(await Promise.all(Array.from({ length: 10 }, () => scene.talk()))))
    }
    return [await measureLatency(scene, talks), await measureCatchUp(scene, talks.slice(0, broken))]
  } finally {
    await scene.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** One side of the comparison: sends a message of a conversation; reports those that arrive. */
interface Side {
  send(conversation: number, side: 'rider' | 'driver', key: string): Promise<void>
  arrived: Map<string, () => void>
  close(): void
}

async function measureLatency(scene: ChatScene, talks: readonly Talk[]): Promise<Line> {
  const sides = { ours: await openOurs(scene, talks), peer: await openBare(scene.pool, talks.length) }
  const waits = { ours: [] as number[], peer: [] as number[] }
  await Promise.all([pace(sides.ours, talks.length, 2), wait(0)])
  await pace(sides.peer, talks.length, 2)
  for (let slice = 0; slice < slices; slice++) {
    waits.ours.push(...(await pace(sides.ours, talks.length, sliceSeconds)))
    waits.peer.push(...(await pace(sides.peer, talks.length, sliceSeconds)))
  }
  for (const side of Object.values(sides)) side.close()
  const [ours, peer] = [percentile(waits.ours, 0.99), percentile(waits.peer, 0.99)]
  return {
    job: 'chat-to-other-screen-p99',
    unit: 'ms',
    ours: rounded(ours),
    peer: rounded(peer),
    peer_name: 'insert and a bare ws frame',
    ratio: ratioOf(peer, ours),
  }
}

/** Sends at a constant rate, regardless of what arrives meanwhile; returns the times until arrival, ms. */
async function pace(side: Side, count: number, seconds: number): Promise<number[]> {
  const times: Promise<number>[] = []
  const startedAt = performance.now()
  for (let at = 0; at < seconds * messagesPerSecond; at++) {
    await wait(Math.max(0, startedAt + (at * 1_000) / messagesPerSecond - performance.now()))
    const key = `bench-${crypto.randomUUID()}`
    const sentAt = performance.now()
    times.push(
      new Promise<number>((resolve, reject) => {
        side.arrived.set(key, () => resolve(performance.now() - sentAt))
        side.send((at * 7) % count, at % 2 === 0 ? 'rider' : 'driver', key).catch(reject)
      }),
    )
  }
  return Promise.all(times)
}

async function openOurs({ app }: ChatScene, talks: readonly Talk[]): Promise<Side> {
  const arrived: Side['arrived'] = new Map()
  const { port } = app.server.server.address() as AddressInfo
  const sockets: Socket[] = []
  for (const talk of talks) {
    for (const who of ['rider', 'driver'] as const) {
      const client = await talk.socket(who)
      await client.follow(chatTopic(talk.booking))
      client.ws.removeAllListeners('message')
      client.ws.on('message', (data) => {
        const { t, data: event } = JSON.parse(String(data)) as {
          t: string
          data?: { message?: { smsId: string; source: string } }
        }
        const message = t === 'ev' ? event?.message : undefined
        if (message && message.source !== who) arrived.get(message.smsId)?.()
      })
      sockets.push(client.ws)
    }
  }
  return {
    arrived,
    send: async (conversation, side, smsId) => {
      const talk = talks[conversation]
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/bookings/${talk?.booking}/chat`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: talk?.bearers[side] ?? '' },
        body: JSON.stringify({ smsId, message: 'I am at the entrance' }),
      })
      if (!answer.ok) throw new Error(`not sent: ${await answer.text()}`)
      await answer.arrayBuffer()
    },
    close: () => {
      for (const socket of sockets) socket.terminate()
    },
  }
}

async function openBare(pool: Pool, count: number): Promise<Side> {
  const arrived: Side['arrived'] = new Map()
  await pool.query(
    'create table bare_messages (id bigserial primary key, chat int, sender text, key text, text text)',
  )
  const server = createServer((request, response) => {
    const [, chat, side, key] = (request.url ?? '').split('/')
    request.resume()
    void pool
      .query({
        name: 'bare',
        text: 'insert into bare_messages (chat, sender, key, text) values ($1, $2, $3, $4)',
        values: [chat, side, key, 'I am at the entrance'],
      })
      .then(() => {
        sockets.get(`/${chat}/${side === 'rider' ? 'driver' : 'rider'}`)?.send(JSON.stringify({ key }))
        response.end('{}')
      })
  })
  const sockets = new Map<string, Socket>()
  const upgrades = new WebSocketServer({ server })
  upgrades.on('connection', (socket, request) => sockets.set(request.url ?? '', socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const clients: Socket[] = []
  for (let chat = 0; chat < count; chat++) {
    for (const side of ['rider', 'driver']) {
      const client = new WebSocket(`ws://127.0.0.1:${port}/${chat}/${side}`)
      client.on('message', (data) => arrived.get((JSON.parse(String(data)) as { key: string }).key)?.())
      await new Promise((resolve) => client.once('open', resolve))
      clients.push(client)
    }
  }
  return {
    arrived,
    send: async (chat, side, key) => {
      const answer = await fetch(`http://127.0.0.1:${port}/${chat}/${side}/${key}`, { method: 'POST' })
      await answer.arrayBuffer()
    },
    close: () => {
      for (const client of clients) client.terminate()
      upgrades.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

async function measureCatchUp(scene: ChatScene, talks: readonly Talk[]): Promise<Line> {
  const { times } = await breakConnections(scene, talks, breaks)
  return against('reconnect-catch-up-p99', 'ms', percentile(times, 0.99), 1_000)
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0
}
