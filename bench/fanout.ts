import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { FromServer, ToServer } from './fanout/protocol.ts'
import { Receivers } from './fanout/receivers.ts'
import type { Line } from './limits.ts'

/**
 * Live fan-out: one event to a thousand sockets, repeatedly. Ours is the complete hub: authenticated sockets, a topic
 * with numbered and remembered events, checks for slow clients. The peer is the usual broadcast loop of bare `ws`. Each
 * runs in a separate process; both send the same text to the same receivers in this process, taking turns.
 *
 * `live-fanout`: the maximum rate of each, with eight events in flight at any time, each published in a separate turn
 * of the event loop. `live-fanout-bursts`: the same, published as requested, so that several may fall into one turn;
 * the hub then writes them to a socket in one call. The latency jobs: both at one rate, 60,000 deliveries per second,
 * or 70 % of the slower side's maximum if that is less. For all jobs a ratio above 1 is better.
 */
export interface FanoutLine extends Line {
  /** Deliveries per second of the server's CPU time. */
  ours_per_cpu_second?: number
  peer_per_cpu_second?: number
  /** Deliveries per second at which latency was measured. */
  rate?: number
}

const sockets = 1_000
const inFlight = 8
const wantedRate = 60_000
const peerName = 'bare ws 8.23 broadcast'

export async function run(): Promise<FanoutLine[]> {
  const hub = await Side.start('hub')
  const bare = await Side.start('bare')
  try {
    await hub.flood(700, false)
    await bare.flood(700, false)
    const apart = await floodInTurns(hub, bare, false)
    const bursts = await floodInTurns(hub, bare, true)
    const rate = Math.min(wantedRate, Math.floor((0.7 * Math.min(apart.ours, apart.peer)) / 1_000) * 1_000)
    const waits = { ours: [] as number[], peer: [] as number[] }
    for (let turn = 0; turn < 3; turn++) {
      waits.ours = waits.ours.concat(await hub.pace(rate, 2))
      waits.peer = waits.peer.concat(await bare.pace(rate, 2))
    }
    const latency = (share: number): FanoutLine => {
      const pair = { ours: percentile(waits.ours, share), peer: percentile(waits.peer, share) }
      const job = `live-latency-p${share * 100}-at-${rate / 1_000}k`
      return { job, unit: 'ms', ...pair, peer_name: peerName, ratio: round(pair.peer / pair.ours), rate }
    }
    return [
      { job: 'live-fanout', ...apart },
      { job: 'live-fanout-bursts', ...bursts },
      latency(0.5),
      latency(0.99),
    ]
  } finally {
    hub.stop()
    bare.stop()
  }
}

async function floodInTurns(hub: Side, bare: Side, together: boolean): Promise<Omit<FanoutLine, 'job'>> {
  const ours: Flow[] = []
  const peer: Flow[] = []
  for (let turn = 0; turn < 3; turn++) {
    ours.push(await hub.flood(1_200, together))
    peer.push(await bare.flood(1_200, together))
  }
  const middle = (flows: Flow[], figure: keyof Flow) => Math.round(median(flows.map((flow) => flow[figure])))
  const pair = { ours: middle(ours, 'perSecond'), peer: middle(peer, 'perSecond') }
  return {
    unit: 'deliveries/s',
    ...pair,
    peer_name: peerName,
    ratio: round(pair.ours / pair.peer),
    ours_per_cpu_second: middle(ours, 'perCpuSecond'),
    peer_per_cpu_second: middle(peer, 'perCpuSecond'),
  }
}

interface Flow {
  perSecond: number
  perCpuSecond: number
}

/** A server process and its receivers in this process. */
class Side {
  private readonly server: ChildProcess
  private readonly receivers = new Receivers()

  private constructor(server: ChildProcess) {
    this.server = server
  }

  static async start(name: 'hub' | 'bare'): Promise<Side> {
    const script = fileURLToPath(new URL('./fanout/server-process.ts', import.meta.url))
    const server = fork(script, [name], { execArgv: ['--import', 'tsx'] })
    const side = new Side(server)
    const { port } = await side.receive('listening')
    await side.receivers.open(port, sockets)
    return side
  }

  stop(): void {
    this.receivers.close()
    this.server.disconnect()
  }

  /** Keeps `inFlight` events in flight for some time; returns the rate. */
  async flood(ms: number, together: boolean): Promise<Flow> {
    const { receivers } = this
    const startedAt = performance.now()
    const before = { cpu: await this.cpuMs(), received: receivers.received }
    let requested = inFlight
    this.send({ kind: 'publish', rounds: inFlight, together })
    const over = new Promise<void>((resolve) => {
      receivers.onFrame = () => {
        const done = Math.floor((receivers.received - before.received) / sockets)
        const isOver = performance.now() - startedAt > ms
        if (isOver && done >= requested) return resolve()
        const more = done + inFlight - requested
        if (isOver || more <= 0) return
        requested += more
        this.send({ kind: 'publish', rounds: more, together })
      }
    })
    await over
    receivers.onFrame = () => {}
    const seconds = (performance.now() - startedAt) / 1_000
    const deliveries = receivers.received - before.received
    const cpuSeconds = ((await this.cpuMs()) - before.cpu) / 1_000
    return { perSecond: deliveries / seconds, perCpuSecond: deliveries / cpuSeconds }
  }

  /** Publishes at a fixed delivery rate; returns the latency of each delivery, ms. */
  async pace(rate: number, seconds: number): Promise<number[]> {
    const { receivers } = this
    const perSecond = rate / sockets
    const expected = receivers.received + Math.round(perSecond * seconds) * sockets
    receivers.latencies = []
    receivers.isTiming = true
    const all = new Promise<void>((resolve) => {
      receivers.onFrame = () => {
        if (receivers.received >= expected) resolve()
      }
    })
    this.send({ kind: 'pace', perSecond, seconds })
    await this.receive('paced')
    await all
    receivers.onFrame = () => {}
    receivers.isTiming = false
    return receivers.latencies
  }

  private async cpuMs(): Promise<number> {
    const answer = this.receive('cpu')
    this.send({ kind: 'cpu' })
    return (await answer).ms
  }

  private send(message: ToServer): void {
    this.server.send(message)
  }

  private async receive<Kind extends FromServer['kind']>(kind: Kind) {
    for (;;) {
      const [message] = (await once(this.server, 'message')) as [FromServer]
      if (message.kind === kind) return message as Extract<FromServer, { kind: Kind }>
    }
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort()
  return round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number)
}

const median = (values: readonly number[]) => percentile(values, 0.5)
const round = (value: number) => Math.round(value * 100) / 100

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const line of await run()) console.log(JSON.stringify(line))
}
