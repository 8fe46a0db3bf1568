import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from './test-app.ts'
import { expectInvariants } from './test-invariants.ts'
import { Journey, prepareCity } from './test-journeys.ts'
import { ServerProcess } from './test-server-process.ts'

/** Six trips over HTTP while the server is repeatedly killed and restarted; faults.long.test.ts kills three servers for minutes. */
const trips = 6
const kills = 2

let app: TestApp
let server: ServerProcess
let carType: string

beforeAll(async () => {
  app = await createTestApp()
  carType = await prepareCity(app)
  server = await ServerProcess.at(app.database.url)
  await server.start()
}, 120_000)

afterAll(async () => {
  await server.end('SIGTERM')
  await app.close()
}, 60_000)

test('server killed repeatedly: six trips -> all complete, none charged twice, nothing acknowledged lost', {
  timeout: 240_000,
}, async () => {
  const beginning = Array.from({ length: trips }, (_, number) => Journey.begin(app, server, carType, number))
  const journeys = await Promise.all(beginning)
  const driven = Promise.all(journeys.map((journey) => journey.drive()))
  for (let kill = 0; kill < kills; kill++) {
    const acknowledged = () => journeys.reduce((sum, journey) => sum + journey.answers.length, 0)
    const target = acknowledged() + 15
    while (acknowledged() < target && journeys.some((journey) => !journey.isDone)) await wait(5)
    await server.end('SIGKILL')
    await server.start()
  }
  await driven

  await expectInvariants(app, journeys)
  const { pool } = app.database
  for (const journey of journeys) {
    const events = await pool.query<{ command: string }>(
      'select command from booking_events where booking_id = $1 order by version',
      [journey.id],
    )
    expect(
      events.rows.map((event) => event.command).filter((command) => command !== 'request_drivers'),
    ).toEqual(['create', 'accept', 'arrive', 'start', 'reach', 'close', 'rate'])

    const { rows } = await pool.query(
      `select case b.payment_mode when 'cash' then -b.convenience_fees else b.driver_share end as due, u.wallet_balance, u.queue
        from bookings b join users u on u.id = b.driver where b.id = $1`,
      [journey.id],
    )
    expect(rows[0]).toMatchObject({ queue: false, wallet_balance: rows[0].due })
  }
  const made = await pool.query('select count(*) as n from bookings')
  expect(made.rows[0].n).toBe(trips)
})
