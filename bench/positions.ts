import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createClient } from '@hansom/client/client'
import { Session } from '@hansom/client/session'
import { WebSocket } from 'ws'
import { hasRedis, startTestRedis } from '../apps/server/src/adapters/server-bus/test-redis.ts'
import type { Line } from './limits.ts'
import { type CpuTimes, cpuOf, innerCity, LoadCity } from './load/city.ts'
import { closedLoop, openLoop, quantile } from './load/open-loop.ts'
import { People, type StartedTrip } from './load/people.ts'

/**
 * Positions a second through the whole path, across three servers: a driver's frame, its checks, the index of every server, the table
 * of positions for those on a trip, the other servers, and the frame of the rider who follows the trip on another server than the
 * driver's. Of the drivers, `trips` are on a trip. First as many as 64 drivers at a time send, each when the last was acknowledged, then
 * a fixed rate that does not wait. The peer passes the same frames on through Redis and plain `ws`, without any check or storage: what
 * the way alone costs.
 */
export interface PositionsResult extends Measured, Required<PositionsSetting> {
  memoryMb: number[]
}

export interface PositionsSetting {
  servers: number
  drivers: number
  /** How many of the drivers are on a trip. */
  trips: number
  /** How many report, those on a trip first; all if absent. */
  reporting?: number
}

interface Measured {
  positionsPerSecond: number
  /** CPU time that is spent each second without any positions, ms. */
  idleMs: { servers: number; postgres: number; redis: number }
  /** CPU time of 1,000 positions, ms, without that. */
  cpuMs: { servers: number; postgres: number; redis: number }
  /** What Redis receives and sends for a position. */
  busBytes: { in: number; out: number }
  /** Positions a second of the second part, and how many were not acknowledged. */
  rate: number
  failed: number
  /** At that rate, ms: until acknowledged, and until the rider has it. */
  ackMs: [p50: number, p99: number]
  riderMs: [p50: number, p99: number]
  /** Riders' frames beside the positions of trips at that rate. */
  frames: { sent: number; seen: number }
}

/** What is spent until now. */
interface Spent {
  cpu: CpuTimes
  bus: { in: number; out: number }
}

const serversOfRun = 3
const callers = 64
const seconds = 10
const fixedRate = 500
const idleSeconds = 4
const mostIdleWindows = 15

export async function run(): Promise<Line[]> {
  if (!hasRedis) throw new Error('needs redis-server, or a Redis server at REDIS_URL')
  const setting = { drivers: 500, trips: 50, servers: serversOfRun }
  const ours = await measurePositions(setting)
  const peer = await measureRelay(setting)
  const peer_name = 'Redis publish and ws, no checks'
  const line = (job: string, unit: string, one: number, other: number, ratio: number, more: object = {}) => ({
    job,
    unit,
    ours: one,
    peer: other,
    peer_name,
    ratio: round(ratio, 1_000),
    ...more,
  })
  return [
    line(
      'positions',
      'positions/s',
      ours.positionsPerSecond,
      peer.positionsPerSecond,
      ours.positionsPerSecond / peer.positionsPerSecond,
      ours,
    ),
    ...([0, 1] as const).map((at) =>
      line(
        `positions-to-rider-p${at === 0 ? 50 : 99}-at-${fixedRate}`,
        'ms',
        ours.riderMs[at],
        peer.riderMs[at],
        peer.riderMs[at] / ours.riderMs[at],
      ),
    ),
  ]
}

/** Drivers of one kind of server, by number, and the riders who follow those with a number below `trips`. */
interface Way {
  report(driver: number): Promise<void>
  /** Called with the time at which a position that a rider got was sent. */
  onFrame: (sentAt: number) => void
}

export async function measurePositions({
  drivers,
  trips,
  servers,
  reporting = drivers,
}: PositionsSetting): Promise<PositionsResult> {
  const city = await LoadCity.open({ shared: true })
  try {
    for (let started = 0; started < servers; started++) await city.addServer()
    const people = await People.join(city, { riders: 0, drivers })
    const spent = async () => ({ cpu: await city.cpu(), bus: await city.busBytes() })
    const idle = await idleOf(spent)
    const riders = await city.addPeople('rider', trips)
    const started = await Promise.all(riders.map((rider) => people.startTrip(rider)))
    const way: Way = { report: async () => {}, onFrame: () => {} }
    const following = riders.map(({ token }, number) => {
      const url = city.servers[number % servers]?.origin ?? ''
      const rider = createClient({ url, session: new Session(token), webSocket: WebSocket as never })
      const { id } = started[number] as StartedTrip
      return new Promise<() => void>((resolve) => {
        rider.live.subscribe(`tracking:${id}`, {
          snapshot: () => resolve(() => rider.close()),
          volatile: (point) => point && way.onFrame(point.at),
        })
      })
    })
    const closing = await Promise.all(following)
    await city.delivered()
    const onTrip = started.map(({ client }) => client)
    const clients = [...onTrip, ...people.connected.filter((client) => !onTrip.includes(client))]
    const last = new Map<number, number>()
    way.report = (driver) => {
      // The server takes positions in the order of their times.
      const at = Math.max(Date.now(), (last.get(driver) ?? 0) + 1)
      last.set(driver, at)
      const { lat, lng } = started[driver]?.pickup ?? { lat: innerCity.south, lng: innerCity.west }
      return (clients[driver] as (typeof clients)[number]).live.report({ lat, lng, at })
    }
    const measured = await measure(way, { reporting, trips }, spent, idle)
    for (const close of closing) close()
    people.close()
    return {
      servers,
      drivers,
      trips,
      reporting,
      ...measured,
      memoryMb: city.memory().map((bytes) => Math.round(bytes / 1_048_576)),
    }
  } finally {
    await city.close()
  }
}

async function measureRelay({ drivers, trips, servers }: PositionsSetting) {
  const redis = await startTestRedis()
  const children: ChildProcess[] = []
  const sockets: WebSocket[] = []
  try {
    const ports: number[] = []
    for (let started = 0; started < servers; started++) {
      const program = fileURLToPath(new URL('positions/relay.ts', import.meta.url))
      const child = fork(program, [`redis://127.0.0.1:${redis.port}`], { execArgv: ['--import', 'tsx'] })
      children.push(child)
      const [{ port }] = (await once(child, 'message')) as [{ port: number }]
      ports.push(port)
    }
    const waiting = new Map<number, () => void>()
    let ref = 0
    const way: Way = { report: async () => {}, onFrame: () => {} }
    const connect = async (number: number) => {
      const socket = new WebSocket(`ws://127.0.0.1:${ports[number % servers]}`)
      sockets.push(socket)
      socket.on('message', (data) => {
        const frame = JSON.parse(String(data)) as { ref?: number; at?: number }
        if (frame.at !== undefined) way.onFrame(frame.at)
        else waiting.get(Number(frame.ref))?.()
      })
      await once(socket, 'open')
      return socket
    }
    const connected = await Promise.all(Array.from({ length: drivers }, (_, number) => connect(number)))
    const riders = await Promise.all(Array.from({ length: trips }, (_, number) => connect(number + 1)))
    riders.forEach((socket, number) => {
      socket.send(JSON.stringify({ follow: `driver-${number}` }))
    })
    way.report = (driver) =>
      new Promise((resolve) => {
        const mine = ref++
        waiting.set(mine, () => {
          waiting.delete(mine)
          resolve()
        })
        const position = { lat: innerCity.south, lng: innerCity.west, bearing: null, at: Date.now() }
        connected[driver]?.send(JSON.stringify({ driver: `driver-${driver}`, ref: mine, ...position }))
      })
    const spent = async () => ({
      cpu: {
        servers: children.reduce((sum, { pid }) => sum + cpuOf(Number(pid)).own, 0),
        postgres: 0,
        redis: 0,
      },
      bus: { in: 0, out: 0 },
    })
    return await measure(way, { reporting: drivers, trips }, spent, await idleOf(spent))
  } finally {
    for (const socket of sockets) socket.terminate()
    for (const child of children) child.kill()
    await redis.close()
  }
}

/** CPU time that is spent each second while no one does anything, ms. */
async function idleOf(spent: () => Promise<Spent>): Promise<CpuTimes> {
  const window = async (): Promise<CpuTimes> => {
    const before = await spent()
    await wait(idleSeconds * 1_000)
    const after = await spent()
    const perSecond = (of: keyof CpuTimes) => round((after.cpu[of] - before.cpu[of]) / idleSeconds)
    return { servers: perSecond('servers'), postgres: perSecond('postgres'), redis: perSecond('redis') }
  }
  const sum = ({ servers, postgres, redis }: CpuTimes) => servers + postgres + redis
  await wait(2_000)
  let last = await window()
  let least = last
  // What follows from many drivers joining, and the vacuum of their rows, takes a while: until none of three windows in a row costs much less than the one before.
  for (let windows = 1, calm = 0; windows < mostIdleWindows && calm < 2; windows++) {
    const next = await window()
    calm = sum(next) >= 0.8 * sum(last) ? calm + 1 : 0
    if (sum(next) < sum(least)) least = next
    last = next
  }
  return least
}

async function measure(
  way: Way,
  { reporting, trips }: { reporting: number; trips: number },
  spent: () => Promise<Spent>,
  idleMs: CpuTimes,
): Promise<Measured> {
  const next = (number: number) => number % reporting
  await closedLoop({ callers, seconds: 3 }, (number) => way.report(next(number)))
  const before = await spent()
  const startedAt = performance.now()
  let reported = 0
  const positionsPerSecond = await closedLoop({ callers, seconds }, async (number) => {
    await way.report(next(number))
    reported++
  })
  // Servers tell each other of positions in batches.
  await wait(500)
  const after = await spent()
  const elapsed = (performance.now() - startedAt) / 1_000
  const cpu = (of: keyof CpuTimes) =>
    round(Math.max(0, ((after.cpu[of] - before.cpu[of] - elapsed * idleMs[of]) / reported) * 1_000))
  const bus = (of: 'in' | 'out') => round((after.bus[of] - before.bus[of]) / reported)
  const riderWaits: number[] = []
  way.onFrame = (sentAt) => riderWaits.push(Date.now() - sentAt)
  let sent = 0
  const { waits, failed } = await openLoop({ rate: fixedRate, seconds }, (number) => {
    if (next(number) < trips) sent++
    return way.report(next(number))
  })
  await wait(500)
  const both = (values: readonly number[]): [number, number] => [
    round(quantile(values, 0.5)),
    round(quantile(values, 0.99)),
  ]
  return {
    positionsPerSecond: Math.round(positionsPerSecond),
    idleMs,
    cpuMs: { servers: cpu('servers'), postgres: cpu('postgres'), redis: cpu('redis') },
    busBytes: { in: bus('in'), out: bus('out') },
    rate: fixedRate,
    failed,
    ackMs: both(waits),
    riderMs: both(riderWaits),
    frames: { sent, seen: riderWaits.length },
  }
}

const round = (value: number, parts = 10) => Math.round(value * parts) / parts

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [drivers = 0, trips = 0, servers = serversOfRun, reporting = drivers] = process.argv
    .slice(2)
    .map(Number)
  const one = { drivers, trips, servers, reporting }
  console.log(JSON.stringify(drivers > 0 ? await measurePositions(one) : await run(), null, 1))
}
