import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'

/** No Redis server can be started; `message` is printed as is and contains the fix. */
export class NoRedisError extends Error {
  override readonly name = 'NoRedisError'
}

export interface OwnRedis {
  url: string
  stop(): Promise<void>
}

interface Place {
  port: number
  password: string
}

const placeFile = (dataDir: string) => join(dataDir, 'redis.json')
const urlOf = ({ port, password }: Place) => `redis://:${password}@${host}:${port}`

const programs = ['redis-server', 'valkey-server']
const noProgram = `Several servers need Redis or Valkey. Install ${programs.join(' or ')}, or set REDIS_URL.`
const host = '127.0.0.1'
const restartMs = 500
const startMs = 5_000

/** An installed Redis server; undefined without one. */
export const redisProgram = programs.find(
  (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0,
)

/**
 * Starts a Redis server on loopback for the servers of this machine, and starts it again when it ends. It stores nothing; its
 * password is in `redis.json` in `dataDir`, readable only by this user. Throws NoRedisError.
 */
export async function startOwnRedis(
  dataDir: string,
  log: { warn(facts: object, text: string): void },
): Promise<OwnRedis> {
  if (redisProgram === undefined) throw new NoRedisError(noProgram)
  const file = placeFile(dataDir)
  // The one of a cluster that was killed.
  await readFile(file, 'utf8').then(
    (text) => shutDown(JSON.parse(text) as Place),
    () => {},
  )
  const place = { port: await freePort(), password: randomBytes(24).toString('base64url') }
  await rm(file, { force: true })
  await writeFile(file, JSON.stringify(place), { mode: 0o600, flag: 'wx' })

  let isStopping = false
  let child = launch(redisProgram, place)
  const watch = (one: ChildProcess) =>
    one.once('exit', async (code, signal) => {
      if (isStopping) return
      log.warn({ code, signal }, 'Redis ended, starting it again')
      await wait(restartMs)
      if (isStopping) return
      child = launch(redisProgram ?? '', place)
      watch(child)
    })
  if (!(await answers(place)))
    throw new NoRedisError(`${redisProgram} does not start. Set REDIS_URL to use another one.`)
  watch(child)
  return {
    url: urlOf(place),
    async stop() {
      isStopping = true
      const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
      await shutDown(place)
      if (ended) await Promise.race([ended, wait(2_000)])
      await rm(file, { force: true })
    },
  }
}

/** The Redis server that `startOwnRedis` runs for this folder, or left there when the cluster was killed; null without one. */
export async function findOwnRedis(dataDir: string): Promise<string | null> {
  try {
    return urlOf(JSON.parse(await readFile(placeFile(dataDir), 'utf8')) as Place)
  } catch {
    return null
  }
}

/** In a process group of its own, because it ends after the servers. The settings are not visible among its arguments. */
function launch(program: string, { port, password }: Place): ChildProcess {
  const child = spawn(program, ['-'], { stdio: ['pipe', 'ignore', 'ignore'], detached: true, cwd: '/' })
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  child.stdin?.end(
    [
      `bind ${host}`,
      `port ${port}`,
      `requirepass ${password}`,
      'save ""',
      'appendonly no',
      'maxmemory 256mb',
      'maxmemory-policy volatile-ttl',
      '',
    ].join('\n'),
  )
  return child
}

function clientOf({ port, password }: Place, patience: number): Redis {
  const client = new Redis({
    host,
    port,
    password,
    protocol: 2,
    maxRetriesPerRequest: null,
    connectTimeout: 1_000,
    retryStrategy: (times) => (times * 20 > patience ? null : 20),
  })
  client.on('error', () => {})
  return client
}

async function answers(place: Place): Promise<boolean> {
  const client = clientOf(place, startMs)
  try {
    return (await client.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    client.disconnect()
  }
}

async function shutDown(place: Place): Promise<void> {
  const client = clientOf(place, 0)
  await client.shutdown('NOSAVE').catch(() => {})
  client.disconnect()
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
