import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, startPostgres } from './fault-city.fixture.ts'
import type { EmbeddedServer } from './platform/database/embedded/embedded-server.ts'
import { createTestApp, type TestApp } from './test-app.ts'
import { Journey, prepareCity } from './test-journeys.ts'
import { ServerProcess } from './test-server-process.ts'

/** A real server under load while PostgreSQL fails: full-length versions of lost-database.db.test.ts. */

const people = 8
const outageMs = 30_000
const recoveryMs = 5_000
/** Maximum log lines per outage. */
const linesPerOutage = 60

let folder: string
let postgres: EmbeddedServer
let app: TestApp
let server: ServerProcess
let carType: string
let journeys: Journey[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hansom-outages-'))
  await chmod(folder, 0o755)
  postgres = await startPostgres(folder)
  const database = await openDatabase(postgres.socketFolder)
  app = await createTestApp({ database })
  carType = await prepareCity(app)
  server = await ServerProcess.at(database.url)
  // Prepares the map once for all runs.
  await server.start()
  await server.end('SIGTERM')
  server.output = ''
})

afterAll(async () => {
  await server?.end('SIGTERM')
  await app?.close()
  await postgres?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Drives consecutive trips until `isOver`, and waits for those in progress. */
async function load(isOver: () => boolean): Promise<void> {
  const drive = async (journey: Journey) => {
    while (!isOver()) await journey.drive()
  }
  await server.whileRunning(Promise.all(journeys.map(drive)))
}

const acknowledged = () => journeys.reduce((sum, journey) => sum + journey.answers.length, 0)

/** Returns the time from now until a command is acknowledged and the health check is good, ms. */
async function recovery(driven: Promise<void>): Promise<number> {
  const startedAt = performance.now()
  const before = acknowledged()
  const isBack = async () => acknowledged() > before && (await server.health())?.status === 200
  const over = driven.then(() => expect.fail('the trips ended before the server was back'))
  while (!(await Promise.race([isBack(), over]))) await wait(20)
  return performance.now() - startedAt
}

const figures = (name: string, values: object) =>
  console.log(
    `${name}: ${Object.entries(values)
      .map(([key, value]) => `${key} ${Math.round(Number(value))}`)
      .join(', ')}`,
  )

async function expectSound(linesBefore: number, name: string, more: object): Promise<void> {
  expect(server.isRunning()).toBe(true)
  for (const journey of journeys) await journey.expectNothingLost()
  const printed = server.output.split('\n').slice(linesBefore)
  expect(printed.filter((line) => /^\s+at /.test(line))).toEqual([])
  figures(name, { ...more, acknowledged: acknowledged(), lines: printed.length })
  expect(printed.length).toBeLessThanOrEqual(linesPerOutage)
}
const linesNow = () => server.output.split('\n').length - 1

test('at start: database unavailable for 30 s -> server waits, is ready soon after', async () => {
  await postgres.stop()
  // A few people take hundreds of trips.
  server.launch({ MAIL_DAILY_LIMIT: '1000000', MAIL_DAILY_LIMIT_PERSON: '1000000' })
  const startedAt = performance.now()
  while (performance.now() - startedAt < outageMs) {
    expect(server.isRunning(), server.output).toBe(true)
    expect((await server.health())?.status ?? 503).toBe(503)
    await wait(500)
  }
  postgres = await startPostgres(folder)
  const back = performance.now()
  await server.untilHealthy()
  const readyMs = performance.now() - back
  figures('absent at start', { ready_ms: readyMs, lines: linesNow() })
  expect(linesNow()).toBeLessThanOrEqual(linesPerOutage)
  // The test's connections are lost too.
  const answers = () =>
    app.database.pool.query('select 1').then(
      () => true,
      () => false,
    )
  await expect.poll(answers).toBe(true)
  journeys = await Promise.all(
    Array.from({ length: people }, (_, number) => Journey.begin(app, server, carType, number)),
  )
  expect(readyMs).toBeLessThanOrEqual(recoveryMs)
})

test('under load: connections terminated every second for a minute -> nothing acknowledged lost', async () => {
  const lines = linesNow()
  let isOver = false
  const driven = load(() => isOver)
  const before = acknowledged()
  for (let second = 0; second < 60; second++) {
    await wait(1_000)
    expect(server.isRunning(), server.output).toBe(true)
    await app.database.pool
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      )
      .catch(() => {})
  }
  const during = acknowledged() - before
  const recovered_ms = await recovery(driven)
  isOver = true
  await driven
  await expectSound(lines, 'ended once a second', { during, recovered_ms })
  expect(recovered_ms).toBeLessThanOrEqual(recoveryMs)
})

test('under load: database stopped for 30 s -> 503, recovers soon after', async () => {
  const lines = linesNow()
  let isOver = false
  const driven = load(() => isOver)
  const target = acknowledged() + 20
  while (acknowledged() < target) await wait(50)
  await postgres.stop()
  await wait(outageMs)
  const asked = await fetch(server.url('/api/v1/car-types'))
  expect([asked.status, Number(asked.headers.get('retry-after')) > 0]).toEqual([503, true])
  postgres = await startPostgres(folder)
  const recovered_ms = await recovery(driven)
  isOver = true
  await driven
  await expectSound(lines, 'stopped for 30 s', { recovered_ms })
  expect(recovered_ms).toBeLessThanOrEqual(recoveryMs)
})
