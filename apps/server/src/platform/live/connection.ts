import type { IncomingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ServerFrame } from '@hansom/contract/live'
import type { WebSocket } from 'ws'
import type { Viewer } from '../http/request-context.ts'
import { Allowance } from './allowance.ts'
import type { Channel } from './channel.ts'
import { FrameQueue, type WriteRound } from './frame-queue.ts'
import type { LiveLimits } from './live-limits.ts'
import { textFrame } from './text-frame.ts'

/** What proves who is there: the headers of the upgrade, or a bearer token. */
export type Credential = IncomingHttpHeaders | string

/** A topic a connection has asked for. Its changes happen one after the other. */
export interface Subscription {
  topic: string
  /** Where it listens; null while it is not granted. */
  channel: Channel | null
  isChanging: boolean
  /** The change that comes next: what was asked for last is what counts. */
  next: (() => Promise<void>) | null
}

/** One client's socket with what belongs to it. */
export class Connection {
  /**
   * Few, so a list. A map that loses and gains entries copies itself again and again, and each copy keeps the next one
   * from being collected until a major collection: a client that goes on asking would grow the heap by 1 MB a second.
   */
  readonly subscriptions: Subscription[] = []
  readonly credential: Credential
  readonly queue: FrameQueue
  viewer: Viewer | null
  isOpen = true
  /** Whether it gave a sign of life since it was last asked for one. */
  isAlive = true
  /** When its session has to be looked at again. */
  checkAt: number
  checkTail: Promise<void> = Promise.resolve()
  positionTail: Promise<void> = Promise.resolve()
  waitingPositions = 0
  /** What it may send, and how often it may open a topic. */
  readonly frames: Allowance
  readonly openings: Allowance
  private readonly ws: WebSocket

  constructor(
    ws: WebSocket,
    socket: Duplex,
    round: WriteRound,
    who: { viewer: Viewer | null; credential: Credential },
    start: { now: number; checkAt: number },
    limits: LiveLimits,
    whenFull: (connection: Connection) => void,
  ) {
    this.ws = ws
    this.queue = new FrameQueue(socket, round, {
      bytes: who.viewer === null ? limits.waitingBytesOfVisitor : limits.waitingBytes,
      whenFull: () => whenFull(this),
    })
    this.viewer = who.viewer
    this.credential = who.credential
    this.frames = new Allowance(limits.framesPerSecond, limits.frameBurst, start.now)
    this.openings = new Allowance(limits.openingsPerSecond, limits.openingBurst, start.now)
    this.checkAt = start.checkAt
  }

  send(frame: ServerFrame): void {
    this.queue.push(textFrame(JSON.stringify(frame)))
  }

  /** Asks for a sign of life. */
  ping(): void {
    if (this.isOpen) this.ws.ping()
  }

  /** Sends what is queued and says goodbye. */
  end(code: number, reason: string): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.queue.close()
    this.ws.close(code, reason)
  }

  /** Cuts the connection without a word, for clients that would not hear one. */
  cut(): void {
    this.isOpen = false
    this.queue.close()
    this.ws.terminate()
  }
}
