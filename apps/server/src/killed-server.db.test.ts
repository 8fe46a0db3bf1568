import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { BookingView } from '@hansom/contract/bookings'
import { unit } from '@hansom/domain/money/amount'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp, testPassword } from './test-app.ts'

/** Ten trips over HTTP while the server is killed under them, again and again, and started anew. */
const trips = 10
const kills = 3
const pickup = { lat: -34.9058, lng: -56.1913, add: 'Plaza Independencia' }
const drop = { lat: -34.8941, lng: -56.1652, add: 'Tres Cruces' }

let app: TestApp
let server: ChildProcess | undefined
let port: number
let carType: string

beforeAll(async () => {
  app = await createTestApp()
  port = await freePort()
  carType = uuidv7()
  await app.database.pool.query(
    `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
      convenience_fee_type, created_at) values ($1, 'Economy', $2, $2, $2, $2, $2, 'percentage', 0)`,
    [carType, 10 * unit],
  )
  await app.database.pool.query(`insert into settings (value) values ($1)`, [
    { otp_secure: false, driverRadius: 20, dispatch: { waveSeconds: 600, waveSize: 20, firstRadius: 20 } },
  ])
  await startServer()
}, 120_000)

afterAll(async () => {
  if (server?.exitCode === null) {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
  await app.close()
}, 60_000)

test('ten trips go on, no fare is charged twice, nothing acknowledged is lost', {
  timeout: 240_000,
}, async () => {
  const journeys = await Promise.all(Array.from({ length: trips }, (_, number) => Journey.begin(number)))
  const driven = Promise.all(journeys.map((journey) => journey.drive()))
  for (let kill = 0; kill < kills; kill++) {
    const acknowledged = () => journeys.reduce((sum, journey) => sum + journey.answers.length, 0)
    const target = acknowledged() + 15
    while (acknowledged() < target && journeys.some((journey) => !journey.isDone)) await wait(5)
    server?.kill('SIGKILL')
    await once(server as ChildProcess, 'exit')
    await startServer()
  }
  await driven

  const { pool } = app.database
  for (const journey of journeys) {
    const events = await pool.query<{ version: number; to: string; command: string }>(
      'select version, to_status as "to", command from booking_events where booking_id = $1 order by version',
      [journey.id],
    )
    // Whatever was answered is in the history, as it was answered.
    for (const { version, status } of journey.answers) {
      expect(events.rows[version - 1]).toMatchObject({ version, to: status })
    }
    expect(
      events.rows.map((event) => event.command).filter((command) => command !== 'request_drivers'),
    ).toEqual(['create', 'accept', 'arrive', 'start', 'reach', 'close', 'rate'])
    const points = await pool.query<{ at: number }>('select at from tracking where booking_id = $1', [
      journey.id,
    ])
    const stored = new Set(points.rows.map((point) => point.at))
    expect(journey.positions.filter((at) => !stored.has(at))).toEqual([])

    const { rows } = await pool.query(
      `select b.status, b.convenience_fees, u.wallet_balance, u.queue,
        (select count(*) from ledger_entries e where e.booking_id = b.id and e.kind = 'settlement') as settled
        from bookings b join users u on u.id = b.driver where b.id = $1`,
      [journey.id],
    )
    expect(rows[0]).toMatchObject({
      status: 'COMPLETE',
      settled: 1,
      queue: false,
      wallet_balance: -rows[0].convenience_fees,
    })
  }
  const made = await pool.query('select count(*) as n from bookings')
  expect(made.rows[0].n).toBe(trips)
  // Everything was told in the end: each notice once.
  await expect
    .poll(async () => (await pool.query('select count(*) as n from outbox')).rows[0].n, { timeout: 30_000 })
    .toBe(0)
  const told = await pool.query(
    `select count(*) filter (where title = 'notify.accepted.title') as accepted,
      count(*) filter (where title = 'notify.rider_paid.title') as paid from user_notifications`,
  )
  expect(told.rows[0]).toEqual({ accepted: trips, paid: trips })
})

/** One rider's trip with one driver. Each step is repeated until it is answered, under its own key. */
class Journey {
  id = ''
  isDone = false
  /** What the server has answered. */
  readonly answers: { version: number; status: string }[] = []
  /** Times of the positions it has acknowledged while the trip was running. */
  readonly positions: number[] = []
  private readonly rider: string
  private readonly driver: string
  private readonly driverId: string

  private constructor(rider: string, driver: string, driverId: string) {
    this.rider = rider
    this.driver = driver
    this.driverId = driverId
  }

  static async begin(number: number): Promise<Journey> {
    const [rider, driver] = [`rider${number}@example.test`, `driver${number}@example.test`]
    await app.addPerson({ email: rider, usertype: 'rider' })
    const driverId = await app.addPerson({ email: driver, usertype: 'driver' })
    await app.database.pool.query('update users set car_type_id = $2 where id = $1', [driverId, carType])
    const journey = new Journey(await signIn(rider), await signIn(driver), driverId)
    await journey.report(0)
    await until(() => post('/api/v1/driver/online', journey.driver, { online: true }))
    return journey
  }

  async drive(): Promise<void> {
    const body = { pickup, drop, car_type_id: carType, bookLater: false, payment_mode: 'cash' }
    await this.step('/api/v1/bookings', this.rider, body)
    await this.waitForRequest()
    const path = (command: string) => `/api/v1/bookings/${this.id}/${command}`
    await this.step(path('accept'), this.driver)
    await this.step(path('arrive'), this.driver)
    await this.step(path('start'), this.driver)
    for (let share = 1; share <= 10; share++) {
      const at = await this.report(share / 100)
      this.positions.push(at)
    }
    await this.step(path('reach'), this.driver)
    await this.step(path('close'), this.driver)
    await this.step(path('rate'), this.rider, { rating: 5 })
    this.isDone = true
  }

  private async step(path: string, bearer: string, body: object = {}): Promise<void> {
    const key = uuidv7()
    const view = (await until(() => post(path, bearer, body, key))) as BookingView
    this.id = view.id
    this.answers.push({ version: view.version, status: view.status })
    await wait(Math.random() * 150)
  }

  private async report(share: number): Promise<number> {
    const lat = pickup.lat + (drop.lat - pickup.lat) * share
    const lng = pickup.lng + (drop.lng - pickup.lng) * share
    const at = Date.now()
    await until(() => post('/api/v1/driver/positions', this.driver, { positions: [{ lat, lng, at }] }))
    await wait(40)
    return at
  }

  private async waitForRequest(): Promise<void> {
    for (;;) {
      const asked = await app.database.pool.query(
        'select 1 from booking_requests where booking_id = $1 and driver_id = $2',
        [this.id, this.driverId],
      )
      if (asked.rowCount === 1) return
      const ended = await app.database.pool.query(
        "select 1 from bookings where id = $1 and status = 'CANCELLED'",
        [this.id],
      )
      if (ended.rowCount === 1) throw new Error('the booking was given up before its driver was asked')
      await this.report(0)
      await wait(100)
    }
  }
}

const url = (path: string) => `http://127.0.0.1:${port}${path}`

async function signIn(email: string): Promise<string> {
  const answer = await fetch(url('/api/auth/sign-in/email'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url('') },
    body: JSON.stringify({ email, password: testPassword }),
  })
  const { token } = (await answer.json()) as { token: string }
  return `Bearer ${token}`
}

/** The answer, or null when the server was not there to give one. Throws for a refusal. */
async function post(path: string, bearer: string, body: object, key?: string): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    authorization: bearer,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  }
  let text: string
  let status: number
  try {
    const answer = await fetch(url(path), { method: 'POST', headers, body: JSON.stringify(body) })
    status = answer.status
    text = await answer.text()
  } catch {
    return null
  }
  if (status >= 300) throw new Error(`${path} answered ${status}: ${text}`)
  return JSON.parse(text)
}

async function until(attempt: () => Promise<unknown>): Promise<unknown> {
  for (;;) {
    const answer = await attempt()
    if (answer !== null) return answer
    await wait(50)
  }
}

async function startServer(): Promise<void> {
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const started = spawn(process.execPath, ['--import', 'tsx', main], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DEMO: 'off',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: app.database.url,
      DATA_DIR: join(tmpdir(), 'hansom-test-maps'),
      AUTH_SECRET: 'a secret that is only used by tests, long enough',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  server = started
  for (;;) {
    if (started.exitCode !== null) throw new Error(`the server ended with ${started.exitCode}`)
    const isUp = await fetch(url('/healthz')).then(
      (answer) => answer.ok,
      () => false,
    )
    if (isUp) return
    await wait(50)
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
