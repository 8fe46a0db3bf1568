import { Channel, type Listener, toJson } from './channel.ts'
import type { LiveLimits } from './live-limits.ts'
import { topicOf } from './topics.ts'

/** The channels somebody follows or followed a moment ago; of others nothing is kept. */
export class Channels {
  private readonly channels = new Map<string, Channel>()
  private readonly epoch: string
  private readonly limits: LiveLimits
  private made = 0
  /** Since the start: events, their frames to sockets, clients cut off, and states that were read. */
  readonly counts = { published: 0, delivered: 0, cutOff: 0, snapshots: 0 }

  constructor(epoch: string, limits: LiveLimits) {
    this.epoch = epoch
    this.limits = limits
  }

  get size(): number {
    return this.channels.size
  }

  /** The channel of a name, made when there is none. */
  open(name: string, now: number): Channel {
    const known = this.channels.get(name)
    if (known) return known
    this.made++
    const channel = new Channel(topicOf(name), `${this.epoch}-${this.made.toString(36)}`, now, this.limits)
    this.channels.set(name, channel)
    return channel
  }

  /** Numbers an event and sends it to all subscribers. Clients too far behind are cut off; they resume. */
  publish(name: string, data: unknown, now: number): void {
    const channel = this.channels.get(name)
    if (channel === undefined) return
    const frame = channel.append(toJson(data), now)
    this.counts.published++
    this.counts.delivered += channel.subscribers.size
    for (const connection of channel.subscribers) connection.queue.push(frame)
  }

  /** Sends what only the newest of counts. */
  publishVolatile(name: string, data: unknown): void {
    const channel = this.channels.get(name)
    if (channel === undefined) return
    if (channel.subscribers.size === 0 && channel.joining === 0) return
    const frame = channel.volatile(toJson(data))
    this.counts.published++
    this.counts.delivered += channel.subscribers.size
    for (const connection of channel.subscribers) connection.queue.pushVolatile(channel.topic, frame)
  }

  /** Forgets old events, and channels nobody has followed for as long as events are remembered. */
  tidy(now: number): void {
    for (const [name, channel] of this.channels) {
      if (channel.subscribers.size > 0 || channel.joining > 0) channel.usedAt = now
      if (now - channel.usedAt > this.limits.rememberMs) this.channels.delete(name)
      else channel.forget(now)
    }
  }

  /** Cuts off a client that does not read what it is sent. */
  readonly cutOff = (listener: Listener): void => {
    if (!listener.isOpen) return
    this.counts.cutOff++
    listener.cut()
  }
}
