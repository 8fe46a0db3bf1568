import type { ClientFrame, ServerFrame } from '@hansom/contract/live'
import type { Position } from '@hansom/contract/tracking'

export type LiveStatus = 'idle' | 'connecting' | 'live' | 'reconnecting' | 'ended'

/** What a topic tells its subscriber. Data has the shapes of LiveSnapshots and LiveEvents of the topic's kind. */
export interface TopicListener {
  snapshot: (data: unknown) => void
  event: (data: unknown) => void
  volatile: (data: unknown) => void
  /** True once everything up to now has been heard; false when the line is lost. */
  current: (current: boolean) => void
  refused: (error: string) => void
}

interface Topic {
  listeners: Set<TopicListener>
  seen: { epoch: string; seq: number } | undefined
  /** A subscription is on its way: events out of order are not a new gap. */
  asking: boolean
  /** Refusals in a row that may pass. */
  failures: number
  retryTimer: ReturnType<typeof setTimeout> | undefined
}

export interface LiveClientOptions {
  open: () => WebSocket
  /** The server's time, as of now. */
  clock?: (time: { now: number; speed: number }) => void
  /** `why` may be the key of an error. */
  sessionEnded?: (why: string) => void
  random?: () => number
}

const firstDelayMs = 400
const longestDelayMs = 20_000
const lingerMs = 3_000
/** A line that has not greeted for so long is given up, ms: in a tunnel nobody says that it failed. */
const greetMs = 10_000
/** An open line that is doubted has so long to answer, ms. */
const probeMs = 4_000
const sessionEndedCode = 4401
/** Refusals of a topic that say nothing about the topic: it is asked for again. */
const passing = ['server_error', 'unavailable', 'too_many_requests']

/**
 * One socket for all topics of the page. Resumes each topic from the last (epoch, seq) it has seen; a gap makes it
 * subscribe again, and so does a refusal that may pass. Lost lines are opened again with exponential backoff and jitter, at once when the device comes
 * back online or the page is shown again.
 */
export class LiveClient {
  #options: LiveClientOptions
  #socket: WebSocket | undefined
  #topics = new Map<string, Topic>()
  #status: LiveStatus = 'idle'
  #statusListeners = new Set<() => void>()
  #failures = 0
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #lingerTimer: ReturnType<typeof setTimeout> | undefined
  #pingTimer: ReturnType<typeof setInterval> | undefined
  #doubtTimer: ReturnType<typeof setTimeout> | undefined
  #heardAt = 0
  #pingedAt = 0
  #nextRef = 1
  #acks = new Map<number, { resolve: () => void; reject: (error: Error) => void }>()

  constructor(options: LiveClientOptions) {
    this.#options = options
  }

  get status(): LiveStatus {
    return this.#status
  }

  onStatus = (listener: () => void): (() => void) => {
    this.#statusListeners.add(listener)
    return () => this.#statusListeners.delete(listener)
  }

  /** Listens to a topic until the returned function is called. */
  subscribe(name: string, listener: TopicListener): () => void {
    clearTimeout(this.#lingerTimer)
    const known = this.#topics.get(name)
    const topic: Topic = known ?? {
      listeners: new Set(),
      seen: undefined,
      asking: false,
      failures: 0,
      retryTimer: undefined,
    }
    topic.listeners.add(listener)
    this.#topics.set(name, topic)
    // A newcomer knows nothing yet: everyone on the topic gets a snapshot.
    topic.seen = undefined
    if (this.#status === 'live') this.#ask(name, topic)
    if (this.#status === 'idle') this.#connect()
    return () => {
      topic.listeners.delete(listener)
      if (topic.listeners.size > 0 || this.#topics.get(name) !== topic) return
      clearTimeout(topic.retryTimer)
      this.#topics.delete(name)
      this.#send({ t: 'unsub', topic: name })
      if (this.#topics.size === 0) this.#lingerTimer = setTimeout(() => this.#stop('idle'), lingerMs)
    }
  }

  /** True while the topic has a listener. */
  follows(name: string): boolean {
    return this.#topics.has(name)
  }

  /** Sends a position; resolves once it is as durable as it has to be, rejects when refused or the line is lost. */
  report(position: Position): Promise<void> {
    const ref = this.#nextRef++
    if (!this.#send({ t: 'pos', position, ref })) return Promise.reject(new Error('unreachable'))
    return new Promise((resolve, reject) => this.#acks.set(ref, { resolve, reject }))
  }

  /** Opens a new line as another person: nothing seen before counts. */
  restart(): void {
    for (const topic of this.#topics.values()) topic.seen = undefined
    this.#stop('idle')
    this.#failures = 0
    if (this.#topics.size > 0) this.#connect()
  }

  /** Tries at once instead of waiting for the next turn; asks a line that seems open whether it is. */
  retryNow = (): void => {
    if (this.#status === 'live') {
      this.#ping()
      return this.#doubt(probeMs)
    }
    if (this.#status !== 'reconnecting' || this.#socket) return
    clearTimeout(this.#retryTimer)
    this.#connect()
  }

  #setStatus(status: LiveStatus): void {
    if (this.#status === status) return
    this.#status = status
    for (const listener of this.#statusListeners) listener()
  }

  #connect(): void {
    this.#setStatus(this.#failures === 0 ? 'connecting' : 'reconnecting')
    const socket = this.#options.open()
    this.#socket = socket
    this.#doubt(greetMs)
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return
      this.#heardAt = performance.now()
      clearTimeout(this.#doubtTimer)
      this.#take(JSON.parse(String(data)) as ServerFrame)
    }
    socket.onclose = ({ code, reason }) => {
      if (this.#socket === socket) this.#lost(code, reason)
    }
  }

  /** Gives the line up unless something is heard on it soon. */
  #doubt(ms: number): void {
    clearTimeout(this.#doubtTimer)
    this.#doubtTimer = setTimeout(() => this.#giveUp(), ms)
  }

  #giveUp(): void {
    const socket = this.#socket
    this.#lost(1006)
    socket?.close()
  }

  #lost(code: number, reason = ''): void {
    this.#forgetSocket()
    if (code === sessionEndedCode) {
      this.#setStatus('ended')
      this.#options.sessionEnded?.(reason)
      return
    }
    const delay = this.#pause(this.#failures++)
    this.#setStatus('reconnecting')
    this.#retryTimer = setTimeout(() => this.#connect(), delay)
  }

  #forgetSocket(): void {
    this.#socket = undefined
    clearInterval(this.#pingTimer)
    clearTimeout(this.#retryTimer)
    clearTimeout(this.#doubtTimer)
    for (const { reject } of this.#acks.values()) reject(new Error('unreachable'))
    this.#acks.clear()
    for (const topic of this.#topics.values()) {
      topic.asking = false
      clearTimeout(topic.retryTimer)
      for (const listener of topic.listeners) listener.current(false)
    }
  }

  #stop(status: LiveStatus): void {
    const socket = this.#socket
    this.#forgetSocket()
    socket?.close()
    this.#setStatus(status)
  }

  #send(frame: ClientFrame): boolean {
    if (this.#socket?.readyState !== 1) return false
    this.#socket.send(JSON.stringify(frame))
    return true
  }

  #ask(name: string, topic: Topic): void {
    topic.asking = true
    clearTimeout(topic.retryTimer)
    this.#send({ t: 'sub', topic: name, ...(topic.seen ? { seen: topic.seen } : {}) })
  }

  #take(frame: ServerFrame): void {
    if (frame.t === 'hello') return this.#greet(frame)
    if (frame.t === 'pong') return this.#takePong(frame)
    if (frame.t === 'clock') return this.#options.clock?.(frame)
    if (frame.t === 'ack') return this.#settle(frame.ref)
    if (frame.t === 'err' && frame.ref !== undefined) return this.#settle(frame.ref, frame.error)
    const topic = frame.topic === undefined ? undefined : this.#topics.get(frame.topic)
    if (!topic || frame.topic === undefined) return
    switch (frame.t) {
      case 'snap':
        topic.seen = { epoch: frame.epoch, seq: frame.seq }
        topic.asking = false
        for (const listener of topic.listeners) listener.snapshot(frame.data)
        return
      case 'ev':
        return this.#takeEvent(frame.topic, topic, frame)
      case 'live':
        return this.#takeLive(frame.topic, topic, frame)
      case 'vol':
        for (const listener of topic.listeners) listener.volatile(frame.data)
        return
      case 'err':
        return this.#takeRefusal(frame.topic, topic, frame.error)
    }
  }

  #greet(frame: Extract<ServerFrame, { t: 'hello' }>): void {
    this.#failures = 0
    this.#options.clock?.(frame)
    this.#setStatus('live')
    for (const [name, topic] of this.#topics) this.#ask(name, topic)
    this.#pingTimer = setInterval(() => {
      // Silence over two turns: the line is dead although nobody closed it.
      if (performance.now() - this.#heardAt > 2.5 * frame.pingMs) {
        this.#giveUp()
      } else this.#ping()
    }, frame.pingMs)
  }

  /** The answer to a ping carries the time; one that was long under way says too little about it. */
  #takePong(frame: Extract<ServerFrame, { t: 'pong' }>): void {
    const roundTripMs = performance.now() - this.#pingedAt
    if (roundTripMs > 2_000) return
    this.#options.clock?.({ now: frame.now + (roundTripMs / 2) * frame.speed, speed: frame.speed })
  }

  #ping(): void {
    this.#pingedAt = performance.now()
    this.#send({ t: 'ping' })
  }

  #takeEvent(name: string, topic: Topic, frame: Extract<ServerFrame, { t: 'ev' }>): void {
    const { seen } = topic
    if (seen?.epoch === frame.epoch && frame.seq <= seen.seq) return
    if (seen?.epoch !== frame.epoch || frame.seq !== seen.seq + 1) {
      if (!topic.asking) this.#ask(name, topic)
      return
    }
    topic.seen = { epoch: frame.epoch, seq: frame.seq }
    for (const listener of topic.listeners) listener.event(frame.data)
  }

  #takeLive(name: string, topic: Topic, frame: Extract<ServerFrame, { t: 'live' }>): void {
    topic.asking = false
    topic.failures = 0
    if (topic.seen?.epoch !== frame.epoch || topic.seen.seq < frame.seq) {
      topic.seen = undefined
      this.#ask(name, topic)
      return
    }
    for (const listener of topic.listeners) listener.current(true)
  }

  #takeRefusal(name: string, topic: Topic, error: string): void {
    topic.asking = false
    if (!passing.includes(error)) {
      for (const listener of topic.listeners) listener.refused(error)
      return
    }
    for (const listener of topic.listeners) listener.current(false)
    clearTimeout(topic.retryTimer)
    topic.retryTimer = setTimeout(() => this.#ask(name, topic), this.#pause(topic.failures++))
  }

  /** How long to wait after so many failures, ms. */
  #pause(failures: number): number {
    const random = this.#options.random ?? Math.random
    return Math.min(longestDelayMs, firstDelayMs * 2 ** failures) * (0.5 + random() / 2)
  }

  #settle(ref: number, error?: string): void {
    const waiting = this.#acks.get(ref)
    this.#acks.delete(ref)
    if (error === undefined) waiting?.resolve()
    else waiting?.reject(new Error(error))
  }
}
