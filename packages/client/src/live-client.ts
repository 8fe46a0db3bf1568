import type {
  ClientFrame,
  LiveEvents,
  LiveSnapshots,
  LiveTopicKind,
  ServerFrame,
} from '@hansom/contract/live'
import type { Position } from '@hansom/contract/tracking'
import { ApiError } from './api-error.ts'
import type { KindOf, TopicName } from './live-topics.ts'

/** `ended`: the server has ended the session, and nothing reconnects before `restart`. */
export type LiveStatus = 'idle' | 'connecting' | 'live' | 'reconnecting' | 'ended'

/** Callbacks of a topic's subscriber. */
export interface TopicListener<Kind extends LiveTopicKind = LiveTopicKind> {
  snapshot?(data: LiveSnapshots[Kind]): void
  event?(data: LiveEvents[Kind]): void
  volatile?(data: LiveEvents[Kind]): void
  /** True once all events up to now have arrived; false when the connection is lost. */
  current?(current: boolean): void
  /** The topic was refused or withdrawn; `error` is an error key. */
  refused?(error: string): void
  /** `close` ended the subscription. */
  closed?(): void
}

/** The part of a WebSocket that is used; those of browsers, of Node and of the package `ws` have it. */
export interface LiveSocket {
  readonly readyState: number
  onmessage: Handler<{ data: unknown }>
  onclose: Handler<{ code: number; reason: string }>
  send(text: string): void
  close(): void
}
/** Typed as a method, so that the event types of each implementation fit. */
export type Handler<Event> = { handle(event: Event): void }['handle'] | null

type Snapshot = LiveSnapshots[LiveTopicKind]
type Event = LiveEvents[LiveTopicKind]

class Topic {
  readonly listeners = new Set<TopicListener>()
  seen: { epoch: string; seq: number } | undefined
  /** A subscription is pending: out-of-order events are not a new gap. */
  subscribing = false
  /** Consecutive temporary refusals. */
  failures = 0
  retryTimer: ReturnType<typeof setTimeout> | undefined
}

export interface LiveClientOptions {
  /** Opens a socket. It may renew the session first; a rejection counts as a failed connection. */
  open: () => LiveSocket | Promise<LiveSocket>
  /** Called with the server's current time. */
  clock?: (time: { now: number; speed: number }) => void
  /** `reason` may be an error key. */
  sessionEnded?: (reason: string) => void
  /** True when `open` signs in again after the session has ended: the client then reconnects automatically. */
  renewsSession?: () => boolean
  random?: () => number
}

const firstDelayMs = 400
/** Delay after a connection that worked has broken: most of them can be opened again at once, ms. */
const brokenDelayMs = 100
const longestDelayMs = 20_000
const lingerMs = 3_000
/** Time limit for the hello frame, ms: in a tunnel no error reports a failed connection. */
const helloTimeoutMs = 10_000
/** Time limit for a probe of an open socket, ms. */
const probeTimeoutMs = 4_000
const sessionEndedCode = 4401
/** No close frame was received. */
const brokenCode = 1006
/** A connection that was live for this long reconnects at once when it breaks. */
const steadyMs = 10_000
/** Temporary refusals, unrelated to the topic itself; the subscription is retried. */
const temporaryErrors = ['server_error', 'unavailable', 'too_many_requests']

/**
 * One WebSocket for all topics of a user. Resumes each topic from the last (epoch, seq) seen; resubscribes after a
 * gap or a temporary refusal. Reconnects with exponential backoff and jitter, and immediately when the device comes
 * back online or the page becomes visible.
 */
export class LiveClient {
  #options: LiveClientOptions
  #socket: LiveSocket | undefined
  #opening: Promise<LiveSocket> | undefined
  #topics = new Map<string, Topic>()
  #status: LiveStatus = 'idle'
  #statusListeners = new Set<() => void>()
  #failures = 0
  /** When the connection became live, epoch ms. */
  #liveAt = 0
  #retryTimer: ReturnType<typeof setTimeout> | undefined
  #lingerTimer: ReturnType<typeof setTimeout> | undefined
  #pingTimer: ReturnType<typeof setInterval> | undefined
  #silenceTimer: ReturnType<typeof setTimeout> | undefined
  #lastFrameAt = 0
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

  /** Subscribes to a topic until the returned function is called. Throws what a synchronous `open` throws. */
  subscribe<Name extends TopicName>(name: Name, listener: TopicListener<KindOf<Name>>): () => void {
    clearTimeout(this.#lingerTimer)
    if (this.#status === 'idle') this.#connect()
    const topic = this.#topics.get(name) ?? new Topic()
    topic.listeners.add(listener)
    this.#topics.set(name, topic)
    // A new listener has no data yet: request a snapshot for everyone on the topic.
    topic.seen = undefined
    if (this.#status === 'live') this.#sendSubscribe(name, topic)
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
  isSubscribed(name: string): boolean {
    return this.#topics.has(name)
  }

  /** Sends a position that is not acknowledged; returns false without a connection. */
  sendPosition(position: Position): boolean {
    return this.#send({ t: 'pos', position })
  }

  /** Sends a position. Resolves when the server acknowledges it; rejects if it is refused or the connection is lost. */
  report(position: Position): Promise<void> {
    const ref = this.#nextRef++
    if (!this.#send({ t: 'pos', position, ref })) return Promise.reject(new Error('unreachable'))
    return new Promise((resolve, reject) => this.#acks.set(ref, { resolve, reject }))
  }

  /** Reconnects with another session; positions in the old streams are discarded. */
  restart(): void {
    for (const topic of this.#topics.values()) topic.seen = undefined
    this.#stop('idle')
    this.#failures = 0
    if (this.#topics.size > 0) this.#connect()
  }

  /** Ends all subscriptions and closes the connection. */
  close(): void {
    clearTimeout(this.#lingerTimer)
    this.#stop('idle')
    const topics = [...this.#topics.values()]
    this.#topics.clear()
    for (const { listeners } of topics) {
      for (const listener of listeners) listener.closed?.()
    }
  }

  /** Reconnects immediately instead of waiting for the backoff; probes a socket that seems open. */
  retryNow = (): void => {
    if (this.#status === 'live') {
      this.#ping()
      return this.#expectFrame(probeTimeoutMs)
    }
    if (this.#status !== 'reconnecting' || this.#socket || this.#opening) return
    clearTimeout(this.#retryTimer)
    this.#connect()
  }

  #setStatus(status: LiveStatus): void {
    if (this.#status === status) return
    this.#status = status
    for (const listener of this.#statusListeners) listener()
  }

  #connect(): void {
    const opened = this.#options.open()
    this.#setStatus(this.#failures === 0 ? 'connecting' : 'reconnecting')
    if (!(opened instanceof Promise)) return this.#attach(opened)
    this.#opening = opened
    opened.then(
      (socket) => (this.#opening === opened ? this.#attach(socket) : socket.close()),
      (error: unknown) => {
        if (this.#opening === opened) this.#handleOpenFailure(error)
      },
    )
  }

  #attach(socket: LiveSocket): void {
    this.#opening = undefined
    this.#socket = socket
    this.#expectFrame(helloTimeoutMs)
    socket.onmessage = ({ data }) => {
      if (this.#socket !== socket) return
      this.#lastFrameAt = performance.now()
      clearTimeout(this.#silenceTimer)
      this.#take(JSON.parse(String(data)) as ServerFrame)
    }
    socket.onclose = ({ code, reason }) => {
      if (this.#socket === socket) this.#handleClose(code, reason)
    }
  }

  /** Abandons the socket unless a frame arrives within `ms`. */
  #expectFrame(ms: number): void {
    clearTimeout(this.#silenceTimer)
    this.#silenceTimer = setTimeout(() => this.#abandon(), ms)
  }

  #abandon(): void {
    const socket = this.#socket
    this.#handleClose(brokenCode)
    socket?.close()
  }

  #handleOpenFailure(error: unknown): void {
    if (!(error instanceof ApiError && error.status === 401)) return this.#handleClose(brokenCode)
    this.#forgetSocket()
    this.#setStatus('ended')
  }

  #handleClose(code: number, reason = ''): void {
    this.#forgetSocket()
    if (code === sessionEndedCode) {
      const renews = this.#options.renewsSession?.() ?? false
      if (!renews) this.#setStatus('ended')
      this.#options.sessionEnded?.(reason)
      if (!renews) return
    }
    // A connection that breaks again and again soon after its start must wait longer each time.
    const hasBroken = this.#status === 'live' && code === brokenCode && Date.now() - this.#liveAt >= steadyMs
    const delay = hasBroken ? this.#jittered(brokenDelayMs) : this.#backoff(this.#failures++)
    this.#setStatus('reconnecting')
    this.#retryTimer = setTimeout(() => this.#connect(), delay)
  }

  #forgetSocket(): void {
    this.#socket = undefined
    this.#opening = undefined
    clearInterval(this.#pingTimer)
    clearTimeout(this.#retryTimer)
    clearTimeout(this.#silenceTimer)
    for (const { reject } of this.#acks.values()) reject(new Error('unreachable'))
    this.#acks.clear()
    for (const topic of this.#topics.values()) {
      topic.subscribing = false
      clearTimeout(topic.retryTimer)
      for (const listener of topic.listeners) listener.current?.(false)
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

  #sendSubscribe(name: string, topic: Topic): void {
    topic.subscribing = true
    clearTimeout(topic.retryTimer)
    this.#send({ t: 'sub', topic: name, ...(topic.seen ? { seen: topic.seen } : {}) })
  }

  #take(frame: ServerFrame): void {
    if (frame.t === 'hello') return this.#takeHello(frame)
    if (frame.t === 'pong') return this.#takePong(frame)
    if (frame.t === 'clock') return this.#options.clock?.(frame)
    if (frame.t === 'ack') return this.#settle(frame.ref)
    if (frame.t === 'err' && frame.ref !== undefined) return this.#settle(frame.ref, frame.error)
    const topic = frame.topic === undefined ? undefined : this.#topics.get(frame.topic)
    if (!topic || frame.topic === undefined) return
    switch (frame.t) {
      case 'snap':
        topic.seen = { epoch: frame.epoch, seq: frame.seq }
        topic.subscribing = false
        for (const listener of topic.listeners) listener.snapshot?.(frame.data as Snapshot)
        return
      case 'ev':
        return this.#takeEvent(frame.topic, topic, frame)
      case 'live':
        return this.#takeLive(frame.topic, topic, frame)
      case 'vol':
        for (const listener of topic.listeners) listener.volatile?.(frame.data as Event)
        return
      case 'err':
        return this.#takeRefusal(frame.topic, topic, frame.error)
    }
  }

  #takeHello(frame: Extract<ServerFrame, { t: 'hello' }>): void {
    this.#failures = 0
    this.#options.clock?.(frame)
    this.#liveAt = Date.now()
    this.#setStatus('live')
    for (const [name, topic] of this.#topics) this.#sendSubscribe(name, topic)
    this.#pingTimer = setInterval(() => {
      // More than two ping intervals of silence: the connection is dead although no close event came.
      if (performance.now() - this.#lastFrameAt > 2.5 * frame.pingMs) this.#abandon()
      else this.#ping()
    }, frame.pingMs)
  }

  /** Sets the clock from a pong, unless the round trip was too slow to be accurate. */
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
      if (!topic.subscribing) this.#sendSubscribe(name, topic)
      return
    }
    topic.seen = { epoch: frame.epoch, seq: frame.seq }
    for (const listener of topic.listeners) listener.event?.(frame.data as Event)
  }

  #takeLive(name: string, topic: Topic, frame: Extract<ServerFrame, { t: 'live' }>): void {
    topic.subscribing = false
    topic.failures = 0
    if (topic.seen?.epoch !== frame.epoch || topic.seen.seq < frame.seq) {
      topic.seen = undefined
      this.#sendSubscribe(name, topic)
      return
    }
    for (const listener of topic.listeners) listener.current?.(true)
  }

  #takeRefusal(name: string, topic: Topic, error: string): void {
    topic.subscribing = false
    if (!temporaryErrors.includes(error)) {
      for (const listener of topic.listeners) listener.refused?.(error)
      return
    }
    for (const listener of topic.listeners) listener.current?.(false)
    clearTimeout(topic.retryTimer)
    topic.retryTimer = setTimeout(() => this.#sendSubscribe(name, topic), this.#backoff(topic.failures++))
  }

  /** Backoff after that many failures, ms. */
  #backoff(failures: number): number {
    return this.#jittered(Math.min(longestDelayMs, firstDelayMs * 2 ** failures))
  }

  #jittered(ms: number): number {
    return ms * (0.5 + (this.#options.random ?? Math.random)() / 2)
  }

  #settle(ref: number, error?: string): void {
    const waiting = this.#acks.get(ref)
    this.#acks.delete(ref)
    if (error === undefined) waiting?.resolve()
    else waiting?.reject(new Error(error))
  }
}
