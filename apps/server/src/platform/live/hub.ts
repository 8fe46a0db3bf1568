import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { type ClientFrame, liveClose } from '@hansom/contract/live'
import type { Clock } from '../clock/clock.ts'
import { type AcceptedSocket, acceptMs, SocketAcceptor, type SocketDeps } from './accept-sockets.ts'
import { Channels, type EventData } from './channels.ts'
import { Connection, readFrame } from './connection.ts'
import { FlushScheduler } from './frame-queue.ts'
import { defaultLiveLimits, type LiveLimits } from './live-limits.ts'
import { type PositionHandler, Positions } from './positions.ts'
import { Subscriptions } from './subscriptions.ts'
import type { TopicRegistry } from './topics.ts'

/** What the hub needs of the bus between servers; see the port `server-bus`. */
export interface LiveBus {
  send(kind: string, subject: string, data: unknown): void
  on(kind: string, handler: (subject: string, data: EventData & { value(): unknown }) => void): void
  flush(): Promise<void>
  whenLost(listener: () => void): void
  isUp(): boolean
}

export interface LiveDeps extends SocketDeps {
  topics: TopicRegistry
  clock: Clock
  /** Carries messages to the hubs of all servers. */
  bus: LiveBus
  /** Identifies this start of the server; random by default. */
  epoch?: string
  limits?: Partial<LiveLimits>
}

export interface LiveStats {
  connections: number
  channels: number
  /** Events published since the start, and their frames to sockets. */
  published: number
  delivered: number
  /** Clients cut off because they did not read. */
  cutOff: number
  /** Snapshots read for clients. */
  snapshots: number
}

const goingAway = 1001
/** Smaller differences between the server's clock and the clients' are ignored, ms. */
const clockStepMs = 1_000
const policyViolation = 1008
/** Clients whose topics are opened again at the same time. */
const openingAtOnce = 32

/**
 * The sockets of the live protocol (see the contract's live.ts). Independent of the content: features register topics,
 * publish to channels and handle positions.
 */
export class LiveHub {
  private readonly deps: LiveDeps
  private readonly limits: LiveLimits
  private readonly bus: LiveBus
  private readonly channels: Channels
  private readonly subscriptions: Subscriptions
  private readonly positions: Positions
  private readonly acceptor: SocketAcceptor
  private readonly connections = new Set<Connection>()
  private readonly round = new FlushScheduler()
  private readonly timer: NodeJS.Timeout
  private readonly clockTimer: NodeJS.Timeout
  private readonly pollTimer: NodeJS.Timeout
  /** Rounds of `startAgain` that were asked for, and that are done. */
  private readonly rounds = { wanted: 0, done: 0 }
  private isStartingAgain = false
  /** The clock offset last sent to clients: `now` less `elapsed`. */
  private sentOffset: number
  /** When each user was last reauthorized, for sockets that were being accepted meanwhile. */
  private readonly recheckedAt = new Map<string, number>()
  private whenEmpty: (() => void) | null = null

  constructor(deps: LiveDeps) {
    const { topics, log } = deps
    this.deps = deps
    this.limits = { ...defaultLiveLimits, ...deps.limits }
    this.channels = new Channels(deps.epoch ?? randomBytes(9).toString('base64url'), this.limits)
    this.subscriptions = new Subscriptions({
      topics,
      log,
      time,
      channels: this.channels,
      limits: this.limits,
    })
    this.positions = new Positions(log)
    this.acceptor = new SocketAcceptor(deps, this.limits, (accepted) => this.welcome(accepted))
    this.bus = deps.bus
    this.bus.on('event', (channel, data) => this.channels.publish(channel, data, time()))
    this.bus.on('volatile', (channel, data) => this.channels.publishVolatile(channel, data))
    this.bus.on('reauthorize', (uid, why) =>
      this.recheckHere(uid, (why.value() as string | null) ?? undefined),
    )
    this.bus.whenLost(() => void this.startAgain())
    this.pollTimer = setInterval(() => {
      if (!this.bus.isUp() && !this.isStartingAgain) void this.startAgain()
    }, this.limits.pollMs)
    this.pollTimer.unref()
    this.timer = setInterval(() => this.maintain(), this.limits.pingMs)
    this.timer.unref()
    this.sentOffset = this.clockOffset()
    this.clockTimer = setInterval(() => this.sendClockChange(), this.limits.clockCheckMs)
    this.clockTimer.unref()
  }

  /** Handles an HTTP server's upgrades to /live. */
  attach(server: Server): void {
    this.acceptor.attach(server)
  }

  /** Sends a numbered event to all subscribers of a channel: exactly once each and in order, also after a resume. */
  publish(channel: string, data: unknown): void {
    this.bus.send('event', channel, data)
  }

  /** Sends a volatile event: a client that is behind gets only the newest, or none. */
  publishVolatile(channel: string, data: unknown): void {
    this.bus.send('volatile', channel, data)
  }

  /**
   * Checks a user's sessions and followed topics again after their rights may have changed. `why`: the close reason for
   * an ended session.
   */
  reauthorize(uid: string, why?: string): void {
    this.bus.send('reauthorize', uid, why)
  }

  /** Resolves when the events published before are on their way to every server's clients. */
  flush(): Promise<void> {
    return this.bus.flush()
  }

  /** Sets the one handler of the positions that drivers send. */
  onPosition(handler: PositionHandler): void {
    this.positions.handleWith(handler)
  }

  stats(): LiveStats {
    return { connections: this.connections.size, channels: this.channels.size, ...this.channels.counts }
  }

  /**
   * Asks all clients to reconnect later and waits at most `drainMs` for them to disconnect. Call it before closing the
   * HTTP server, which waits for their sockets.
   */
  async close(drainMs: number): Promise<void> {
    clearInterval(this.timer)
    clearInterval(this.clockTimer)
    clearInterval(this.pollTimer)
    this.acceptor.close()
    if (this.connections.size === 0) return
    const empty = new Promise<void>((resolve) => {
      this.whenEmpty = resolve
    })
    for (const connection of this.connections) connection.end(goingAway, 'the server restarts')
    const limit = setTimeout(() => {
      for (const connection of this.connections) connection.cut()
    }, drainMs)
    await empty
    clearTimeout(limit)
  }

  private welcome({ ws, socket, actor, credential, askedAt }: AcceptedSocket): void {
    const now = time()
    const { pingMs } = this.limits
    const start = { now, checkAt: this.nextCheck(now) }
    const who = { actor, credential }
    const connection = new Connection(ws, socket, this.round, who, start, this.limits, this.channels.cutOff)
    this.connections.add(connection)
    ws.on('message', (data, isBinary) => this.receive(connection, readFrame(data, isBinary)))
    ws.on('pong', () => {
      connection.isAlive = true
    })
    // After a broken frame or connection, `ws` closes the socket itself.
    ws.on('error', (error) => this.deps.log.debug({ err: error }, 'live socket failed'))
    ws.on('close', () => {
      connection.isOpen = false
      this.connections.delete(connection)
      this.subscriptions.leaveAll(connection)
      if (this.connections.size === 0) this.whenEmpty?.()
    })
    connection.send({ t: 'hello', uid: actor?.id ?? null, ...this.clockTime(), pingMs })
    if (actor && (this.recheckedAt.get(actor.id) ?? -1) >= askedAt) this.checkSession(connection)
  }

  private receive(connection: Connection, frame: ClientFrame | null): void {
    if (!connection.isOpen) return
    connection.isAlive = true
    const isOverLimit = connection.waitingPositions >= this.limits.waitingPositions
    if (isOverLimit || !connection.frameTokens.take(time())) {
      connection.send({ t: 'err', error: 'too_many_requests' })
      return connection.end(liveClose.tooMany, 'too many frames')
    }
    if (frame === null) {
      connection.send({ t: 'err', error: 'invalid_input' })
      return connection.end(policyViolation, 'not a frame of the live protocol')
    }
    if (frame.t === 'sub') this.subscriptions.subscribe(connection, frame.topic, frame.seen)
    else if (frame.t === 'unsub') this.subscriptions.unsubscribe(connection, frame.topic)
    else if (frame.t === 'pos') this.positions.take(connection, frame.position, frame.ref)
    else connection.send({ t: 'pong', ref: frame.ref, ...this.clockTime() })
  }

  /** Pings every client, drops old events, and checks the sessions that are due. */
  private maintain(): void {
    const now = time()
    this.channels.tidy(now)
    for (const [uid, at] of this.recheckedAt) if (now - at > acceptMs) this.recheckedAt.delete(uid)
    for (const connection of this.connections) {
      if (!connection.isAlive) {
        if (connection.isOpen) connection.end(liveClose.silent, 'no sign of life')
        else connection.cut()
        continue
      }
      // A client that sends but does not read seems alive.
      if (connection.queue.isStalled()) {
        this.channels.cutOff(connection)
        continue
      }
      connection.isAlive = false
      connection.ping()
      if (connection.actor && connection.checkAt <= now) this.checkSession(connection)
    }
  }

  /** Sends the time to every client when the clock was set since the last time sent. */
  private sendClockChange(): void {
    const offset = this.clockOffset()
    if (Math.abs(offset - this.sentOffset) < clockStepMs) return
    this.sentOffset = offset
    for (const connection of this.connections) connection.send({ t: 'clock', ...this.clockTime() })
  }

  /**
   * Begins new streams and sends every client the state of its topics, because events may have been lost. A few clients at a
   * time, so that the database is not flooded.
   */
  private async startAgain(): Promise<void> {
    this.channels.startAgain()
    this.rounds.wanted++
    if (this.isStartingAgain) return
    this.isStartingAgain = true
    while (this.rounds.done < this.rounds.wanted) {
      const round = this.rounds.wanted
      const waiting = [...this.connections]
      const next = async () => {
        for (let one = waiting.pop(); one; one = waiting.pop()) {
          // The end of its session may be among what was lost.
          if (one.actor) await this.queueCheck(one)
          if (one.isOpen) await this.subscriptions.openAgain(one)
        }
      }
      await Promise.all(Array.from({ length: openingAtOnce }, next))
      this.rounds.done = round
    }
    this.isStartingAgain = false
  }

  private clockOffset(): number {
    const { clock } = this.deps
    return clock.now() - clock.elapsed()
  }

  private clockTime(): { now: number; speed: number } {
    const { clock } = this.deps
    return { now: clock.now(), speed: clock.speed }
  }

  private recheckHere(uid: string, why: string | undefined): void {
    this.recheckedAt.set(uid, time())
    for (const connection of this.connections)
      if (connection.actor?.id === uid) this.checkSession(connection, why)
  }

  private checkSession(connection: Connection, why?: string): void {
    void this.queueCheck(connection, why).then((isChecked) => {
      if (isChecked) this.subscriptions.reauthorize(connection)
    })
  }

  /** Ends a connection whose session has ended, after the checks before. True when the session goes on. */
  private queueCheck(connection: Connection, why = 'the session has ended'): Promise<boolean> {
    connection.checkAt = this.nextCheck(time())
    const checked = connection.checkTail.then(async () => {
      if (!connection.isOpen) return false
      try {
        const actor = await this.deps.authenticate(connection.credential)
        if (actor === null || actor.id !== connection.actor?.id) {
          connection.end(liveClose.sessionEnded, why)
          return false
        }
        connection.actor = actor
        return true
      } catch (error) {
        this.deps.log.warn({ err: error }, 'failed to check a live session, will retry')
        connection.checkAt = 0
        return false
      }
    })
    connection.checkTail = checked
    return checked
  }

  /** Randomized, so that sessions opened together are not all checked together. */
  private nextCheck(now: number): number {
    return now + this.limits.sessionCheckMs * (0.75 + Math.random() / 2)
  }
}

/** Machine time: sockets and limits do not follow the application's clock, which may run faster. */
function time(): number {
  return performance.now()
}
