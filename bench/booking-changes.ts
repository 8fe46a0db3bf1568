import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Actor } from '@hansom/domain/access/relation'
import { unit } from '@hansom/domain/money/amount'
import { defaultSettings } from '@hansom/domain/settings/settings'
import type { Pool } from 'pg'
import { embeddedDriverIndex } from '../apps/server/src/adapters/driver-index/embedded.ts'
import { localBus } from '../apps/server/src/adapters/server-bus/port.ts'
import { createBookingsFeature } from '../apps/server/src/features/bookings/feature.ts'
import { drop, pickup, straightMaps } from '../apps/server/src/features/bookings/straight-city.fixture.ts'
import { createCarTypesService } from '../apps/server/src/features/car-types/service.ts'
import { createPromosService } from '../apps/server/src/features/promos/service.ts'
import { createUsersService } from '../apps/server/src/features/users/service.ts'
import { createWalletService } from '../apps/server/src/features/wallet/service.ts'
import { systemClock } from '../apps/server/src/platform/clock/clock.ts'
import { connectDatabase, type Database } from '../apps/server/src/platform/database/database.ts'
import { embeddedUser } from '../apps/server/src/platform/database/embedded/data-folder.ts'
import { startEmbeddedServer } from '../apps/server/src/platform/database/embedded/embedded-server.ts'
import { migrate } from '../apps/server/src/platform/database/migrate.ts'
import { createJobs, installJobs } from '../apps/server/src/platform/jobs/jobs.ts'
import { TopicRegistry } from '../apps/server/src/platform/live/topics.ts'
import { silentLog } from '../apps/server/src/platform/log/log.ts'
import { createOutbox } from '../apps/server/src/platform/outbox/outbox.ts'
import type { Line } from './limits.ts'

/**
 * Booking changes per second: accept, arrive, start, reach, close and rate, each through the service (facts read, rule
 * decided; booking, history, driver, ledger and outbox written in one durable commit). `ours` counts until every change
 * is committed; `delivered_ours` until the outbox has also delivered all events, with notifications, saved places and
 * jobs.
 *
 * The limit is pgbench's built-in `simple-update`, its TPC-B transaction of three statements (update an account, select
 * it, insert a history row) between begin and end, on the same server with the same client, number of connections and
 * prepared statements: the commit rate of this machine without any decisions.
 */
export interface ChangesLine extends Line {
  delivered_ours: number
  changes: number
}

const connections = 16
const slices = 10
const tripsPerSlice = 60
const changesPerTrip = 6
const transactionsPerSlice = 1_000
const accounts = 100_000

/** Runs both sides on one durable, temporary server. */
export async function run(): Promise<ChangesLine> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hansom-bench-'))
  const server = await startEmbeddedServer({ dataDir })
  const connection = { host: server.socketFolder, user: embeddedUser, max: connections }
  const open = (name: string) =>
    connectDatabase(
      { connection: { ...connection, database: name }, description: name, exclusive: true },
      silentLog(),
    )
  const maintenance = open('postgres')
  await maintenance.pool.query('create database bench')
  await maintenance.close()
  const database = open('bench')
  try {
    await migrate(database)
    await prepareTpc(database.pool)
    const ours = await runChanges(database)
    return {
      job: 'booking-changes',
      unit: 'changes/s',
      ours: Math.round(ours.committed),
      peer: Math.round(ours.limit),
      peer_name: 'pgbench simple-update (limit)',
      ratio: Math.round((ours.committed / ours.limit) * 100) / 100,
      delivered_ours: Math.round(ours.delivered),
      changes: slices * tripsPerSlice * changesPerTrip,
    }
  } finally {
    await database.close()
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

export async function prepareTpc(pool: Pool): Promise<void> {
  await pool.query(`create table pgbench_accounts (aid int primary key, bid int, abalance int, filler char(84));
    create table pgbench_history (tid int, bid int, aid int, delta int, mtime timestamp, filler char(22));
    insert into pgbench_accounts select n, 1, 0, '' from generate_series(1, ${accounts}) n;
    analyze pgbench_accounts`)
}

/** Runs transactions; returns the time, ms. */
export async function runTpc(pool: Pool, transactions: number): Promise<number> {
  let left = transactions
  const startedAt = performance.now()
  await onAllConnections(async () => {
    const client = await pool.connect()
    while (left-- > 0) {
      const aid = 1 + Math.floor(Math.random() * accounts)
      const delta = Math.floor(Math.random() * 10_001) - 5_000
      await client.query({ name: 'tpc-begin', text: 'begin' })
      await client.query({
        name: 'tpc-update',
        text: 'update pgbench_accounts set abalance = abalance + $1 where aid = $2',
        values: [delta, aid],
      })
      await client.query({
        name: 'tpc-select',
        text: 'select abalance from pgbench_accounts where aid = $1',
        values: [aid],
      })
      await client.query({
        name: 'tpc-insert',
        text: `insert into pgbench_history (tid, bid, aid, delta, mtime) values ($1, 1, $2, $3, current_timestamp)`,
        values: [1 + (aid % 10), aid, delta],
      })
      await client.query({ name: 'tpc-end', text: 'end' })
    }
    client.release()
  })
  return performance.now() - startedAt
}

/** Runs both sides; all results are per second. The sides take turns, so that other load on the machine slows both. */
async function runChanges(
  database: Database,
): Promise<{ committed: number; delivered: number; limit: number }> {
  const city = await openCity(database)
  const { pool } = database
  await runTrips(city, await prepareTrips(city, pool, tripsPerSlice))
  await runTpc(pool, transactionsPerSlice)
  await city.outbox.idle()
  const spent = { changes: 0, delivered: 0, tpc: 0 }
  for (let slice = 0; slice < slices; slice++) {
    const prepared = await prepareTrips(city, pool, tripsPerSlice)
    await city.outbox.idle()
    await city.outbox.stop()
    spent.changes += await runTrips(city, prepared)
    spent.tpc += await runTpc(pool, transactionsPerSlice)
    const startedAt = performance.now()
    city.outbox.start()
    await city.outbox.idle()
    spent.delivered += performance.now() - startedAt
  }
  await city.outbox.stop()
  await city.jobs.stop()
  await city.feature.stop()
  const changes = slices * tripsPerSlice * changesPerTrip
  return {
    committed: (changes / spent.changes) * 1000,
    delivered: (changes / (spent.changes + spent.delivered)) * 1000,
    limit: ((slices * transactionsPerSlice) / spent.tpc) * 1000,
  }
}

type City = Awaited<ReturnType<typeof openCity>>
interface Prepared {
  id: string
  rider: Actor
  driver: Actor
}

async function openCity(database: Database) {
  const log = silentLog()
  const clock = systemClock
  const outbox = createOutbox({ database, log })
  await installJobs(database)
  const jobs = createJobs(database, clock, log)
  const settings = {
    ...defaultSettings,
    otp_secure: false,
    autoDispatch: false,
    negativeBalance: true,
    version: 1,
  }
  const feature = createBookingsFeature({
    database,
    clock,
    log,
    maps: straightMaps(),
    driverIndex: embeddedDriverIndex(),
    bus: localBus(),
    jobs,
    outbox,
    hub: { publish: () => {}, publishVolatile: () => {}, reauthorize: () => {}, onPosition: () => {} },
    topics: new TopicRegistry(),
    settings: { current: async () => settings, onChange: () => {} },
    carTypes: createCarTypesService({ database }),
    cancelReasons: { all: async () => [] },
    dispatchRules: { current: async () => [] },
    promos: createPromosService({ database }),
    users: createUsersService({
      database,
      clock,
      outbox,
      hub: { publish: () => {} },
      settings: { current: async () => settings },
    }),
    wallet: createWalletService({ database }),
    cardAvailable: () => false,
    callNumbers: null,
  })
  const carType = '01890000-0000-7000-8000-000000000001'
  await database.pool.query(
    `insert into car_types (id, name, base_fare, rate_per_unit_distance, rate_per_hour, min_fare, convenience_fees,
      convenience_fee_type, created_at) values ($1, 'Economy', $2, $2, $2, $2, $2, 'percentage', 0)`,
    [carType, 10 * unit],
  )
  await jobs.start()
  await feature.start()
  outbox.start()
  return { feature, outbox, jobs, carType, clock }
}

let people = 0
async function addPeople(
  pool: Pool,
  usertype: 'rider' | 'driver',
  count: number,
  carType: string,
): Promise<Actor[]> {
  const first = people
  people += count
  const reply = await pool.query<{ id: string }>(
    `insert into users (id, created_at, first_name, last_name, email, usertype, approved, referral_id,
        driver_active_status, car_type_id)
      select gen_random_uuid(), 0, $1, n::text, $1 || n || '@bench.test', $1, true, $1 || n, $1 = 'driver', $4
      from generate_series($2::int, $3::int) n returning id`,
    [usertype, first, first + count - 1, usertype === 'driver' ? carType : null],
  )
  return reply.rows.map(({ id }) => ({ id, role: usertype, approved: true }))
}

/** Creates bookings, each with a request to its own driver. */
async function prepareTrips(city: City, pool: Pool, count: number): Promise<Prepared[]> {
  const [riders, drivers] = [
    await addPeople(pool, 'rider', count, city.carType),
    await addPeople(pool, 'driver', count, city.carType),
  ]
  const tripdate = city.clock.now() + 16 * 60_000
  const prepared: Prepared[] = []
  let next = 0
  await onAllConnections(async () => {
    for (let index = next++; index < count; index = next++) {
      const [rider, driver] = [riders[index] as Actor, drivers[index] as Actor]
      const request = {
        pickup,
        drop,
        car_type_id: city.carType,
        bookLater: true,
        tripdate,
        payment_mode: 'cash',
      } as const
      const { booking } = await city.feature.bookings.create(rider, request, null)
      prepared.push({ id: booking.id, rider, driver })
    }
  })
  await pool.query(
    `insert into booking_requests (booking_id, driver_id, wave, requested_at, pickup_km, pickup_s)
      select b, d, 0, $3, 1, 120 from unnest($1::uuid[], $2::uuid[]) as p(b, d)`,
    [prepared.map((trip) => trip.id), prepared.map((trip) => trip.driver.id), city.clock.now()],
  )
  // Make the trips due immediately.
  await pool.query('update bookings set tripdate = booking_date where id = any($1)', [
    prepared.map((trip) => trip.id),
  ])
  return prepared
}

/** Applies all changes of all trips; returns the time, ms. */
async function runTrips({ feature }: City, prepared: readonly Prepared[]): Promise<number> {
  const { commands } = feature.bookings
  let next = 0
  const startedAt = performance.now()
  await onAllConnections(async () => {
    for (let trip = prepared[next++]; trip; trip = prepared[next++]) {
      const byDriver = { actor: trip.driver, id: trip.id, key: null }
      await commands.accept(byDriver)
      await commands.arrive(byDriver)
      await commands.start(byDriver, {})
      await commands.reach(byDriver, {})
      await commands.close(byDriver, {})
      await commands.rate({ actor: trip.rider, id: trip.id, key: null }, { rating: 5 })
    }
  })
  return performance.now() - startedAt
}

async function onAllConnections(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: connections }, work))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  console.log(JSON.stringify(await run()))
