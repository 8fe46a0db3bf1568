import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { embeddedDriverIndex } from './adapters/driver-index/embedded.ts'
import { MapNotPreparedError } from './adapters/maps/embedded/region-store.ts'
import { createEmbeddedMaps, preparedRegions } from './adapters/maps/embedded.ts'
import type { Maps } from './adapters/maps/port.ts'
import type { ServerBus } from './adapters/server-bus/port.ts'
import { RedisBus } from './adapters/server-bus/redis.ts'
import type { SharedCounts } from './adapters/shared-counts/port.ts'
import { redisCounts } from './adapters/shared-counts/redis.ts'
import { type App, buildApp } from './app.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { demoClock } from './demo-clock.ts'
import { listen, openPlaceholderServer, type PlaceholderServer, PortBusyError } from './listen.ts'
import { type Adapters, openAdapters } from './open-adapters.ts'
import { type Clock, systemClock } from './platform/clock/clock.ts'
import { unmarkCluster } from './platform/cluster/control.ts'
import type { Database } from './platform/database/database.ts'
import { runAlone } from './platform/database/lease.ts'
import { migrate } from './platform/database/migrate.ts'
import { openForServer } from './platform/database/open-database.ts'
import type { LockableDatabase } from './platform/database/open-outside.ts'
import { DatabaseUnavailableError, lostConnection } from './platform/database/postgres-errors.ts'
import { connectReplica, type Replica } from './platform/database/replica.ts'
import type { ServerLock } from './platform/database/server-lock.ts'
import { createLog, type Log } from './platform/log/log.ts'
import { printError } from './platform/log/print-error.ts'
import { authSecret } from './platform/secrets/auth-secret.ts'
import { InvalidSecretError } from './platform/secrets/stored-once.ts'
import { vapidKeys } from './platform/secrets/vapid-keys.ts'
import { startTracing, stopTracing } from './platform/tracing/tracing.ts'
import { DemoDataError, demoElsewhere, refuseDemoData } from './refuse-demo-data.ts'
import { startSimulator } from './simulator-process.ts'
import { type StartNotice, startNotice } from './start-notice.ts'

// Objects that V8 places among the old ones at once keep those of answered requests alive (decision 0370).
setFlagsFromString('--no-allocation-site-pretenuring')

/** Errors whose message is printed without a stack because it contains the fix. */
const printableErrors = [
  InvalidSecretError,
  ConfigError,
  DatabaseUnavailableError,
  DemoDataError,
  MapNotPreparedError,
  PortBusyError,
]
const retryMs = 1_000
/** The process exits after this time even if something hangs. */
const shutdownMs = 4_500
const webFolder = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** The running parts, in the order in which they stop. */
interface Running {
  placeholder?: PlaceholderServer | undefined
  simulator?: { stop(): Promise<void> } | undefined
  app?: App | undefined
  bus?: ServerBus | undefined
  counts?: SharedCounts | undefined
  replica?: Replica | undefined
  database?: Database
}

type State = 'waiting for the database' | 'standing by' | 'starting'

/** Resources that outlive a term and are opened once. */
interface Opened {
  database: Database
  lock: ServerLock
  sessions: LockableDatabase['sessions']
  port: number
  maps: Promise<Maps>
  adapters?: { clock: Clock; secret: string; ports: Adapters }
}

/** Serves while this server holds the database lock, and stands by otherwise. */
async function run(config: Config, log: Log, running: Running): Promise<void> {
  let state: State = 'waiting for the database'
  const openRoom = (port: Pick<Config, 'port' | 'portGiven'>) =>
    openPlaceholderServer({ ...config, ...port }, () => state)
  running.placeholder = await openRoom(config)
  const { port } = running.placeholder
  // A first start prepares the map for some seconds, while waiting for the database.
  const maps = createEmbeddedMaps({ dataDir: config.dataDir, regions: config.mapRegions, log })
  maps.catch(() => {})
  const { database, lock, sessions } = await openForServer(config, log)
  running.database = database
  if (config.databaseReplicaUrl !== undefined)
    running.replica = connectReplica({ url: config.databaseReplicaUrl, database, log })
  const opened: Opened = { database, lock, sessions, port, maps }
  for (;;) {
    state = 'standing by'
    await lock.take()
    state = 'starting'
    try {
      await startTerm(config, log, running, opened)
      await lock.superseded()
      log.warn('another server took over the database, standing by')
    } catch (error) {
      if (lostConnection(error) === undefined) throw error
      log.warn({ err: error }, 'database connection lost during startup, retrying')
      await wait(retryMs)
    }
    await endTerm(running).catch((error: unknown) => log.warn({ err: error }, 'failed to stop cleanly'))
    running.placeholder ??= await openRoom({ port, portGiven: true })
  }
}

async function endTerm(running: Running): Promise<void> {
  const { app, simulator, bus, counts } = running
  running.simulator = undefined
  running.app = undefined
  running.bus = undefined
  running.counts = undefined
  await Promise.all([simulator?.stop(), app?.close()])
  counts?.stop()
  await bus?.close()
}

async function startTerm(config: Config, log: Log, running: Running, opened: Opened): Promise<void> {
  const { database, lock, sessions, port } = opened
  await migrate(sessions)
  await lock.beginTerm()
  if (config.redisUrl === undefined) await unmarkCluster(config.dataDir)
  if (!config.demo) await refuseDemoData(database)
  const isFirst = opened.adapters === undefined
  opened.adapters ??= await openOnce(config, log, database, opened.maps)
  const { clock, secret, ports } = opened.adapters
  if (config.redisUrl !== undefined) {
    const redis = { url: config.redisUrl, prefix: installationPrefix(secret), log }
    running.bus = await RedisBus.open(redis)
    running.counts = await redisCounts(redis)
  }
  const app = await buildApp({
    config,
    database,
    replica: running.replica,
    clock,
    log,
    ...ports,
    bus: running.bus,
    sharedCounts: running.counts,
    preparedMaps: {
      list: () => preparedRegions(config.dataDir),
      dataDir: config.dataDir === resolve('./data') ? null : config.dataDir,
    },
    // The driver index of the last term is outdated.
    driverIndex: isFirst ? ports.driverIndex : embeddedDriverIndex(),
    authSecret: secret,
    webFolder,
    isServing: () => lock.isHeld(),
  })
  running.app = app
  const { demo, setup, settings } = app.services
  const people = { drivers: config.demoDrivers, riders: config.demoRiders }
  const city = config.demo ? await demo.seed(people) : null
  if (city === 'elsewhere') throw demoElsewhere(database, ports.maps.region.name)
  await app.start()
  await running.placeholder?.close()
  running.placeholder = undefined
  const address = await listen(app.server, { host: config.host, port, portGiven: true })
  const publicAddress = config.publicUrl ?? address
  const setupLink = await setup.openLink()

  announce(
    startNotice({
      url: publicAddress,
      database: database.describe(),
      demo:
        city === null || city === 'foreign'
          ? null
          : { accounts: demo.accounts, password: demo.password, ...people },
      category: (await settings.current()).category,
      setupLink: setupLink === null ? null : publicAddress + setupLink,
      unsent: config.demo ? [] : unsentBy(config),
      publicUrlMissing: config.production && config.publicUrl === undefined,
    }),
  )
  if (city === 'foreign') {
    log.warn('database already contains other users, no demo created: use another database for the demo')
  } else if (city !== null && people.drivers + people.riders > 0) {
    const password = await demo.simulatorPassword()
    running.simulator = runAlone({ database, name: 'simulator', log }, () =>
      startSimulator({ url: address, password, ...people, log }),
    )
  }
}

/** Prints a notice, or lets the cluster print it that started this server. */
function announce(notice: string): void {
  if (process.send) process.send({ notice })
  else process.stdout.write(notice)
}

/** Servers that share a secret form an installation, which may share its Redis with others. */
function installationPrefix(secret: string): string {
  return `hansom:${createHash('sha256').update(`bus ${secret}`).digest('base64url').slice(0, 12)}`
}

async function openOnce(config: Config, log: Log, database: Database, maps: Promise<Maps>) {
  const [secret, vapid] = [await authSecret(config), await vapidKeys(config)]
  const clock = config.demo ? await demoClock(database, config.demoSpeed) : systemClock
  return { clock, secret, ports: await openAdapters(config, { database, clock, secret, vapid, maps, log }) }
}

function unsentBy({ mail, sms }: Config): StartNotice['unsent'] {
  return [
    ...(mail === null ? (['mail'] as const) : []),
    ...(sms === null ? (['text messages'] as const) : []),
  ]
}

async function stop(running: Running): Promise<void> {
  const { placeholder: room, simulator, app, bus, counts, replica, database } = running
  await Promise.all([room?.close(), simulator?.stop(), app?.close()])
  counts?.stop()
  await bus?.close()
  await replica?.close()
  await database?.close()
  await stopTracing()
}

function fail(error: unknown): never {
  printError(error, printableErrors)
  process.exit(1)
}

try {
  const config = readConfig()
  const log = createLog({ level: config.logLevel, readable: !config.production })
  if (config.tracedAs !== null) await startTracing(config.tracedAs)
  const running: Running = {}
  onStopSignal(log, () => stop(running))
  await run(config, log, running).catch(async (error: unknown) => {
    await stop(running).catch(() => {})
    fail(error)
  })
} catch (error) {
  fail(error)
}

/**
 * Shuts down cleanly on SIGTERM or SIGINT, once: the same signal often arrives twice, from the terminal and from npm.
 */
function onStopSignal(log: Log, stop: () => Promise<void>): void {
  let stopping = false
  const begin = (signal: NodeJS.Signals) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => {
      log.warn('shutdown timed out')
      process.exit(1)
    }, shutdownMs).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed')
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', begin)
  process.on('SIGINT', begin)
  // A killed cluster sends no signal to its servers.
  process.on('disconnect', () => begin('SIGTERM'))
}
