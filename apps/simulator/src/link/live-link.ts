import type { ClientFrame, ServerFrame } from '@hansom/contract/live'
import WebSocket from 'ws'

/** What a topic tells its reader. */
export interface TopicReader {
  snapshot(data: unknown): void
  event(data: unknown): void
}

const longestPauseMs = 10_000

/**
 * One person's live connection: subscribes again after a break with what was last seen, so nothing is missed.
 * `now()` is the server's clock in epoch ms; on a sped-up demo it runs `speed` times faster than real time.
 */
export class LiveLink {
  speed = 1
  private socket: WebSocket | null = null
  private readonly readers = new Map<string, TopicReader>()
  private readonly seen = new Map<string, { epoch: string; seq: number }>()
  private pauseMs = 500
  private ended = false
  private timer: NodeJS.Timeout | undefined
  private clock = { server: Date.now(), local: performance.now() }
  private readonly url: string
  private readonly token: string

  constructor(url: string, token: string) {
    this.url = `${url.replace(/^http/, 'ws')}/live?token=${encodeURIComponent(token)}`
    this.token = token
  }

  now(): number {
    return Math.round(this.clock.server + (performance.now() - this.clock.local) * this.speed)
  }

  /** Reads a topic from now on, across broken connections. */
  follow(topic: string, reader: TopicReader): void {
    this.readers.set(topic, reader)
    this.subscribe(topic)
  }

  unfollow(topic: string): void {
    this.readers.delete(topic)
    this.seen.delete(topic)
    this.send({ t: 'unsub', topic })
  }

  /** Sends a frame; false when there is no connection (the caller decides what is still worth sending later). */
  send(frame: ClientFrame): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false
    this.socket.send(JSON.stringify(frame))
    return true
  }

  open(): void {
    if (this.ended) return
    const socket = new WebSocket(this.url, { headers: { authorization: `Bearer ${this.token}` } })
    this.socket = socket
    socket.on('open', () => {
      for (const topic of this.readers.keys()) this.subscribe(topic)
    })
    socket.on('message', (data) => this.read(JSON.parse(String(data)) as ServerFrame))
    socket.on('error', () => undefined)
    socket.on('close', () => this.openLater())
  }

  close(): void {
    this.ended = true
    clearTimeout(this.timer)
    this.socket?.close()
  }

  private openLater(): void {
    if (this.ended) return
    this.timer = setTimeout(() => this.open(), this.pauseMs * (0.5 + Math.random()))
    this.pauseMs = Math.min(longestPauseMs, this.pauseMs * 2)
  }

  private subscribe(topic: string): void {
    const seen = this.seen.get(topic)
    this.send(seen ? { t: 'sub', topic, seen } : { t: 'sub', topic })
  }

  private read(frame: ServerFrame): void {
    switch (frame.t) {
      case 'hello':
        this.pauseMs = 500
        this.speed = frame.speed
        this.clock = { server: frame.now, local: performance.now() }
        return
      case 'snap':
        this.seen.set(frame.topic, { epoch: frame.epoch, seq: frame.seq })
        this.readers.get(frame.topic)?.snapshot(frame.data)
        return
      case 'ev':
        return this.readEvent(frame)
      case 'live':
        this.seen.set(frame.topic, { epoch: frame.epoch, seq: frame.seq })
        return
    }
  }

  private readEvent(frame: Extract<ServerFrame, { t: 'ev' }>): void {
    const seen = this.seen.get(frame.topic)
    if (seen && seen.epoch === frame.epoch && frame.seq <= seen.seq) return
    const gap = !seen || seen.epoch !== frame.epoch || frame.seq > seen.seq + 1
    if (gap) return this.subscribe(frame.topic)
    this.seen.set(frame.topic, { epoch: frame.epoch, seq: frame.seq })
    this.readers.get(frame.topic)?.event(frame.data)
  }
}
