import { type FrameQueue, textFrame } from './frame-queue.ts'
import type { LiveLimits } from './live-limits.ts'

/**
 * Names the channel of a topic for one audience: `channelName('booking:<id>', 'rider')`. The audience is a role or a
 * user's id; viewers of one channel see the same state.
 */
export function channelName(topic: string, audience: string): string {
  return `${topic}|${audience}`
}

/** Returns the topic of a channel. Throws RangeError for a name not made by `channelName`. */
export function topicOf(channel: string): string {
  const end = channel.indexOf('|')
  if (end < 1) throw new RangeError(`not a channel name: ${channel}`)
  return channel.slice(0, end)
}

/** A subscriber of a channel: frames go to its queue; a client that is too far behind is cut off. */
export interface Listener {
  readonly isOpen: boolean
  readonly queue: FrameQueue
  readonly actor?: { readonly id: string } | null
  cut(): void
}

/** The state at a sequence number, ready to be sent. */
export interface Snapshot {
  seq: number
  frame: Buffer
}

interface Remembered {
  frame: Buffer
  at: number
}

/**
 * One stream of events: numbered, remembered for a while, serialized and framed once for all subscribers. Each channel
 * has its own epoch: a channel that was dropped and recreated is another stream.
 */
export class Channel {
  readonly topic: string
  readonly epoch: string
  readonly subscribers = new Set<Listener>()
  seq = 0
  /** Subscriptions in progress, which need the events published meanwhile. */
  joining = 0
  /** When it last had a subscriber. */
  usedAt: number
  /** The newest volatile frame, stored only for joining subscriptions. */
  newestVolatile: Buffer | null = null
  private shared: { snapshot: Promise<Snapshot>; seq: number; at: number } | null = null
  private readonly limits: LiveLimits
  private readonly head: string
  private remembered: Remembered[] = []
  private rememberedBytes = 0

  constructor(topic: string, epoch: string, now: number, limits: LiveLimits) {
    this.topic = topic
    this.epoch = epoch
    this.usedAt = now
    this.limits = limits
    this.head = `"topic":${JSON.stringify(topic)},"epoch":${JSON.stringify(epoch)},"seq":`
  }

  /** Numbers and remembers an event given as JSON; returns its frame. */
  append(json: string, now: number): Buffer {
    this.seq++
    const frame = textFrame(`{"t":"ev",${this.head}${this.seq},"data":${json}}`)
    this.remembered.push({ frame, at: now })
    this.rememberedBytes += frame.length
    this.forget(now)
    return frame
  }

  volatile(json: string): Buffer {
    const frame = textFrame(`{"t":"vol","topic":${JSON.stringify(this.topic)},"data":${json}}`)
    if (this.joining > 0) this.newestVolatile = frame
    return frame
  }

  snapshot(seq: number, json: string): Buffer {
    return textFrame(`{"t":"snap",${this.head}${seq},"data":${json}}`)
  }

  /**
   * Returns the snapshot of a channel whose subscribers all see the same state. It is read once for all of them until
   * an event changes it or it is `sharedStateMs` old.
   */
  sharedSnapshot(now: number, read: () => Promise<unknown>): Promise<Snapshot> {
    const { shared, seq } = this
    if (shared?.seq === seq && now - shared.at < this.limits.sharedStateMs) return shared.snapshot
    const snapshot = read().then((state) => ({ seq, frame: this.snapshot(seq, toJson(state)) }))
    const mine = { snapshot, seq, at: now }
    this.shared = mine
    snapshot.catch(() => {
      if (this.shared === mine) this.shared = null
    })
    return snapshot
  }

  upToDate(): Buffer {
    return textFrame(`{"t":"live",${this.head}${this.seq}}`)
  }

  /** True when all events after a sequence number are remembered. */
  remembersAfter(seq: number): boolean {
    return seq <= this.seq && seq >= this.seq - this.remembered.length
  }

  /** Returns the frames after a sequence number that `remembersAfter` accepts. */
  after(seq: number): Buffer[] {
    return this.remembered.slice(this.remembered.length - (this.seq - seq)).map((event) => event.frame)
  }

  /** Drops events beyond the limits on number, size and age. */
  forget(now: number): void {
    const { rememberedEvents, rememberedBytes, rememberMs } = this.limits
    let dropped = 0
    for (const event of this.remembered) {
      const isOverLimit =
        this.remembered.length - dropped > rememberedEvents || this.rememberedBytes > rememberedBytes
      if (!isOverLimit && now - event.at <= rememberMs) break
      this.rememberedBytes -= event.frame.length
      dropped++
    }
    if (dropped > 0) this.remembered = this.remembered.slice(dropped)
  }
}

/** An event as JSON, which is made only for channels that are followed. */
export interface EventData {
  json(): string
}

export function toJson(data: unknown): string {
  return JSON.stringify(data ?? null)
}

/** The channels that are or recently were followed; other channels have no state. */
export class Channels {
  private readonly channels = new Map<string, Channel>()
  private readonly epoch: string
  private readonly limits: LiveLimits
  private made = 0
  /** Since the start: published events, their frames to sockets, clients cut off, snapshots read. */
  readonly counts = { published: 0, delivered: 0, cutOff: 0, snapshots: 0 }

  constructor(epoch: string, limits: LiveLimits) {
    this.epoch = epoch
    this.limits = limits
  }

  get size(): number {
    return this.channels.size
  }

  /** Returns the channel with a name; creates it if missing. */
  open(name: string, now: number): Channel {
    const known = this.channels.get(name)
    if (known) return known
    this.made++
    const channel = new Channel(topicOf(name), `${this.epoch}-${this.made.toString(36)}`, now, this.limits)
    this.channels.set(name, channel)
    return channel
  }

  /** Numbers an event and sends it to all subscribers. Clients that are too far behind are cut off; they resume. */
  publish(name: string, data: EventData, now: number): void {
    const channel = this.channels.get(name)
    if (channel === undefined) return
    const frame = channel.append(data.json(), now)
    this.counts.published++
    this.counts.delivered += channel.subscribers.size
    for (const connection of channel.subscribers) connection.queue.push(frame)
  }

  /** Sends a volatile event, of which only the newest matters. */
  publishVolatile(name: string, data: EventData): void {
    const channel = this.channels.get(name)
    if (channel === undefined) return
    if (channel.subscribers.size === 0 && channel.joining === 0) return
    const frame = channel.volatile(data.json())
    this.counts.published++
    this.counts.delivered += channel.subscribers.size
    for (const connection of channel.subscribers) connection.queue.pushVolatile(channel.topic, frame)
  }

  /** Ends every stream; the next subscription of a channel begins another. */
  startAgain(): void {
    this.channels.clear()
  }

  /** Drops old events, and channels without subscribers for as long as events are remembered. */
  tidy(now: number): void {
    for (const [name, channel] of this.channels) {
      if (channel.subscribers.size > 0 || channel.joining > 0) channel.usedAt = now
      if (now - channel.usedAt > this.limits.rememberMs) this.channels.delete(name)
      else channel.forget(now)
    }
  }

  /** Cuts off a client that does not read its frames. */
  readonly cutOff = (listener: Listener): void => {
    if (!listener.isOpen) return
    this.counts.cutOff++
    listener.cut()
  }
}
