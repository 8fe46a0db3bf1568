import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@hansom/doubles/free-port'
import { openProxy } from '@hansom/doubles/proxy'
import { Redis } from 'ioredis'
import { redisProgram } from './own-redis.ts'

/** A Redis server of the test's own, on loopback, which stores nothing. */
export interface TestRedis {
  port: number
  /** Ends the process without a farewell. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  close(): Promise<void>
}

/** `npm test` installs one where it can. */
const program = redisProgram

/** An outside Redis server, which tests use where no program is installed. */
const outside = process.env.REDIS_URL

export const hasRedis = program !== undefined || outside !== undefined

export async function startTestRedis(): Promise<TestRedis> {
  if (program === undefined) return reachOutside(new URL(outside ?? ''))
  const folder = mkdtempSync(join(tmpdir(), 'hansom-redis-'))
  const port = await freePort()
  let child: ChildProcess | undefined
  const kill = async () => {
    if (!child) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    child = undefined
  }
  const start = async () => {
    const options = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
    ]
    child = spawn(program, options, { stdio: 'ignore' })
    const probe = new Redis(port, '127.0.0.1', {
      retryStrategy: () => 20,
      maxRetriesPerRequest: null,
      protocol: 2,
    })
    probe.on('error', () => {})
    await probe.ping()
    probe.disconnect()
  }
  await start()
  return {
    port,
    kill,
    start,
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** An outside server, of which tests only cut the connection. */
async function reachOutside({ hostname, port }: URL): Promise<TestRedis> {
  const proxy = await openProxy({ host: hostname, port: Number(port || 6379) })
  return {
    port: proxy.port,
    kill: async () => proxy.cut(),
    start: () => proxy.restore(),
    close: async () => proxy.close(),
  }
}
