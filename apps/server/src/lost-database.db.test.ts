import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from './test-app.ts'
import { Journey, prepareCity } from './test-journeys.ts'
import { ServerProcess } from './test-server-process.ts'

/** Trips over HTTP while all database connections of the server are terminated repeatedly. */
const trips = 5
const losses = 6

let app: TestApp
let server: ServerProcess

beforeAll(async () => {
  app = await createTestApp()
  server = await ServerProcess.at(app.database.url)
}, 60_000)

afterAll(async () => {
  await server.end('SIGTERM')
  await app.close()
}, 60_000)

const loseConnections = () =>
  app.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  )

test('database connections lost under load -> process survives, trips complete, nothing acknowledged lost', {
  timeout: 240_000,
}, async () => {
  const carType = await prepareCity(app)
  await server.start()
  const beginning = Array.from({ length: trips }, (_, number) => Journey.begin(app, server, carType, number))
  const journeys = await Promise.all(beginning)
  const driven = server.whileRunning(Promise.all(journeys.map((journey) => journey.drive())))
  const acknowledged = () => journeys.reduce((sum, journey) => sum + journey.answers.length, 0)
  for (let loss = 0; loss < losses; loss++) {
    const target = acknowledged() + 4
    const isDue = () => acknowledged() >= target || journeys.every((journey) => journey.isDone)
    while (server.isRunning() && !isDue()) await wait(5)
    await loseConnections()
  }
  await driven
  expect(server.isRunning()).toBe(true)
  for (const journey of journeys) await journey.expectNothingLost()
  await expect.poll(() => server.health().then((answer) => answer?.status), { timeout: 30_000 }).toBe(200)
  expect(server.output).not.toContain('    at ')
})

test('second server on the database -> stands by with 503, takes over when the first is killed', {
  timeout: 240_000,
}, async () => {
  const second = await ServerProcess.at(app.database.url)
  try {
    second.launch()
    const state = async () =>
      ((await (await second.health())?.json()) as { state?: string } | undefined)?.state
    await expect.poll(state, { timeout: 60_000 }).toBe('standing by')
    const asked = await fetch(second.url('/api/v1/settings'))
    expect(asked.status).toBe(503)
    expect(Number(asked.headers.get('retry-after'))).toBeGreaterThan(0)
    const page = await fetch(second.url('/'), { headers: { accept: 'text/html' } })
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    expect((await server.health())?.status).toBe(200)

    await server.end('SIGKILL')
    await second.untilHealthy()
    expect((await fetch(second.url('/api/v1/settings'))).status).toBe(200)
  } finally {
    await second.end('SIGTERM')
  }
})
