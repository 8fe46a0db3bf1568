import { type ClientFrame, liveClose, type ServerFrame } from '@hansom/contract/live'
import WebSocket from 'ws'
import type { Session } from './session.ts'

/** Receives the data of a topic. */
export interface TopicReader {
  snapshot(data: unknown): void
  event(data: unknown): void
}

interface Topic {
  reader: TopicReader
  seen: { epoch: string; seq: number } | undefined
  /** A subscription is pending: events out of order are not a new gap. */
  isPending: boolean
  failures: number
  timer: NodeJS.Timeout | undefined
}

const firstPauseMs = 500
const longestPauseMs = 10_000
const helloTimeoutMs = 15_000
/** Temporary errors of a topic: the subscription is retried. */
const temporaryErrors = ['server_error', 'unavailable', 'too_many_requests']

/**
 * One user's live connection. After a break it subscribes with the last seen position, so no event is missed; it signs
 * in again when the session has ended, and reconnects when the connection is silent. `now()` is the server's clock in
 * epoch ms; on a sped-up demo it runs `speed` times faster than real time.
 */
export class LiveClient {
  speed = 1
  private socket: WebSocket | null = null
  private readonly topics = new Map<string, Topic>()
  private failures = 0
  private ended = false
  private timer: NodeJS.Timeout | undefined
  private silence: NodeJS.Timeout | undefined
  private clock = { server: Date.now(), local: performance.now() }
  private readonly url: string
  private readonly session: Session

  constructor(url: string, session: Session) {
    this.url = `${url.replace(/^http/, 'ws')}/live`
    this.session = session
  }

  now(): number {
    return Math.round(this.clock.server + (performance.now() - this.clock.local) * this.speed)
  }

  /** Follows a topic from now on, across reconnects. */
  follow(name: string, reader: TopicReader): void {
    const topic: Topic = { reader, seen: undefined, isPending: false, failures: 0, timer: undefined }
    this.topics.set(name, topic)
    this.subscribe(name, topic)
  }

  unfollow(name: string): void {
    clearTimeout(this.topics.get(name)?.timer)
    this.topics.delete(name)
    this.send({ t: 'unsub', topic: name })
  }

  /** Sends a frame; returns false without a connection (the caller decides what is still worth sending later). */
  send(frame: ClientFrame): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false
    this.socket.send(JSON.stringify(frame))
    return true
  }

  open(): void {
    void this.reconnect(null)
  }

  close(): void {
    this.ended = true
    clearTimeout(this.timer)
    clearTimeout(this.silence)
    for (const topic of this.topics.values()) clearTimeout(topic.timer)
    this.socket?.close()
  }

  private async connect(): Promise<void> {
    if (this.ended) return
    const token = await this.session.token()
    if (this.ended) return
    const socket = new WebSocket(this.url, { headers: { authorization: `Bearer ${token}` } })
    this.socket = socket
    this.terminateAfter(socket, helloTimeoutMs)
    socket.on('message', (data) => this.read(socket, JSON.parse(String(data)) as ServerFrame))
    // The server's pings also show that the connection is alive.
    socket.on('ping', () => this.silence?.refresh())
    let isDead = false
    socket.on('error', ({ message }) => {
      isDead ||= message === 'Unexpected server response: 401'
    })
    socket.on('close', (code) => this.lost(isDead || code === liveClose.sessionEnded ? token : null))
  }

  /** Terminates the connection after this much silence. */
  private terminateAfter(socket: WebSocket, ms: number): void {
    clearTimeout(this.silence)
    this.silence = setTimeout(() => socket.terminate(), ms)
  }

  private lost(deadToken: string | null): void {
    clearTimeout(this.silence)
    for (const topic of this.topics.values()) {
      topic.isPending = false
      clearTimeout(topic.timer)
    }
    if (this.ended) return
    this.timer = setTimeout(() => void this.reconnect(deadToken), pauseAfter(this.failures++))
  }

  private async reconnect(deadToken: string | null): Promise<void> {
    try {
      if (deadToken !== null) await this.session.renew(deadToken)
      await this.connect()
    } catch {
      this.lost(deadToken)
    }
  }

  private subscribe(name: string, topic: Topic): void {
    clearTimeout(topic.timer)
    const { seen } = topic
    topic.isPending = this.send(seen ? { t: 'sub', topic: name, seen } : { t: 'sub', topic: name })
  }

  private read(socket: WebSocket, frame: ServerFrame): void {
    this.silence?.refresh()
    if (frame.t === 'hello') return this.onHello(socket, frame)
    if (frame.t === 'clock') return this.setClock(frame)
    if (!('topic' in frame) || frame.topic === undefined) return
    const topic = this.topics.get(frame.topic)
    if (!topic) return
    switch (frame.t) {
      case 'snap':
        topic.seen = { epoch: frame.epoch, seq: frame.seq }
        topic.reader.snapshot(frame.data)
        return
      case 'ev':
        return this.readEvent(frame, topic)
      case 'live':
        topic.seen = { epoch: frame.epoch, seq: frame.seq }
        topic.isPending = false
        topic.failures = 0
        return
      case 'err':
        topic.isPending = false
        if (!temporaryErrors.includes(frame.error)) return
        clearTimeout(topic.timer)
        topic.timer = setTimeout(
          () => this.subscribe(frame.topic as string, topic),
          pauseAfter(topic.failures++),
        )
    }
  }

  private onHello(socket: WebSocket, frame: Extract<ServerFrame, { t: 'hello' }>): void {
    this.failures = 0
    this.setClock(frame)
    this.terminateAfter(socket, 2.5 * frame.pingMs)
    for (const [name, topic] of this.topics) this.subscribe(name, topic)
  }

  private setClock({ now, speed }: { now: number; speed: number }): void {
    this.speed = speed
    this.clock = { server: now, local: performance.now() }
  }

  private readEvent(frame: Extract<ServerFrame, { t: 'ev' }>, topic: Topic): void {
    const { seen } = topic
    if (seen?.epoch === frame.epoch && frame.seq <= seen.seq) return
    if (seen?.epoch !== frame.epoch || frame.seq > seen.seq + 1) {
      if (!topic.isPending) this.subscribe(frame.topic, topic)
      return
    }
    topic.seen = { epoch: frame.epoch, seq: frame.seq }
    topic.reader.event(frame.data)
  }
}

function pauseAfter(failures: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** failures) * (0.5 + Math.random())
}
