import { createHash, timingSafeEqual } from 'node:crypto'
import { Refusal } from '@hansom/domain/error-keys'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Registry } from 'prom-client'
import type { Database } from '../database/database.ts'
import type { Replica } from '../database/replica.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { LiveHub } from '../live/hub.ts'
import type { Log } from '../log/log.ts'
import { metrics, processRegistry, readings, registry, standingBy, watchProcess } from './metrics.ts'

export interface MetricsDeps {
  log: Log
  database: Pick<Database, 'pool' | 'withTransaction'>
  replica?: Pick<Replica, 'lagS'> | undefined
  jobs: Pick<Jobs, 'counts'>
  hub: Pick<LiveHub, 'stats'>
  /** Messages between servers. */
  bus: { isShared: boolean; isUp(): boolean; whenLost(listener: () => void): void }
  driverIndex: { size(): Promise<number> }
  /** The last replay of the ledger; null before the first. */
  lastLedgerCheck(): Promise<{ at: number; found: number } | null>
}

interface MetricsAccess {
  /** The bearer token of the scraper. Without one, only a demo shows the page. */
  token: string | undefined
  demo: boolean
  perMinute: number
}

/** What the database says is read at most this often. */
const readEveryMs = 5_000
/** Longer, the page is sent without it. */
const patienceMs = 2_000
const statementMs = 1_500
const mostCounted = 10_000

/** `GET /metrics` in the text format of Prometheus. Without the right token there is no such page. */
export function mountMetrics(server: FastifyInstance, deps: MetricsDeps, access: MetricsAccess): void {
  watchProcess()
  if (deps.bus.isShared) deps.bus.whenLost(() => metrics.messagesLost.inc())
  const config = { rateLimit: { max: access.perMinute, groupId: 'metrics' } }
  let reading: Promise<void> | null = null
  let readAt = Number.NEGATIVE_INFINITY
  const readDatabase = () => {
    if (performance.now() - readAt < readEveryMs) return
    reading ??= readBoth(deps).finally(() => {
      readAt = performance.now()
      reading = null
    })
    return reading
  }
  server.get('/metrics', { config }, async (request, reply) => {
    if (!mayRead(request.headers.authorization, access)) throw new Refusal('not_found')
    await readDatabase()
    await readMemory(deps)
    standingBy.set(0)
    return send(reply, [processRegistry, registry])
  })
}

/** `GET /metrics` while the server does not serve: its process, for those who may read it. Mount it before what refuses requests. */
export function mountWaitingMetrics(
  server: FastifyInstance,
  access: Omit<MetricsAccess, 'perMinute'>,
  isStandingBy: () => boolean,
): void {
  watchProcess()
  server.addHook('onRequest', async (request, reply) => {
    const { url, method, headers } = request
    if (method !== 'GET' || url.split('?', 1)[0] !== '/metrics') return
    if (!mayRead(headers.authorization, access)) return
    standingBy.set(isStandingBy() ? 1 : 0)
    return send(reply, [processRegistry])
  })
}

async function send(reply: FastifyReply, registries: readonly Registry[]): Promise<FastifyReply> {
  const pages = await Promise.all(registries.map((one) => one.metrics()))
  return reply
    .header('content-type', registry.contentType)
    .header('cache-control', 'no-store')
    .send(pages.join('\n'))
}

function mayRead(given: string | undefined, { token, demo }: Omit<MetricsAccess, 'perMinute'>): boolean {
  if (token === undefined) return demo
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given ?? ''), digest(`Bearer ${token}`))
}

async function readMemory({ database, hub, bus, driverIndex }: MetricsDeps): Promise<void> {
  const { totalCount, idleCount, waitingCount } = database.pool
  readings.connections.set({ state: 'in use' }, totalCount - idleCount)
  readings.connections.set({ state: 'idle' }, idleCount)
  readings.connectionsWaited.set(waitingCount)
  if (bus.isShared) readings.redisUp.set(bus.isUp() ? 1 : 0)
  else readings.redisUp.remove()
  const { connections, channels, published, delivered, cutOff, snapshots } = hub.stats()
  readings.liveConnections.set(connections)
  readings.liveChannels.set(channels)
  setTo(readings.livePublished, published)
  setTo(readings.liveDelivered, delivered)
  setTo(readings.liveCutOff, cutOff)
  setTo(readings.liveSnapshots, snapshots)
  readings.drivers.set(await driverIndex.size())
}

/** The hub counts for itself. */
function setTo(counter: { reset(): void; inc(by: number): void }, total: number): void {
  counter.reset()
  counter.inc(total)
}

/** Leaves `database_up` at 0, and old figures out, if the database fails or takes too long; the replica only its own figure. */
async function readBoth(deps: MetricsDeps): Promise<void> {
  const { log, replica } = deps
  const [show, lag] = await Promise.all([
    withinPatience(log, () => readFromDatabase(deps)),
    withinPatience(log, async () => (await replica?.lagS()) ?? null),
  ])
  for (const one of fromDatabase) one.remove()
  for (const one of fromDatabaseByJob) one.reset()
  readings.databaseUp.set(show === null ? 0 : 1)
  if (lag !== null) readings.replicaLag.set(lag)
  show?.()
}

/** What `read` resolves to; null if it fails or takes too long. */
async function withinPatience<T>(log: Log, read: () => Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), patienceMs)
  })
  const found = await Promise.race([
    read().catch((error: unknown) => {
      log.warn({ err: error }, 'figures of the database not read')
      return null
    }),
    patience,
  ])
  clearTimeout(timer)
  return found
}

const fromDatabase = [
  readings.replicaLag,
  readings.eventsWaiting,
  readings.eventsOldest,
  readings.eventsParked,
  readings.ledgerChecked,
  readings.ledgerDifferences,
]
const fromDatabaseByJob = [readings.jobs, readings.jobsOverdue]

/** Returns how to show what it has read. */
async function readFromDatabase(deps: MetricsDeps): Promise<() => void> {
  const [outbox, jobs] = await deps.database.withTransaction(async ({ client }) => {
    await client.query(`set local statement_timeout = ${statementMs}`)
    const found = await client.query<{ waiting: number; oldest: number; parked: number }>(
      `select (select count(*)::int from (select from outbox limit ${mostCounted}) as counted) as waiting,
          coalesce((extract(epoch from clock_timestamp()) - (select at from outbox order by id limit 1) / 1000.0)::float8,
            0) as oldest,
          (select count(*)::int from (select from parked_events limit ${mostCounted}) as counted) as parked`,
    )
    return [found.rows[0], await deps.jobs.counts(client)] as const
  })
  const check = await deps.lastLedgerCheck()
  return () => {
    readings.eventsWaiting.set(outbox?.waiting ?? 0)
    readings.eventsOldest.set(Math.max(0, outbox?.oldest ?? 0))
    readings.eventsParked.set(outbox?.parked ?? 0)
    for (const { name, waiting, scheduled, active, failed, overdueS } of jobs) {
      for (const [state, count] of Object.entries({ waiting, scheduled, active, failed }))
        readings.jobs.set({ job: name, state }, count)
      readings.jobsOverdue.set({ job: name }, overdueS)
    }
    if (check === null) return
    readings.ledgerChecked.set(check.at / 1000)
    readings.ledgerDifferences.set(check.found)
  }
}
