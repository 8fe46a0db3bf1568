import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BookingView } from '@hansom/contract/bookings'
import type { LiveSnapshots, ServerFrame } from '@hansom/contract/live'
import { WebSocket } from 'ws'
import { localBus } from '../../adapters/server-bus/port.ts'
import { type Clock, systemClock } from '../clock/clock.ts'
import type { SessionActor } from '../http/implement.ts'
import { silentLog } from '../log/log.ts'
import { channelName } from './channels.ts'
import { type LiveBus, LiveHub } from './hub.ts'
import type { LiveLimits } from './live-limits.ts'
import { TopicRegistry } from './topics.ts'

export const ownOrigin = 'https://rides.example'
export const bookingId = '01890000-0000-7000-8000-000000000001'
export const bookingTopic = `booking:${bookingId}`

/** A hub on a local port, with topics whose state and permissions the test controls. */
export class LiveTestServer {
  readonly hub: LiveHub
  /** Sessions by token. */
  readonly sessions = new Map<string, SessionActor>()
  /** The current state of every topic. */
  state: unknown = { version: 0 }
  /** Who may follow the booking: audience by uid. */
  readonly audiences = new Map<string, string>()
  /** Snapshots wait for this promise. */
  gate: Promise<void> = Promise.resolve()
  /** Session lookups wait for this promise after the read. */
  sessionGate: Promise<void> = Promise.resolve()
  /** Thrown instead of the result of a permission check. */
  authorizeFailure: Error | null = null
  /** Thrown instead of a snapshot. */
  failure: Error | null = null
  snapshots = 0
  private readonly server: Server
  private readonly clients: TestClient[] = []

  private constructor(limits: Partial<LiveLimits>, clock: Clock, bus: LiveBus) {
    this.server = createServer((_request, response) => void response.writeHead(404).end())
    const topics = new TopicRegistry()
    topics.register('bookings', {
      authorize: async (actor) => actor && { channel: channelName('bookings', actor.id) },
      snapshot: () => this.snapshot<BookingView[]>(),
    })
    topics.register('settings', {
      isShared: true,
      authorize: async () => ({ channel: channelName('settings', 'everybody') }),
      snapshot: () => this.snapshot<LiveSnapshots['settings']>(),
    })
    topics.register('booking', {
      authorize: async (actor, id) => {
        if (this.authorizeFailure) throw this.authorizeFailure
        const audience = actor && id === bookingId ? this.audiences.get(actor.id) : undefined
        return audience === undefined ? null : { channel: channelName(bookingTopic, audience) }
      },
      snapshot: () => this.snapshot<BookingView>(),
    })
    this.hub = new LiveHub({
      bus,
      topics,
      limits,
      authenticate: async (by) => {
        const token = typeof by === 'string' ? by : (by.cookie ?? '').replace('session=', '')
        const actor = this.sessions.get(token) ?? null
        await this.sessionGate
        return actor
      },
      originAllowed: (origin) => origin === ownOrigin,
      trustedProxies: ['192.0.2.0/24'],
      clock,
      log: silentLog(),
    })
    this.hub.attach(this.server)
    for (const uid of ['rider', 'driver']) {
      this.sessions.set(`token-${uid}`, {
        id: uid,
        role: uid as SessionActor['role'],
        approved: true,
        sessionId: uid,
      })
      this.audiences.set(uid, uid)
    }
  }

  static async start(
    limits: Partial<LiveLimits> = {},
    clock: Clock = systemClock,
    bus: LiveBus = localBus(),
  ): Promise<LiveTestServer> {
    const bench = new LiveTestServer(limits, clock, bus)
    await new Promise<void>((resolve) => bench.server.listen(0, '127.0.0.1', resolve))
    return bench
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  /** Opens a socket with a bearer token and waits for the hello. */
  async connect(token = 'token-rider'): Promise<TestClient> {
    const client = this.dial('/live', bearer(token))
    await client.frame('hello')
    return client
  }

  dial(path: string, headers: Record<string, string> = {}): TestClient {
    const client = new TestClient(new WebSocket(`ws://127.0.0.1:${this.port}${path}`, { headers }))
    this.clients.push(client)
    return client
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.ws.terminate()
    await this.hub.close(1_000)
    await new Promise((resolve) => this.server.close(resolve))
  }

  private async snapshot<State>(): Promise<State> {
    this.snapshots++
    const now = structuredClone(this.state)
    await this.gate
    if (this.failure) throw this.failure
    return now as State
  }
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** A client that stores every received frame. */
export class TestClient {
  readonly frames: ServerFrame[] = []
  readonly ws: WebSocket
  /** The close code; for a refused upgrade, its HTTP status. */
  readonly closed: Promise<number>
  private readonly waiting: (() => void)[] = []

  constructor(ws: WebSocket) {
    this.ws = ws
    ws.on('message', (data) => {
      this.frames.push(JSON.parse(String(data)) as ServerFrame)
      for (const wake of this.waiting.splice(0)) wake()
    })
    this.closed = new Promise((resolve) => {
      ws.on('close', (code) => resolve(code))
      ws.on('error', (error) => {
        const status = /Unexpected server response: (\d+)/.exec(error.message)?.[1]
        if (status) resolve(Number(status))
      })
    })
  }

  send(frame: unknown): void {
    this.ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  /** Returns the first frame of a kind that `accepts` matches, now or later. */
  async frame<Kind extends ServerFrame['t']>(
    kind: Kind,
    accepts: (frame: Extract<ServerFrame, { t: Kind }>) => boolean = () => true,
  ): Promise<Extract<ServerFrame, { t: Kind }>> {
    for (;;) {
      for (const frame of this.frames) if (isOf(frame, kind) && accepts(frame)) return frame
      await new Promise<void>((resolve) => this.waiting.push(resolve))
    }
  }

  /** Subscribes to a topic and returns its position once it is up to date. */
  async follow(
    topic: string,
    seen?: { epoch: string; seq: number },
  ): Promise<{ epoch: string; seq: number }> {
    const before = new Set(this.frames)
    this.send({ t: 'sub', topic, seen })
    const { epoch, seq } = await this.frame('live', (frame) => frame.topic === topic && !before.has(frame))
    return { epoch, seq }
  }

  /** All frames of a topic in the order received: `snap 3`, `ev 4`, `live 4`. */
  framesOf(topic: string): string[] {
    return this.frames.flatMap((frame) => {
      if (!('topic' in frame) || frame.topic !== topic) return []
      return 'seq' in frame ? [`${frame.t} ${frame.seq}`] : [frame.t]
    })
  }
}

function isOf<Kind extends ServerFrame['t']>(
  frame: ServerFrame,
  kind: Kind,
): frame is Extract<ServerFrame, { t: Kind }> {
  return frame.t === kind
}
