import { once } from 'node:events'
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { NoRedisError, startOwnRedis } from './adapters/server-bus/own-redis.ts'
import { type Config, ConfigError, loadConfig } from './config.ts'
import { listen, PortBusyError } from './listen.ts'
import { askForRestart, ClusterError, markCluster, openControl } from './platform/cluster/control.ts'
import { createSharedFolder } from './platform/database/embedded/data-folder.ts'
import { shareEmbedded } from './platform/database/open-database.ts'
import { DatabaseUnavailableError } from './platform/database/postgres-errors.ts'
import { createBalancer } from './platform/http/balancer.ts'
import { createLog } from './platform/log/log.ts'
import { printError } from './platform/log/print-error.ts'
import { authSecret } from './platform/secrets/auth-secret.ts'
import { InvalidSecretError } from './platform/secrets/stored-once.ts'
import { vapidKeys } from './platform/secrets/vapid-keys.ts'
import { ServerChild } from './server-child.ts'

/** The command `npm run cluster`: several servers on this machine behind a balancer, with what they need. */

type Variables = Record<string, string | undefined>
/** Says what it starts; throws when the cluster is stopping. */
type Begin = <T>(what: string, work: () => Promise<T>) => Promise<T>

const printableErrors = [
  ClusterError,
  ConfigError,
  DatabaseUnavailableError,
  InvalidSecretError,
  NoRedisError,
  PortBusyError,
]

const usage = 'npm run cluster -- 3   or   npm run cluster -- restart'
const mostServers = 16
/** Connections of a server: its pool, and some for background work. */
const connectionsEach = 30
const drainMs = 5_000
const program = fileURLToPath(new URL('main.js', import.meta.url))

export async function runCluster(args: readonly string[], variables: Variables): Promise<void> {
  const stops: (() => Promise<unknown>)[] = []
  const stopAll = async () => {
    for (const one of stops.splice(0).reverse()) await one()
  }
  const life: { start?: Promise<void>; stop?: Promise<void> } = {}
  const stop = () => {
    life.stop ??= stopAll()
      // What was about to start, such as a database.
      .then(() => life.start?.catch(() => {}))
      .then(stopAll)
    return life.stop
  }
  const begin: Begin = async (what, work) => {
    if (life.stop) throw new ClusterError('The cluster is stopping.')
    say(`Starting ${what}`)
    return work()
  }
  try {
    const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim() !== ''))
    const dataDir = resolve(given.DATA_DIR ?? './data')
    if (args[0] === 'restart' && args.length === 1) return process.exit(await askForRestart(dataDir))
    const count = Number(args[0] ?? 3)
    if (args.length > 1 || !Number.isInteger(count) || count < 1 || count > mostServers)
      throw new ClusterError(`The number of servers is 1 to ${mostServers}: ${usage}`)
    stopOnSignal(stop)
    life.start = start(count, given, dataDir, { begin, stops })
    await life.start
  } catch (error) {
    if (life.stop) return
    await stop()
    printError(error, printableErrors)
    process.exit(1)
  }
}

const say = (line: string) => void process.stdout.write(`${line}\n`)

/** Starts everything; adds how to stop it to `stops`, in that order. */
async function start(
  count: number,
  given: Variables,
  dataDir: string,
  { begin, stops }: { begin: Begin; stops: (() => Promise<unknown>)[] },
): Promise<void> {
  await createSharedFolder(dataDir)
  const config = loadConfig(given, process.cwd(), { isCluster: true })
  const secrets = await secretsOf(config)
  const { production, host, port, portGiven, logLevel } = config
  const log = createLog({ level: logLevel, readable: !production })
  const servers: ServerChild[] = []
  const ports = await serverPorts(port, count)
  const balancer = createBalancer({ ports })
  stops.push(() => balancer.close())
  const startServer = (server: ServerChild, options?: { orLater: boolean }) =>
    begin(`server ${server.number} of ${count} (port ${server.port})`, () => server.start(options))
  /** The other servers serve meanwhile; running requests are answered first. Throws when the server cannot start now. */
  const restart = async (server: ServerChild) => {
    await balancer.drain(server.port, drainMs)
    await server.stop()
    await startServer(server, { orLater: true }).finally(() => balancer.admit(server.port))
  }
  const control = await openControl(dataDir, async (say) => {
    for (const server of servers) {
      await restart(server)
      say(`server ${server.number} of ${count} restarted`)
    }
  })
  stops.push(async () => control.close())
  const url = await listen(
    {
      server: balancer.server,
      listen: (where) =>
        new Promise<void>((done, fail) => balancer.server.once('error', fail).listen(where, done)),
    },
    { host, port, portGiven },
  )
  const redis = config.redisUrl === undefined ? await begin('Redis', () => startOwnRedis(dataDir, log)) : null
  if (redis) stops.push(() => redis.stop())
  const postgres =
    config.databaseUrl === undefined
      ? await begin('PostgreSQL', () =>
          shareEmbedded(dataDir, log, 10 + connectionsEach * Math.max(3, count)),
        )
      : null
  if (postgres) stops.push(() => postgres.stop())
  await markCluster(dataDir)
  const env = {
    ...given,
    ...secrets,
    DATA_DIR: dataDir,
    DATABASE_URL: postgres?.url ?? given.DATABASE_URL,
    REDIS_URL: redis?.url ?? given.REDIS_URL,
    PUBLIC_URL: config.publicUrl ?? url,
  }
  let [newest, printed, isReady] = ['', '', false]
  // All servers print the same.
  const printNotice = () => {
    if (!isReady || newest === printed) return
    printed = newest
    process.stdout.write(newest)
  }
  stops.push(() => Promise.all(servers.map((server) => server.stop())))
  for (const [index, port] of ports.entries()) {
    const number = index + 1
    const server = new ServerChild({
      number,
      program,
      port,
      env,
      log,
      print: (line) => say(production ? line : `[${number}] ${line}`),
      onNotice: (text) => {
        newest = text
        printNotice()
      },
    })
    servers.push(server)
    // One after the other: the first migrates, prepares the map and fills a demo.
    await startServer(server).catch((error: Error) => {
      throw new ClusterError(`${error.message}; its reason is above.`)
    })
    await balancer.admit(port)
  }
  isReady = true
  printNotice()
  say(
    `${count} server${count === 1 ? '' : 's'} behind ${url}, on port${count === 1 ? '' : 's'} ${ports.join(', ')}; ` +
      'Ctrl+C stops everything, npm run cluster -- restart renews the servers in turn\n',
  )
}

async function secretsOf(config: Config) {
  const { publicKey, privateKey } = await vapidKeys(config)
  return {
    AUTH_SECRET: await authSecret(config),
    VAPID_PUBLIC_KEY: publicKey,
    VAPID_PRIVATE_KEY: privateKey,
  }
}

/** The ports after the site's, so that a scraper of metrics finds each server; any if one of these is in use. */
async function serverPorts(site: number, count: number): Promise<number[]> {
  const any = Array.from({ length: count }, () => 0)
  if (site === 0) return freePorts(any)
  const [, ...next] = await freePorts([site, ...any.map((_, index) => site + 1 + index)]).catch(() => [])
  return next.length === count ? next : freePorts(any)
}

/** Returns ports that are free, for 0 any; held together, so that all differ. Throws when one is in use. */
async function freePorts(wanted: readonly number[]): Promise<number[]> {
  const held = wanted.map(() => createServer())
  try {
    await Promise.all(
      held.map((server, index) =>
        once(server.listen({ port: wanted[index], host: '127.0.0.1' }), 'listening'),
      ),
    )
    return held.map((server) => (server.address() as { port: number }).port)
  } finally {
    await Promise.all(held.map((server) => new Promise((done) => server.close(done))))
  }
}

/** Stops everything on SIGTERM or SIGINT, once: the same signal often arrives twice, from the terminal and from npm. */
function stopOnSignal(stop: () => Promise<void>): void {
  let isStopping = false
  const begin = () => {
    if (isStopping) return
    isStopping = true
    say('Stopping')
    stop().then(
      () => {
        say('Stopped')
        process.exit(0)
      },
      (error: unknown) => {
        printError(error, printableErrors)
        process.exit(1)
      },
    )
  }
  process.on('SIGTERM', begin)
  process.on('SIGINT', begin)
}
