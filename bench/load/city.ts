import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { unit } from '@hansom/domain/money/amount'
import { freePort } from '@hansom/doubles/free-port'
import { Redis } from 'ioredis'
import type { Pool } from 'pg'
import { uuidv7 } from 'uuidv7'
import { startTestRedis, type TestRedis } from '../../apps/server/src/adapters/server-bus/test-redis.ts'
import { signedToken } from '../../apps/server/src/features/accounts/find-session.ts'
import { connectDatabase, type Database } from '../../apps/server/src/platform/database/database.ts'
import { embeddedUser } from '../../apps/server/src/platform/database/embedded/data-folder.ts'
import {
  type EmbeddedServer,
  startEmbeddedServer,
} from '../../apps/server/src/platform/database/embedded/embedded-server.ts'
import { findPostmaster } from '../../apps/server/src/platform/database/embedded/postmaster.ts'
import { migrate } from '../../apps/server/src/platform/database/migrate.ts'
import { installJobs } from '../../apps/server/src/platform/jobs/jobs.ts'
import { silentLog } from '../../apps/server/src/platform/log/log.ts'
import { generateKeys } from '../../apps/server/src/platform/secrets/vapid-keys.ts'

/** A signed-in user of the load city. */
export interface Person {
  id: string
  /** The signed token of the session. */
  token: string
}

/** Where drivers and riders are: a box, and the share of online drivers who are free. */
export interface Area {
  south: number
  north: number
  west: number
  east: number
}

/** The center of the packaged city, where every place has a street near. */
export const innerCity: Area = { south: -34.912, north: -34.875, west: -56.19, east: -56.14 }

/** CPU time of a process or a group of them, ms. */
export interface CpuTimes {
  servers: number
  postgres: number
  redis: number
}

const secret = 'a secret that is only used by benchmarks, long enough'
const ticksPerSecond = 100

/**
 * A whole installation for measurements: production servers in processes of their own, PostgreSQL with the product's usual, durable
 * settings and a Redis, all on this machine. People get their sessions in the database, without the hash of a sign-in.
 */
export class LoadCity {
  readonly database: Database
  readonly carType: string
  readonly redis: TestRedis | null
  readonly secret = secret
  readonly servers: { origin: string; process: ChildProcess }[] = []
  private readonly postgres: EmbeddedServer
  private readonly folder: string
  private readonly env: Record<string, string>

  private constructor(parts: {
    database: Database
    carType: string
    redis: TestRedis | null
    postgres: EmbeddedServer
    folder: string
  }) {
    this.database = parts.database
    this.carType = parts.carType
    this.redis = parts.redis
    this.postgres = parts.postgres
    this.folder = parts.folder
    const { publicKey, privateKey } = generateKeys()
    this.env = {
      NODE_ENV: 'development',
      DEMO: 'off',
      HOST: '127.0.0.1',
      DATABASE_URL: `postgresql://${embeddedUser}@localhost/load?host=${parts.postgres.socketFolder}`,
      // Prepared maps are kept for the next run.
      DATA_DIR: join(tmpdir(), 'hansom-bench-maps'),
      AUTH_SECRET: secret,
      LOG_LEVEL: 'warn',
      VAPID_PUBLIC_KEY: publicKey,
      VAPID_PRIVATE_KEY: privateKey,
      ...(parts.redis === null ? {} : { REDIS_URL: `redis://127.0.0.1:${parts.redis.port}` }),
    }
  }

  /** Opens it without servers. Without `shared` there is no Redis, and one server serves. */
  static async open({ shared }: { shared: boolean }): Promise<LoadCity> {
    const folder = await mkdtemp(join(tmpdir(), 'hansom-load-'))
    await chmod(folder, 0o755)
    const postgres = await startEmbeddedServer({ dataDir: folder, detached: false })
    const open = (name: string) =>
      connectDatabase(
        {
          connection: { host: postgres.socketFolder, user: embeddedUser, database: name, max: 16 },
          description: name,
          exclusive: true,
        },
        silentLog(),
      )
    const maintenance = open('postgres')
    await maintenance.pool.query('create database load')
    await maintenance.close()
    const database = open('load')
    await migrate(database)
    await installJobs(database)
    const carType = uuidv7()
    await database.pool.query(
      `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
        convenience_fee_type, created_at) values ($1, 'Economy', $2, $2, $2, $2, $2, 'percentage', 0)`,
      [carType, 10 * unit],
    )
    await database.pool.query('insert into settings (value) values ($1)', [
      { otp_secure: false, driverRadius: 10, dispatch: { waveSeconds: 15, waveSize: 5, firstRadius: 10 } },
    ])
    const redis = shared ? await startTestRedis() : null
    return new LoadCity({ database, carType, redis, postgres, folder })
  }

  /** Starts one more server; resolves when it serves. */
  async addServer(): Promise<void> {
    const port = await freePort()
    const program = fileURLToPath(new URL('../../apps/server/dist/main.js', import.meta.url))
    const process = spawn(globalThis.process.execPath, ['--enable-source-maps', program], {
      env: { PATH: globalThis.process.env.PATH, ...this.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const origin = `http://127.0.0.1:${port}`
    while (!(await fetch(`${origin}/healthz`).catch(() => null))?.ok) {
      if (process.exitCode !== null) throw new Error('a server ended while it started')
      await wait(50)
    }
    this.servers.push({ origin, process })
  }

  /** Adds people with sessions. Drivers are approved, online and somewhere in the area, `freeShare` of them without a trip. */
  async addPeople(
    usertype: 'rider' | 'driver',
    count: number,
    area: Area = innerCity,
    freeShare = 1,
  ): Promise<Person[]> {
    const people = Array.from({ length: count }, () => ({
      id: uuidv7(),
      token: randomBytes(24).toString('hex'),
    }))
    const ids = people.map(({ id }) => id)
    const now = Date.now()
    await this.database.withTransaction(async ({ client }) => {
      await client.query('set local statement_timeout = 0')
      await client.query(
        `insert into users (id, created_at, first_name, last_name, email, mobile, usertype, approved, referral_id, car_type_id,
            vehicle_number, driver_active_status, queue, lat, lng, bearing, located_at)
          select id, $2, 'Load', 'Person', id || '@load.test', null, $3, true, id, case when $3 = 'driver' then $4::uuid end,
            case when $3 = 'driver' then left(id::text, 8) end, $3 = 'driver', $3 = 'driver' and random() >= $5,
            case when $3 = 'driver' then $6 + random() * ($7::float8 - $6) end,
            case when $3 = 'driver' then $8 + random() * ($9::float8 - $8) end,
            case when $3 = 'driver' then floor(random() * 360) end, case when $3 = 'driver' then $2::bigint end
          from unnest($1::uuid[]) id`,
        [ids, now, usertype, this.carType, freeShare, area.south, area.north, area.west, area.east],
      )
      await client.query(
        `insert into auth_users (id, name, email, email_verified)
          select id, 'Load', id || '@load.test', true from unnest($1::uuid[]) id`,
        [ids],
      )
      await client.query(
        `insert into auth_sessions (id, token, user_id, expires_at)
          select id, token, id, now() + interval '1 day' from unnest($1::uuid[], $2::text[]) as p(id, token)`,
        [ids, people.map(({ token }) => token)],
      )
    })
    return people.map(({ id, token }) => ({ id, token: signedToken(token, secret) }))
  }

  /** Call it after adding many: PostgreSQL plans by how many there are. */
  async addedPeople(): Promise<void> {
    await this.pool.query('analyze users, auth_users, auth_sessions')
  }

  get databaseUrl(): string {
    return this.env.DATABASE_URL as string
  }

  get pool(): Pool {
    return this.database.pool
  }

  /** Resolves when every event was delivered and what follows from them has had a moment. */
  async delivered(): Promise<void> {
    while ((await this.pool.query('select from outbox')).rowCount !== 0) await wait(50)
    await wait(2_000)
  }

  /** CPU time spent until now, ms. PostgreSQL's includes that of this process's few own queries. */
  async cpu(): Promise<CpuTimes> {
    const postmaster = (await findPostmaster(this.postgres.dataFolder))?.pid ?? 0
    const [system = 0, user = 0] = await this.redisInfo('cpu', ['used_cpu_sys', 'used_cpu_user'])
    return {
      servers: this.servers.reduce((sum, { process }) => sum + cpuOfFamily(Number(process.pid)), 0),
      postgres: cpuOfFamily(postmaster),
      redis: (system + user) * 1_000,
    }
  }

  /** Bytes that Redis has received and sent until now. */
  async busBytes(): Promise<{ in: number; out: number }> {
    const names = ['total_net_input_bytes', 'total_net_output_bytes']
    const [received = 0, sent = 0] = await this.redisInfo('stats', names)
    return { in: received, out: sent }
  }

  private async redisInfo(section: string, names: readonly string[]): Promise<number[]> {
    if (this.redis === null) return names.map(() => 0)
    const client = new Redis(this.redis.port, '127.0.0.1', { protocol: 2 })
    const text = await client.info(section)
    client.disconnect()
    return names.map((name) => Number(new RegExp(`${name}:([\\d.]+)`).exec(text)?.[1]))
  }

  /** Resident memory of each server, bytes. */
  memory(): number[] {
    return this.servers.map(({ process }) => {
      const status = readFileSync(`/proc/${process.pid}/status`, 'utf8')
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
    })
  }

  async stopServers(): Promise<void> {
    await Promise.all(
      this.servers.splice(0).map(async ({ process }) => {
        const ended = once(process, 'exit')
        process.kill('SIGTERM')
        await ended
      }),
    )
  }

  async close(): Promise<void> {
    await this.stopServers()
    await this.redis?.close()
    await this.database.close()
    await this.postgres.stop()
    await rm(this.folder, { recursive: true, force: true })
  }
}

/** CPU time of a process, and of its children that have ended (proc(5)), ms; zero for one that has ended. */
export function cpuOf(pid: number): { own: number; ended: number } {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return { own: 0, ended: 0 }
  }
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15)
  const ms = 1_000 / ticksPerSecond
  return { own: (user + system) * ms, ended: (endedUser + endedSystem) * ms }
}

/** That of a process with its children, such as those that write receipts, living and ended, ms. */
function cpuOfFamily(pid: number): number {
  const { own, ended } = cpuOf(pid)
  return own + ended + childrenOf(pid).reduce((sum, child) => sum + cpuOf(child).own, 0)
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'latin1')
      return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) === parent ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
