import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@hansom/doubles/free-port'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askRedis } from './adapters/server-bus/ask-redis.ts'
import { findOwnRedis, redisProgram } from './adapters/server-bus/own-redis.ts'
import { startTestRedis } from './adapters/server-bus/test-redis.ts'
import { examine } from './doctor.ts'
import { embeddedUser } from './platform/database/embedded/data-folder.ts'
import { embeddedName } from './platform/database/open-database.ts'
import { createTestApp, secret } from './test-app.ts'
import { startCluster, stopClusters, type TestCluster } from './test-cluster.ts'
import { expectInvariants, followTrips } from './test-invariants.ts'
import { Journey, prepareCity } from './test-journeys.ts'
import { ServerCalls } from './test-server-process.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'hansom-cluster-'))
const clusters: TestCluster[] = []

beforeAll(() => {
  // The map that the tests of servers have prepared.
  const maps = join(tmpdir(), 'hansom-test-maps', 'maps')
  mkdirSync(maps, { recursive: true })
  symlinkSync(maps, join(dataDir, 'maps'))
})
afterAll(async () => {
  await stopClusters(clusters)
  rmSync(dataDir, { recursive: true, force: true })
})

async function cluster(args: string[], port: number, more: Record<string, string> = {}) {
  const started = await startCluster(args, { DATA_DIR: dataDir, PORT: String(port), ...more })
  clusters.push(started)
  return started
}

const postmaster = join(dataDir, 'postgres', 'postmaster.pid')

/** The processes of the servers that share the database. */
async function servers(): Promise<number[]> {
  const host = readFileSync(postmaster, 'utf8').split('\n')[4]
  const client = new Client({ host, user: embeddedUser, database: embeddedName })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>('select name from servers')
    return rows.map(({ name }) => Number(/process (\d+)/.exec(name)?.[1]))
  } finally {
    await client.end()
  }
}

/** What the doctor finds in the folder, without anything to mend. */
async function diagnosis(): Promise<string[]> {
  const findings = await examine({
    variables: { DATA_DIR: dataDir, PORT: '0', DEMO: 'off' },
    workingFolder: dataDir,
    nodeVersion: '20.19.0',
    oldestNode: '20.19',
    maps: () => ({ used: ['montevideo'], unusable: [] }),
    redis: askRedis,
    ownRedis: { program: redisProgram, find: findOwnRedis },
  })
  expect(findings.filter(({ level }) => level === 'problem')).toEqual([])
  return findings.map(({ text }) => text)
}

test.skipIf(redisProgram === undefined)(
  'npm run cluster: one of two servers is killed -> the site goes on, it is started again; TERM ends everything',
  async () => {
    const port = await freePort()
    const { child, said } = await cluster(['2'], port)
    await expect.poll(said, { timeout: 60_000, interval: 100 }).toContain('2 servers behind')
    expect(said().match(/setup\?token=/g)).toHaveLength(1)
    const statusOf = async () => (await fetch(`http://127.0.0.1:${port}/api/v1/settings`)).status
    expect([await statusOf(), await statusOf()]).toEqual([200, 200])
    for (const secret of ['auth-secret', 'vapid-keys.json', 'redis.json'])
      expect(statSync(join(dataDir, secret)).mode & 0o777, secret).toBe(0o600)

    const second = await cluster(['2'], await freePort())
    await once(second.child, 'exit')
    expect(second.said()).toContain('Another cluster runs')

    expect((await diagnosis()).join()).toMatch(
      /auth-secret is valid.*2 servers use the database.* answers in/,
    )
    const before = await servers()
    process.kill(before[0] as number, 'SIGKILL')
    expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([200, 200, 200])
    await expect
      .poll(async () => (await servers()).filter((pid) => !before.includes(pid)).length, { timeout: 30_000 })
      .toBe(1)

    const restart = await cluster(['restart'], port)
    const [code] = await once(restart.child, 'exit')
    expect([code, restart.said()]).toEqual([0, 'server 1 of 2 restarted\nserver 2 of 2 restarted\ndone\n'])
    expect((await servers()).filter((pid) => before.includes(pid))).toEqual([])

    const last = await servers()
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    const steps = said().match(/^(Starting|Stopp).*$/gm)
    const both = ['Starting server 1 of 2', 'Starting server 2 of 2']
    expect(steps?.map((step) => step.replace(/ \(port \d+\)$/, ''))).toEqual(
      // The restart starts both again.
      ['Starting Redis', 'Starting PostgreSQL', ...both, ...both, 'Stopping', 'Stopped'],
    )
    expect(last.filter(isRunning)).toEqual([])
    for (const file of [postmaster, join(dataDir, 'redis.json')]) expect(existsSync(file), file).toBe(false)
    expect((await diagnosis()).join()).toMatch(/auth-secret is valid.*No server uses.*its start also starts/)
  },
  180_000,
)

test.skipIf(redisProgram === undefined)(
  'npm run cluster -- restart: under load -> every command that was acknowledged and every event is there',
  async () => {
    const app = await createTestApp()
    const redis = await startTestRedis()
    try {
      const carType = await prepareCity(app, 5)
      const port = await freePort()
      const { child, said } = await cluster(['3'], port, {
        DATABASE_URL: app.database.url,
        REDIS_URL: `redis://127.0.0.1:${redis.port}`,
        AUTH_SECRET: secret,
      })
      await expect.poll(said, { timeout: 60_000, interval: 100 }).toContain('3 servers behind')
      const calls = new ServerCalls(`http://127.0.0.1:${port}`)
      const begin = (_: unknown, number: number) => Journey.begin(app, calls, carType, number)
      const journeys = await Promise.all(Array.from({ length: 8 }, begin))
      const followers = journeys.map((journey) => followTrips(calls.origin, journey))
      let isOver = false
      const drive = async (journey: Journey) => {
        while (!isOver) await journey.drive()
      }
      const driven = Promise.all(journeys.map(drive))
      calls.forget()
      for (let time = 0; time < 3; time++) {
        const restart = await cluster(['restart'], port)
        expect(await once(restart.child, 'exit')).toEqual([0, null])
      }
      isOver = true
      await driven
      await expectInvariants(app, journeys)
      for (const follower of followers) await follower.expectAll()
      const acknowledged = journeys.reduce((sum, journey) => sum + journey.answers.length, 0)
      console.table({ 'three rolling restarts': { acknowledged, slowest_ms: Math.round(calls.slowestMs) } })
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    } finally {
      await redis.close()
      await app.close()
    }
  },
  600_000,
)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
