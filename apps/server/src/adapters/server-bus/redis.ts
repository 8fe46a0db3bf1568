import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { type Payload, payloadOf, type ServerBus } from './port.ts'

export interface RedisBusOptions {
  url: string
  /** Installations that share a Redis server have different prefixes. */
  prefix: string
  log: { warn(facts: object, text: string): void; info(facts: object, text: string): void }
  /** Interval of the sign of life, ms: a hole in a server's messages is noticed at its next message or sign of life. */
  beatMs?: number
  /** The bus counts as down when this server's own messages have not come back for this time, ms. */
  silentMs?: number
}

/** A batch that grew beyond this is sent at once, characters. */
const largestBatch = 262_144
/** A publication that takes longer counts as lost, ms. */
const publishMs = 1_000
const openMs = 2_000
/** Marks of a batch: messages of its server were lost before it; its server is about to stop. */
const [lost, leaving] = [' lost', ' leaving']

/**
 * The bus over the publish and subscribe commands of Redis or Valkey (https://redis.io/docs/latest/develop/pubsub/): at most
 * once, in order. Messages of one turn of the event loop travel together, in a batch. A batch is text: a line with the
 * server's id, the batch's number and at times a mark, then a line for each message: kind, subject and JSON, separated by
 * tabs, which JSON does not have. A batch without messages is a sign of life and has the number of the last one.
 */
export class RedisBus implements ServerBus {
  readonly isShared = true
  private readonly id = randomBytes(6).toString('base64url')
  private readonly options: Required<RedisBusOptions>
  private readonly channel: string
  private readonly publisher: Redis
  private readonly subscriber: Redis
  private readonly handlers = new Map<string, (subject: string, data: Payload) => void>()
  private readonly lostListeners: (() => void)[] = []
  private readonly timer: NodeJS.Timeout
  /** The last batch of each server that lives, by its id, and when it came. */
  private readonly lastOf = new Map<string, { number: number; at: number }>()
  private lines: string[] = []
  private size = 0
  private number = 0
  /** A batch was lost, and no later one has said so. */
  private hasLost = false
  private underWay: Promise<unknown> = Promise.resolve()
  /** When a batch of this server last came back, on the monotonic clock; null before that and without a connection. */
  private heardAt: number | null = null
  private wasUp = false
  private isOpen = false
  private isClosed = false

  private constructor(options: RedisBusOptions) {
    this.options = { beatMs: 500, silentMs: 2_500, ...options }
    this.channel = `${options.prefix}:bus`
    const connect = () =>
      new Redis(options.url, {
        protocol: 2,
        // A message that cannot be sent now is lost, which is said: it must not arrive later, after newer ones.
        enableOfflineQueue: false,
        autoResendUnfulfilledCommands: false,
        maxRetriesPerRequest: 0,
        autoResubscribe: false,
        connectTimeout: 2_000,
        // Half a second at most: a restarted Redis is used again at once.
        retryStrategy: (times) => Math.min(500, 50 * times),
        lazyConnect: true,
      })
    this.publisher = connect()
    this.subscriber = connect()
    for (const one of [this.publisher, this.subscriber])
      one.on(
        'error',
        (err: Error) =>
          this.wasUp && !this.isClosed && options.log.warn({ err }, 'connection to Redis failed'),
      )
    for (const one of [this.publisher, this.subscriber])
      one.on('close', () => {
        this.heardAt = null
        this.noteState()
      })
    this.subscriber.on('ready', () => void this.subscribe())
    this.subscriber.on('message', (_channel: string, text: string) => this.receive(text))
    this.timer = setInterval(() => this.beat(), this.options.beatMs)
    this.timer.unref()
  }

  /** Connects, for at most two seconds: without Redis the bus is down until Redis answers. */
  static async open(options: RedisBusOptions): Promise<RedisBus> {
    const bus = new RedisBus(options)
    for (const one of [bus.subscriber, bus.publisher]) one.connect().catch(() => {})
    for (const until = performance.now() + openMs; !bus.isUp() && performance.now() < until; await wait(20)) {
      if (bus.subscriber.status === 'ready' && bus.publisher.status === 'ready') bus.beat()
    }
    bus.isOpen = true
    return bus
  }

  send(kind: string, subject: string, data: unknown): void {
    if (this.lines.length === 0) setImmediate(() => this.publish())
    const line = `${kind}\t${subject}\t${payloadOf(data).json()}`
    this.lines.push(line)
    this.size += line.length
    if (this.size > largestBatch) this.publish()
  }

  on(kind: string, handler: (subject: string, data: Payload) => void): void {
    if (this.handlers.has(kind)) throw new Error(`messages of the kind ${kind} already have a handler`)
    this.handlers.set(kind, handler)
  }

  async flush(): Promise<void> {
    this.publish()
    await this.underWay
  }

  whenLost(listener: () => void): void {
    this.lostListeners.push(listener)
  }

  isUp(): boolean {
    return this.heardAt !== null && performance.now() - this.heardAt < this.options.silentMs
  }

  async close(): Promise<void> {
    await this.flush()
    clearInterval(this.timer)
    await this.pass(leaving)
    this.isClosed = true
    this.publisher.disconnect()
    this.subscriber.disconnect()
  }

  private publish(): void {
    if (this.lines.length === 0) return
    const { lines } = this
    this.lines = []
    this.size = 0
    this.number++
    this.underWay = Promise.all([this.underWay, this.pass(`\n${lines.join('\n')}`)])
  }

  /** Hands a batch to Redis. One connection carries all of them, so they stay in order. */
  private async pass(rest: string): Promise<void> {
    const mark = this.hasLost ? lost : ''
    this.hasLost = false
    try {
      await within(publishMs, this.publisher.publish(this.channel, `${this.id} ${this.number}${mark}${rest}`))
    } catch {
      this.hasLost = true
    }
  }

  private beat(): void {
    this.underWay = Promise.all([this.underWay, this.pass('')])
    const silentSince = performance.now() - this.options.silentMs
    for (const [id, { at }] of this.lastOf) {
      if (at > silentSince) continue
      // It may have died with a message that it had not handed over.
      this.lastOf.delete(id)
      this.tellLost()
    }
    this.noteState()
  }

  private async subscribe(): Promise<void> {
    try {
      await this.subscriber.subscribe(this.channel)
    } catch (err) {
      // The connection broke again; it is made again.
      return this.options.log.warn({ err }, 'cannot listen to the other servers')
    }
    this.lastOf.clear()
    if (this.isOpen) this.tellLost()
  }

  private receive(text: string): void {
    const end = text.indexOf('\n')
    const head = end < 0 ? text : text.slice(0, end)
    const [id = '', digits] = head.split(' ', 2)
    const number = Number(digits)
    const at = performance.now()
    if (id === this.id) this.heardAt = at
    const last = this.lastOf.get(id)?.number
    const expected = last === undefined ? number : last + (end < 0 ? 0 : 1)
    if (head.endsWith(leaving)) this.lastOf.delete(id)
    else this.lastOf.set(id, { number, at })
    if (number !== expected || head.includes(lost)) this.tellLost()
    this.noteState()
    if (end >= 0) for (const line of text.slice(end + 1).split('\n')) this.deliver(line)
  }

  private deliver(line: string): void {
    const first = line.indexOf('\t')
    const second = line.indexOf('\t', first + 1)
    const kind = line.slice(0, first)
    const json = line.slice(second + 1)
    try {
      this.handlers.get(kind)?.(line.slice(first + 1, second), {
        json: () => json,
        value: () => JSON.parse(json),
      })
    } catch (err) {
      this.options.log.warn({ err, kind }, 'failed to handle a message between servers')
    }
  }

  private tellLost(): void {
    for (const listener of this.lostListeners) listener()
  }

  private noteState(): void {
    const isUp = this.isUp()
    // What is lost now was given up.
    if (isUp === this.wasUp || this.isClosed) return
    this.wasUp = isUp
    const { log } = this.options
    if (isUp) log.info({}, 'connected to the other servers through Redis')
    else log.warn({}, 'Redis does not answer: live updates come from the database, every few seconds')
  }
}

/** Rejects when `work` takes longer than `ms`. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
