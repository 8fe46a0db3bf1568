import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openProxy, type Proxy } from '@hansom/doubles/proxy'
import { Client } from 'pg'
import { startTestRedis, type TestRedis } from './adapters/server-bus/test-redis.ts'
import { connectDatabase } from './platform/database/database.ts'
import { embeddedUser } from './platform/database/embedded/data-folder.ts'
import { type EmbeddedServer, startEmbeddedServer } from './platform/database/embedded/embedded-server.ts'
import { findPostmaster } from './platform/database/embedded/postmaster.ts'
import { migrate } from './platform/database/migrate.ts'
import type { TestDatabase } from './platform/database/test-database.ts'
import { type Balancer, createBalancer } from './platform/http/balancer.ts'
import { installJobs } from './platform/jobs/jobs.ts'
import { silentLog } from './platform/log/log.ts'
import { generateKeys } from './platform/secrets/vapid-keys.ts'
import { createTestApp, type TestApp } from './test-app.ts'
import { Journey, prepareCity } from './test-journeys.ts'
import { ServerCalls, ServerProcess } from './test-server-process.ts'

/** Space for PostgreSQL in a test that fills its disk. */
const diskMb = 700

/**
 * A city on three servers behind the balancer, with a PostgreSQL and a Redis of its own, each of which a test can break.
 * The servers reach both through proxies; the test itself does not.
 */
export class FaultCity {
  readonly app: TestApp
  readonly servers: readonly ServerProcess[]
  readonly redis: TestRedis
  /** Between the servers and PostgreSQL, and Redis. */
  readonly lines: { database: Proxy; redis: Proxy }
  readonly calls: ServerCalls
  readonly folder: string
  readonly carType: string
  private readonly balancer: Balancer
  private readonly env: Record<string, string>
  private postgres: EmbeddedServer
  private readonly closing: (() => unknown)[]

  private constructor(parts: {
    app: TestApp
    servers: readonly ServerProcess[]
    redis: TestRedis
    lines: { database: Proxy; redis: Proxy }
    calls: ServerCalls
    folder: string
    carType: string
    balancer: Balancer
    env: Record<string, string>
    postgres: EmbeddedServer
    closing: (() => unknown)[]
  }) {
    this.app = parts.app
    this.servers = parts.servers
    this.redis = parts.redis
    this.lines = parts.lines
    this.calls = parts.calls
    this.folder = parts.folder
    this.carType = parts.carType
    this.balancer = parts.balancer
    this.env = parts.env
    this.postgres = parts.postgres
    this.closing = parts.closing
  }

  /** `ownDisk`: PostgreSQL has a small disk of its own. Throws where the machine does not let a test mount one. */
  static async open({ ownDisk = false } = {}): Promise<FaultCity> {
    const closing: (() => unknown)[] = []
    const folder = await mkdtemp(join(tmpdir(), 'hansom-faults-'))
    closing.push(() => rm(folder, { recursive: true, force: true }))
    if (ownDisk) {
      mount('-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', folder)
      closing.push(() => spawnSync('umount', [folder]))
    }
    await chmod(folder, 0o755)
    const postgres = await startPostgres(folder)
    const database = await openDatabase(postgres.socketFolder)
    const app = await createTestApp({ database })
    const carType = await prepareCity(app, 20)
    const redis = await startTestRedis()
    const lines = {
      database: await openProxy({ path: `${postgres.socketFolder}/.s.PGSQL.5432` }),
      redis: await openProxy({ port: redis.port }),
    }
    const { publicKey, privateKey } = generateKeys()
    const env = {
      VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey,
      REDIS_URL: `redis://127.0.0.1:${lines.redis.port}`,
    }
    const url = `postgresql://${embeddedUser}@127.0.0.1:${lines.database.port}/faults`
    const servers = await Promise.all([0, 1, 2].map(() => ServerProcess.at(url)))
    const balancer = createBalancer({ ports: servers.map(({ port }) => port) })
    balancer.server.listen(0, '127.0.0.1')
    await once(balancer.server, 'listening')
    const calls = new ServerCalls(`http://127.0.0.1:${(balancer.server.address() as AddressInfo).port}`)
    const parts = { app, servers, redis, lines, calls, folder, carType, balancer, env, postgres, closing }
    const city = new FaultCity(parts)
    for (const server of servers) await city.revive(server)
    return city
  }

  async close(): Promise<void> {
    for (const server of this.servers) server.signal('SIGCONT')
    await Promise.all(this.servers.map((server) => server.end('SIGTERM')))
    await this.balancer.close()
    for (const line of Object.values(this.lines)) line.close()
    await this.redis.close()
    await this.app.close()
    await this.postgres.stop()
    for (const close of this.closing.reverse()) await close()
  }

  /** Starts a server that ended; resolves when it serves. */
  async revive(server: ServerProcess): Promise<void> {
    server.launch(this.env)
    await server.untilHealthy()
  }

  /** Ends PostgreSQL: its main process is killed, which ends the others, or an operator stops it. */
  async endPostgres(how: 'killed' | 'stopped'): Promise<void> {
    const found = await findPostmaster(this.postgres.dataFolder)
    if (how === 'stopped') return this.postgres.stop()
    if (found) process.kill(found.pid, 'SIGKILL')
    // Its other processes notice that it is gone.
    while ((await findPostmaster(this.postgres.dataFolder)) !== undefined) await wait(20)
  }

  /** Starts PostgreSQL again, unless it runs. */
  async startPostgres(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.postgres = await startPostgres(this.folder)
        return
      } catch (error) {
        // Processes of the killed one may still end.
        if (attempt === 20) throw error
        await wait(250)
      }
    }
  }

  async beginJourneys(count: number): Promise<Journey[]> {
    const begin = (_: unknown, number: number) => Journey.begin(this.app, this.calls, this.carType, number)
    const journeys = await Promise.all(Array.from({ length: count }, begin))
    for (const journey of journeys) journey.mayBeCancelled = true
    return journeys
  }
}

export const startPostgres = (folder: string) =>
  startEmbeddedServer({
    dataDir: folder,
    settings: { unix_socket_permissions: '0777', log_min_duration_statement: '-1', max_wal_size: '96MB' },
    detached: false,
  })

export async function openDatabase(host: string): Promise<TestDatabase> {
  const client = new Client({ host, user: embeddedUser, database: 'postgres' })
  await client.connect()
  await client.query('create database faults')
  await client.end()
  const url = `postgresql://${embeddedUser}@localhost/faults?host=${host}`
  const connection = { connectionString: url, max: 10 }
  const database = connectDatabase({ connection, description: 'faults', exclusive: true }, silentLog())
  await migrate(database)
  await installJobs(database)
  return { ...database, url }
}

function mount(...args: string[]): void {
  const { status, stderr } = spawnSync('mount', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`cannot mount a disk: ${stderr}`)
}
