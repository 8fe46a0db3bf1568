import { Channel, type Listener, toJson } from './channel.ts'
import type { LiveLimits } from './live-limits.ts'
import { topicOf } from './topics.ts'

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
  publish(name: string, data: unknown, now: number): void {
    const channel = this.channels.get(name)
    if (channel === undefined) return
    const frame = channel.append(toJson(data), now)
    this.counts.published++
    this.counts.delivered += channel.subscribers.size
    for (const connection of channel.subscribers) connection.queue.push(frame)
  }

  /** Sends a volatile event, of which only the newest matters. */
  publishVolatile(name: string, data: unknown): void {
    const channel = this.channels.get(name)
    if (channel === undefined) return
    if (channel.subscribers.size === 0 && channel.joining === 0) return
    const frame = channel.volatile(toJson(data))
    this.counts.published++
    this.counts.delivered += channel.subscribers.size
    for (const connection of channel.subscribers) connection.queue.pushVolatile(channel.topic, frame)
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
