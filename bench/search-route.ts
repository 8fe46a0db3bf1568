import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Redis } from 'ioredis'
import { hasRedis } from '../apps/server/src/adapters/server-bus/test-redis.ts'
import type { Line } from './limits.ts'
import { type Area, cpuOf, LoadCity, type Person } from './load/city.ts'
import { closedLoop, openLoop, quantile } from './load/open-loop.ts'

/**
 * The free cars around a place as a signed-in rider asks for them (`GET /api/v1/nearby-cars`), over HTTP, among many drivers of whom
 * six of ten are free. The peer is a plain Fastify route with the same session, limit and input, whose eligible drivers are in
 * Redis (GEOSEARCH, then their facts). Places are spread so widely that hardly two requests share a place. Both take turns:
 * first as many requests as 16 callers make, then a fixed rate that does not wait for answers, whose latency counts from the
 * planned time. A ratio above 1 is better.
 */
export interface SearchRouteLine extends Line {
  /** CPU time of the server's process, and with PostgreSQL and Redis, for 1,000 requests, ms. */
  ours_cpu_ms: number
  peer_cpu_ms: number
  ours_all_cpu_ms: number
  peer_all_cpu_ms: number
}

/** How it grows with the number of drivers. */
export interface SearchGrowth {
  drivers: number
  searchesPerSecond: number
  p50Ms: number
  p99Ms: number
  /** Of resident memory, beyond that of a server with few drivers; null where that is hardly any. */
  bytesPerDriver: number | null
}

/** A hundred kilometers in each direction. */
const region: Area = { south: -35.35, north: -34.45, west: -56.72, east: -55.62 }
const freeShare = 0.6
const riders = 1_000
const callers = 16
const [turns, seconds] = [3, 4]
/** Requests a second of the fixed rate, below what either side can do. */
const fixedRate = 400
const drivers = 100_000

export async function run(): Promise<Line[]> {
  if (!hasRedis) throw new Error('needs redis-server, or a Redis server at REDIS_URL')
  return withCity(drivers, async (city, people) => {
    const ours = new Side(
      'ours',
      city,
      people,
      `${city.servers[0]?.origin}/api/v1/nearby-cars`,
      city.servers[0]?.process,
    )
    const { origin, child } = await startPeer(city)
    try {
      const peer = new Side('peer', city, people, `${origin}/cars`, child)
      const sides = [ours, peer]
      for (const side of sides) await side.check()
      for (let turn = -1; turn < turns; turn++) for (const side of sides) await side.measure(turn < 0)
      const pair = (of: (side: Side) => number) => ({ ours: round(of(ours)), peer: round(of(peer)) })
      const peer_name = 'Fastify, Redis GEOSEARCH'
      const cpu = {
        ours_cpu_ms: round(ours.cpu.server),
        peer_cpu_ms: round(peer.cpu.server),
        ours_all_cpu_ms: round(ours.cpu.all),
        peer_all_cpu_ms: round(peer.cpu.all),
      }
      const rate = pair((side) => quantile(side.rates, 0.5))
      const job = `search-route-${drivers / 1_000}k`
      return [
        { job, unit: 'requests/s', ...rate, peer_name, ratio: round(rate.ours / rate.peer), ...cpu },
        ...[0.5, 0.99].map((share) => {
          const waits = pair((side) => quantile(side.waits, share))
          return {
            job: `${job}-p${share * 100}-at-${fixedRate}`,
            unit: 'ms',
            ...waits,
            peer_name,
            ratio: round(waits.peer / waits.ours),
          }
        }),
      ]
    } finally {
      child.kill()
    }
  })
}

/** The same of ours alone for several numbers of drivers, and the memory of a server for each. */
export async function searchGrowth(sizes: readonly number[]): Promise<SearchGrowth[]> {
  const idle = await withCity(1_000, async (city) => city.memory()[0] ?? 0)
  const grown: SearchGrowth[] = []
  for (const size of sizes) {
    grown.push(
      await withCity(size, async (city, people) => {
        const bytes = (city.memory()[0] ?? 0) - idle
        const { origin, process } = city.servers[0] as LoadCity['servers'][number]
        const side = new Side('ours', city, people, `${origin}/api/v1/nearby-cars`, process)
        for (let turn = -1; turn < turns; turn++) await side.measure(turn < 0)
        return {
          drivers: size,
          searchesPerSecond: Math.round(quantile(side.rates, 0.5)),
          p50Ms: round(quantile(side.waits, 0.5)),
          p99Ms: round(quantile(side.waits, 0.99)),
          bytesPerDriver: size <= 10_000 ? null : Math.round(bytes / size),
        }
      }),
    )
  }
  return grown
}

async function withCity<T>(size: number, work: (city: LoadCity, people: Person[]) => Promise<T>): Promise<T> {
  const city = await LoadCity.open({ shared: true })
  try {
    const people = await city.addPeople('rider', riders)
    for (let added = 0; added < size; added += 20_000)
      await city.addPeople('driver', Math.min(20_000, size - added), region, freeShare)
    await city.addedPeople()
    await city.addServer()
    return await work(city, people)
  } finally {
    await city.close()
  }
}

interface Car {
  lat: number
  lng: number
  car_type_id: string
}

/** One of the two, asked by riders. */
class Side {
  readonly rates: number[] = []
  readonly waits: number[] = []
  readonly cpu = { server: 0, all: 0 }
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 })
  private readonly random = randomSource(7)

  constructor(
    readonly name: string,
    private readonly city: LoadCity,
    private readonly people: readonly Person[],
    private readonly url: string,
    private readonly process: ChildProcess | undefined,
  ) {}

  /** Fails unless a request without a session is refused where the peer refuses it, and cars are near, free and not too many. */
  async check(): Promise<void> {
    const { rows } = await this.city.pool.query<{ at: string }>(
      `select round(lat::numeric, 5) || ' ' || round(lng::numeric, 5) as at from users where usertype = 'driver' and not queue`,
    )
    const free = new Set(rows.map(({ at }) => at))
    for (let number = 0; number < 20; number++) {
      const place = this.place()
      const cars = (await this.ask(number, place)) as Car[]
      const near = cars.every(
        (car) => Math.abs(car.lat - place.lat) < 0.06 && Math.abs(car.lng - place.lng) < 0.07,
      )
      const areFree = cars.every(({ lat, lng }) => free.has(`${lat.toFixed(5)} ${lng.toFixed(5)}`))
      if (cars.length !== 40 || !near || !areFree)
        throw new Error(`${this.name} found ${JSON.stringify({ place, cars, near, areFree })}`)
    }
  }

  async measure(isWarmUp: boolean): Promise<void> {
    const before = await this.cpuNow()
    const rate = await closedLoop({ callers, seconds: isWarmUp ? 2 : seconds }, (number) => this.ask(number))
    const after = await this.cpuNow()
    if (isWarmUp) return
    this.rates.push(rate)
    const thousands = (rate * seconds) / 1_000
    this.cpu.server += (after.server - before.server) / thousands / turns
    this.cpu.all += (after.all - before.all) / thousands / turns
    const { waits, failed } = await openLoop({ rate: fixedRate, seconds }, (number) => this.ask(number))
    if (failed > 0) throw new Error(`${this.name}: ${failed} requests failed`)
    this.waits.push(...waits)
  }

  private async cpuNow(): Promise<{ server: number; all: number }> {
    const { postgres, redis } = await this.city.cpu()
    const server = cpuOf(Number(this.process?.pid)).own
    return { server, all: server + postgres + redis }
  }

  private place() {
    const { south, north, west, east } = region
    const inside = (from: number, to: number) => from + (to - from) * (0.1 + 0.8 * this.random())
    return { lat: inside(south, north), lng: inside(west, east) }
  }

  private ask(number: number, place = this.place()): Promise<unknown> {
    const { token } = this.people[number % this.people.length] as Person
    const url = `${this.url}?lat=${place.lat.toFixed(5)}&lng=${place.lng.toFixed(5)}`
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}` }
      get(url, { agent: this.agent, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part) => (text += part))
        answer.once('end', () =>
          answer.statusCode === 200
            ? resolve(JSON.parse(text))
            : reject(new Error(`${this.name} answered ${answer.statusCode}: ${text}`)),
        )
      }).once('error', reject)
    })
  }
}

/** Puts the same drivers into Redis and starts the peer. */
async function startPeer(city: LoadCity): Promise<{ origin: string; child: ChildProcess }> {
  const redisUrl = `redis://127.0.0.1:${city.redis?.port}`
  const redis = new Redis(redisUrl, { protocol: 2 })
  const { rows } = await city.pool.query(
    `select id, lat, lng, bearing, car_type_id, located_at as "heardAt", queue from users where usertype = 'driver'`,
  )
  for (let first = 0; first < rows.length; first += 1_000) {
    const some = rows.slice(first, first + 1_000)
    const pipeline = redis.pipeline()
    for (const { id, lat, lng, bearing, car_type_id, heardAt, queue } of some) {
      if (!queue) pipeline.geoadd('free-drivers', lng, lat, id)
      pipeline.hset('drivers', id, JSON.stringify({ lat, lng, bearing, car_type_id, heardAt }))
    }
    await pipeline.exec()
  }
  redis.disconnect()
  const program = fileURLToPath(new URL('search-route/peer-server.ts', import.meta.url))
  const child = fork(program, [city.databaseUrl, redisUrl, city.secret], { execArgv: ['--import', 'tsx'] })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return { origin: `http://127.0.0.1:${port}`, child }
}

const round = (value: number) => Math.round(value * 100) / 100

function randomSource(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const sizes = process.argv.slice(2).map(Number)
  for (const line of sizes.length > 0 ? await searchGrowth(sizes) : await run())
    console.log(JSON.stringify(line))
}
