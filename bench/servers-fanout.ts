import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { hasRedis, startTestRedis } from '../apps/server/src/adapters/server-bus/test-redis.ts'
import type { FromServer, ToServer } from './fanout/protocol.ts'
import { Receivers } from './fanout/receivers.ts'
import type { Line } from './limits.ts'

/**
 * Live events across three servers, in processes of their own, and one Redis: 1,000 sockets follow 50 trips, the viewers
 * of a trip on all servers, and every server publishes a third of the events. Arrivals do not wait: latency counts from the
 * planned time of an event. The peer sends the same text with the bare publish command and plain `ws`. Both take turns at
 * 20,000 deliveries a second; ours must stay within 50 ms at the 99th percentile. A ratio above 1 is better.
 */
export interface ServersFanoutLine extends Line {
  /** CPU time of the three servers for 1,000 deliveries, ms. */
  ours_cpu_ms: number
  peer_cpu_ms: number
}

const servers = 3
const socketsOfServer = [334, 333, 333]
const trips = 50
const rate = 20_000
const viewersOfTrip = 20
const [turns, seconds] = [3, 4]
/** A delivery that takes longer counts as lost. */
const longestMs = 30_000

export async function run(): Promise<ServersFanoutLine[]> {
  if (!hasRedis) throw new Error('needs redis-server, or a Redis server at REDIS_URL')
  const redis = await startTestRedis()
  const sides: Side[] = []
  try {
    const url = `redis://127.0.0.1:${redis.port}`
    const ours = await Side.start('hub', url, sides)
    const peer = await Side.start('bare', url, sides)
    for (const side of sides) await side.pace(1)
    for (const side of sides) side.reset()
    for (let turn = 0; turn < turns; turn++) for (const side of [ours, peer]) await side.pace(seconds)
    const cpu = { ours_cpu_ms: ours.cpuOfThousand(), peer_cpu_ms: peer.cpuOfThousand() }
    return [0.5, 0.99].map((share) => {
      const pair = { ours: percentile(ours.waits, share), peer: percentile(peer.waits, share) }
      const job = `servers-fanout-p${share * 100}-at-${rate / 1_000}k`
      const peer_name = 'bare Redis publish and ws 8.23'
      return { job, unit: 'ms', ...pair, peer_name, ratio: round(pair.peer / pair.ours), ...cpu }
    })
  } finally {
    for (const side of sides) side.stop()
    await redis.close()
  }
}

/** Three servers of one kind, and the sockets to them. */
class Side {
  waits: number[] = []
  private cpuMs = 0
  private readonly children: ChildProcess[] = []
  private readonly receivers = new Receivers()

  static async start(name: 'hub' | 'bare', url: string, sides: Side[]): Promise<Side> {
    const side = new Side()
    sides.push(side)
    const script = fileURLToPath(new URL('./fanout/shared-server.ts', import.meta.url))
    for (const sockets of socketsOfServer) {
      const child = fork(script, [name, url, String(trips)], { execArgv: ['--import', 'tsx'] })
      side.children.push(child)
      const { port } = await receive(child, 'listening')
      await side.receivers.open(port, sockets, trips)
    }
    return side
  }

  stop(): void {
    this.receivers.close()
    for (const child of this.children) if (child.connected) child.disconnect()
  }

  reset(): void {
    this.waits = []
    this.cpuMs = 0
  }

  cpuOfThousand(): number {
    return round((this.cpuMs / this.waits.length) * 1_000)
  }

  /** Publishes for some seconds and waits until every socket has every event. */
  async pace(seconds: number): Promise<void> {
    const { receivers } = this
    const perSecond = rate / viewersOfTrip / servers
    // Whole rounds over the trips, so that each has the same number of events.
    const events = Math.round((perSecond * seconds) / trips) * trips
    const expected = receivers.received + events * servers * viewersOfTrip
    receivers.latencies = []
    receivers.isTiming = true
    const all = new Promise<void>((resolve) => {
      receivers.onFrame = () => {
        if (receivers.received >= expected) resolve()
      }
    })
    const before = await this.totalCpuMs()
    const paced = this.children.map((child) => receive(child, 'paced'))
    this.send({ kind: 'pace', perSecond, seconds: events / perSecond })
    const late = new AbortController()
    const tooLate = wait(longestMs, null, { signal: late.signal }).then(() => {
      throw new Error(`${expected - receivers.received} deliveries are missing`)
    })
    await Promise.race([Promise.all([...paced, all]), tooLate]).finally(() => late.abort())
    receivers.isTiming = false
    if (receivers.latencies.some(Number.isNaN)) throw new Error('a server has begun its streams again')
    this.cpuMs += (await this.totalCpuMs()) - before
    this.waits = this.waits.concat(receivers.latencies)
  }

  private async totalCpuMs(): Promise<number> {
    const answers = this.children.map((child) => receive(child, 'cpu'))
    this.send({ kind: 'cpu' })
    return (await Promise.all(answers)).reduce((sum, answer) => sum + answer.ms, 0)
  }

  private send(message: ToServer): void {
    for (const child of this.children) child.send(message)
  }
}

async function receive<Kind extends FromServer['kind']>(child: ChildProcess, kind: Kind) {
  for (;;) {
    const [message] = (await once(child, 'message')) as [FromServer]
    if (message.kind === kind) return message as Extract<FromServer, { kind: Kind }>
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number)
}

const round = (value: number) => Math.round(value * 100) / 100

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const line of await run()) console.log(JSON.stringify(line))
}
