import { type ChildProcess, fork } from 'node:child_process'
import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openPush } from '../apps/server/src/adapters/push/open-push.ts'
import { createComposer } from '../apps/server/src/features/devices/compose.ts'
import { queuePushes } from '../apps/server/src/features/devices/queue.ts'
import { createSender } from '../apps/server/src/features/devices/sender.ts'
import { createLanguagesService } from '../apps/server/src/features/languages/service.ts'
import { storeNotifications } from '../apps/server/src/features/users/notifications.ts'
import { systemClock } from '../apps/server/src/platform/clock/clock.ts'
import { connectDatabase, type Database } from '../apps/server/src/platform/database/database.ts'
import { embeddedUser } from '../apps/server/src/platform/database/embedded/data-folder.ts'
import { startEmbeddedServer } from '../apps/server/src/platform/database/embedded/embedded-server.ts'
import { migrate } from '../apps/server/src/platform/database/migrate.ts'
import { silentLog } from '../apps/server/src/platform/log/log.ts'
import { vapidKeys } from '../apps/server/src/platform/secrets/vapid-keys.ts'
import { type Line, ratioOf, rounded } from './limits.ts'

/**
 * From the commit of a notification to its arrival at the push service, p99: claimed, written in the reader's language,
 * encrypted and posted, for 500 browsers of 500 people that get a message every 10 ms. The peer is a bare fetch of a body of
 * the same length at the same pace to the same service, from its call to the arrival: what HTTP on this machine takes.
 */
const devices = 500
const messages = 1_000
const warmUp = 200
const everyMs = 10
const limitMs = 50

export async function run(): Promise<Line[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hansom-bench-'))
  const server = await startEmbeddedServer({ dataDir })
  const open = (name: string) =>
    connectDatabase(
      {
        connection: { host: server.socketFolder, user: embeddedUser, database: name },
        description: name,
        exclusive: true,
      },
      silentLog(),
    )
  const maintenance = open('postgres')
  await maintenance.pool.query('create database bench')
  await maintenance.close()
  const database = open('bench')
  const service = fork(fileURLToPath(new URL('push/service-process.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
  })
  try {
    await migrate(database)
    const [{ port }] = (await once(service, 'message')) as [{ port: number }]
    const host = `127.0.0.1:${port}`
    const bare = p99(await sendBare(service, host))
    const ours = p99(await sendQueued(database, service, host, dataDir))
    return [
      {
        job: 'push-after-commit-p99',
        unit: 'ms',
        ours: rounded(ours),
        peer: rounded(bare),
        peer_name: 'bare fetch of the same length',
        ratio: ratioOf(bare, ours),
      },
      {
        job: 'push-after-commit-limit',
        unit: 'ms',
        ours: rounded(ours),
        peer: limitMs,
        peer_name: 'limit',
        ratio: ratioOf(limitMs, ours),
      },
    ]
  } finally {
    service.disconnect()
    await database.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const now = () => performance.timeOrigin + performance.now()

function p99(times: readonly number[]): number {
  const sorted = times.slice(warmUp).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
}

/** Begins `send` for each message at the pace, and returns the time from `sentAt` to each arrival, ms. */
async function timesOf(
  service: ChildProcess,
  send: (message: number) => Promise<{ path: string; sentAt: number }>,
): Promise<number[]> {
  const arrivals = new Map<string, number[]>()
  let count = 0
  const listen = ({ path, at }: { path: string; at: number }) => {
    arrivals.set(path, [...(arrivals.get(path) ?? []), at])
    count += 1
  }
  service.on('message', listen)
  const startedAt = performance.now()
  const begun: Promise<{ path: string; sentAt: number }>[] = []
  for (let message = 0; message < messages; message += 1) {
    await wait(Math.max(0, startedAt + message * everyMs - performance.now()))
    begun.push(send(message))
  }
  const sent = await Promise.all(begun)
  while (count < messages) await wait(20)
  service.off('message', listen)
  // Messages to one device are seconds apart, so they arrive in their order.
  return sent.map(({ path, sentAt }) => (arrivals.get(path)?.shift() ?? Number.NaN) - sentAt)
}

/** The length of our messages, bytes. */
const bodyLength = 620

const sendBare = (service: ChildProcess, host: string) =>
  timesOf(service, async (message) => {
    const path = `/bare/${message % devices}`
    const sentAt = now()
    const response = await fetch(`http://${host}${path}`, { method: 'POST', body: randomBytes(bodyLength) })
    await response.arrayBuffer()
    return { path, sentAt }
  })

async function sendQueued(database: Database, service: ChildProcess, host: string, dataDir: string) {
  const people = await addPeople(database, host)
  const settings = {
    current: async () => ({ category: 'taxi' }),
    onChange: () => {},
    languagesChanged: async () => {},
  }
  const languages = createLanguagesService({ database, clock: systemClock, settings: settings as never })
  const keys = await vapidKeys({ vapidKeys: null, dataDir })
  const push = openPush({
    web: { keys, subject: 'https://rides.test', hosts: [host] },
    fcm: null,
    expo: null,
    store: async () => {},
  })
  const sender = createSender({
    database,
    log: silentLog(),
    push,
    compose: createComposer({ languages, siteUrl: () => 'https://rides.test' }),
    expectReceipts: async () => {},
    unreached: async () => {},
  })
  sender.start()
  const times = await timesOf(service, async (message) => {
    const { user, path } = people[message % devices] ?? { user: '', path: '' }
    await database.withTransaction(async (tx) => {
      const [stored] = await storeNotifications(tx, [
        {
          user_id: user,
          at: Date.now(),
          title: 'notify.accepted.title',
          msg: 'notify.accepted.msg',
          params: { booking_id: 'K7M2PQ', driver_name: 'Bea Lopez' },
          screen: 'BookedCab',
          booking_id: randomUUID(),
          dedupe: randomUUID(),
        },
      ])
      if (stored === undefined) throw new Error('not stored')
      const { id, at, title, msg, params, screen, booking_id: booking } = stored
      const content = { kind: 'trip', id, at, title, msg, params, screen, booking, expiresAt: null } as const
      await queuePushes(tx, [{ user, tag: id, urgent: true, ttlMs: 60_000, content }])
      tx.afterCommit(sender.wake)
    })
    return { path, sentAt: now() }
  })
  await sender.stop()
  return times
}

/** People with a browser each. */
async function addPeople({ pool }: Database, host: string) {
  const people = Array.from({ length: devices }, (_, number) => {
    const ecdh = createECDH('prime256v1')
    ecdh.generateKeys()
    return {
      user: randomUUID(),
      path: `/push/${number}`,
      token: `http://${host}/push/${number}`,
      p256dh: ecdh.getPublicKey('base64url'),
      auth: randomBytes(16).toString('base64url'),
    }
  })
  await pool.query(
    `with given as (select * from jsonb_to_recordset($1::jsonb) as q("user" uuid, path text, token text, p256dh text, auth text)),
      people as (
        insert into users (id, created_at, first_name, last_name, email, usertype, approved, referral_id)
        select "user", 0, 'A', 'B', path || '@bench.test', 'rider', true, path from given)
    insert into push_devices (id, user_id, kind, token, p256dh, auth, closable, created_at, seen_at)
      select gen_random_uuid(), "user", 'web', token, p256dh, auth, true, 0, 0 from given`,
    [JSON.stringify(people)],
  )
  return people
}
