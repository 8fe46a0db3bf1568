import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ClientFrame, clientFrame, type ServerFrame } from '@hansom/contract/live'
import type { RawData, WebSocket } from 'ws'
import type { SessionActor } from '../http/implement.ts'
import type { Channel } from './channels.ts'
import { type FlushScheduler, FrameQueue, textFrame } from './frame-queue.ts'
import type { LiveLimits } from './live-limits.ts'

/** The credential of a connection: the upgrade headers or a bearer token. */
export type Credential = IncomingHttpHeaders | string

/** A topic that a connection subscribed to. Its changes run one at a time. */
export interface Subscription {
  topic: string
  /** The followed channel; null while access is not granted. */
  channel: Channel | null
  isChanging: boolean
  /** The next change; a later request replaces it. */
  next: (() => Promise<void>) | null
}

/** One client's socket and its state. */
export class Connection {
  /**
   * A list, since there are few. A map that loses and gains entries copies itself repeatedly, and each copy keeps the
   * next one from being collected until a major collection: a client that keeps subscribing would grow the heap by 1
   * MB/s.
   */
  readonly subscriptions: Subscription[] = []
  readonly credential: Credential
  readonly queue: FrameQueue
  actor: SessionActor | null
  isOpen = true
  /** True when the client responded since the last ping. */
  isAlive = true
  /** When the session is due for a check. */
  checkAt: number
  checkTail: Promise<unknown> = Promise.resolve()
  positionTail: Promise<void> = Promise.resolve()
  waitingPositions = 0
  /** Rate limits for received frames and for opened topics. */
  readonly frameTokens: TokenBucket
  readonly subscriptionTokens: TokenBucket
  private readonly ws: WebSocket

  constructor(
    ws: WebSocket,
    socket: Duplex,
    round: FlushScheduler,
    who: { actor: SessionActor | null; credential: Credential },
    start: { now: number; checkAt: number },
    limits: LiveLimits,
    whenFull: (connection: Connection) => void,
  ) {
    this.ws = ws
    this.queue = new FrameQueue(socket, round, {
      bytes: who.actor === null ? limits.waitingBytesOfVisitor : limits.waitingBytes,
      whenFull: () => whenFull(this),
    })
    this.actor = who.actor
    this.credential = who.credential
    this.frameTokens = new TokenBucket(limits.framesPerSecond, limits.frameBurst, start.now)
    this.subscriptionTokens = new TokenBucket(
      limits.subscriptionsPerSecond,
      limits.subscriptionBurst,
      start.now,
    )
    this.checkAt = start.checkAt
  }

  send(frame: ServerFrame): void {
    this.queue.push(textFrame(JSON.stringify(frame)))
  }

  /** Sends a ping. */
  ping(): void {
    if (this.isOpen) this.ws.ping()
  }

  /** Sends the queued frames and closes the connection. */
  end(code: number, reason: string): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.queue.close()
    this.ws.close(code, reason)
  }

  /** Terminates the connection without a close frame, for clients that do not read. */
  cut(): void {
    this.isOpen = false
    this.queue.close()
    this.ws.terminate()
  }
}

/** A token bucket: a steady rate per second with a burst. Times are machine time, ms. */
export class TokenBucket {
  private readonly perSecond: number
  private readonly burst: number
  private left: number
  private at: number

  constructor(perSecond: number, burst: number, now: number) {
    this.perSecond = perSecond
    this.burst = burst
    this.left = burst
    this.at = now
  }

  /** Takes one token; returns false when none is left. */
  take(now: number): boolean {
    this.left = Math.min(this.burst, this.left + ((now - this.at) * this.perSecond) / 1000)
    this.at = now
    if (this.left < 1) return false
    this.left--
    return true
  }
}

/** Parses a client's frame; returns null for anything but the protocol's JSON text. Never throws. */
export function readFrame(data: RawData, isBinary: boolean): ClientFrame | null {
  if (isBinary) return null
  try {
    const parsed = clientFrame.safeParse(JSON.parse(String(data)))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
