import { pathToFileURL } from 'node:url'
import { hasRedis } from '../apps/server/src/adapters/server-bus/test-redis.ts'
import { prepareTpc, runTpc } from './booking-changes.ts'
import type { Line } from './limits.ts'
import { type CpuTimes, LoadCity } from './load/city.ts'
import { closedLoop, openLoop, quantile } from './load/open-loop.ts'
import { People } from './load/people.ts'

/**
 * Whole trips a second over the public API, from the booking to the rating: seven commands, three positions on the way, requests to
 * five drivers and their answer. First as many as 32 riders make, then new trips at two thirds of that rate, however long others take.
 * All runs on this machine: servers, PostgreSQL, Redis and the people, so more servers are not faster here; the CPU time of a trip
 * tells what a larger machine does. The limit is pgbench's simple-update on the same PostgreSQL, as in `booking-changes`; a trip
 * writes seven commands and what follows from them.
 */
export interface TripsResult {
  servers: number
  drivers: number
  /** With 32 riders at a time. */
  tripsPerSecond: number
  /** Of pgbench's transactions on the same server, at another moment. */
  transactionsPerSecond: number
  /** CPU time of 1,000 trips, s. */
  cpuSeconds: { servers: number; postgres: number; redis: number }
  /** New trips a second of the second part, how many there were, and how many failed. */
  rate: number
  trips: number
  failed: number
  /** At that rate, ms: a booking's answer, until a driver has accepted, and the commands of the driver. */
  bookMs: [p50: number, p99: number]
  acceptedMs: [p50: number, p99: number]
  commandMs: [p50: number, p99: number]
  /** Resident memory of each server at the end, MB. */
  memoryMb: number[]
}

const riders = 2_000
const callers = 32
const seconds = 20

export async function run(): Promise<Line[]> {
  const results = [await measureTrips(1), ...(hasRedis ? [await measureTrips(3)] : [])]
  return results.map(({ servers, tripsPerSecond, transactionsPerSecond, ...others }) => ({
    job: `trips, ${servers} ${servers === 1 ? 'server' : 'servers'}`,
    unit: 'trips/s',
    ours: tripsPerSecond,
    peer: transactionsPerSecond,
    peer_name: 'pgbench simple-update (limit)',
    ratio: round(tripsPerSecond / transactionsPerSecond, 1_000),
    ...others,
  }))
}

export async function measureTrips(servers: number, drivers = 200): Promise<TripsResult> {
  const city = await LoadCity.open({ shared: servers > 1 })
  try {
    for (let started = 0; started < servers; started++) await city.addServer()
    const people = await People.join(city, { riders, drivers })
    await closedLoop({ callers, seconds: 4 }, () => people.trip())
    const before = await city.cpu()
    const tripsBefore = people.took.rate.length
    const tripsPerSecond = await closedLoop({ callers, seconds }, () => people.trip())
    const spent = difference(await city.cpu(), before)
    const thousands = (people.took.rate.length - tripsBefore) / 1_000
    for (const list of [...Object.values(people.took), people.untilAccepted]) list.length = 0
    const rate = Math.max(1, Math.round((tripsPerSecond * 2) / 3))
    const { waits, failed } = await openLoop({ rate, seconds }, () => people.trip(), console.error)
    const { book, ...commands } = people.took
    const both = (values: readonly number[]): [number, number] => [
      round(quantile(values, 0.5)),
      round(quantile(values, 0.99)),
    ]
    const result = {
      servers,
      drivers,
      tripsPerSecond: round(tripsPerSecond),
      cpuSeconds: {
        servers: round(spent.servers / 1_000 / thousands, 100),
        postgres: round(spent.postgres / 1_000 / thousands, 100),
        redis: round(spent.redis / 1_000 / thousands, 100),
      },
      rate,
      trips: waits.length,
      failed,
      bookMs: both(book),
      acceptedMs: both(people.untilAccepted),
      commandMs: both(Object.values(commands).flat()),
      memoryMb: city.memory().map((bytes) => Math.round(bytes / 1_048_576)),
    }
    people.close()
    await city.stopServers()
    await prepareTpc(city.pool)
    const transactions = 2_000
    const transactionsPerSecond = Math.round((transactions / (await runTpc(city.pool, transactions))) * 1_000)
    return { ...result, transactionsPerSecond }
  } finally {
    await city.close()
  }
}

const difference = (after: CpuTimes, before: CpuTimes): CpuTimes => ({
  servers: after.servers - before.servers,
  postgres: after.postgres - before.postgres,
  redis: after.redis - before.redis,
})

const round = (value: number, parts = 10) => Math.round(value * parts) / parts

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log(JSON.stringify(await measureTrips(Number(process.argv[2] ?? 1)), null, 1))
