import { parseTopic } from '@hansom/contract/live'
import { Refusal } from '@hansom/domain/error-keys'
import type { Log } from '../log/log.ts'
import { type Channels, toJson } from './channels.ts'
import type { Connection, Subscription } from './connection.ts'
import type { LiveLimits } from './live-limits.ts'
import type { TopicRegistry, TopicSource } from './topics.ts'

/** The last event a client has seen of a topic. */
export interface Seen {
  epoch: string
  seq: number
}

export interface SubscriptionDeps {
  topics: TopicRegistry
  channels: Channels
  limits: LiveLimits
  log: Log
  /** Machine time, ms. */
  time(): number
}

/** A snapshot is taken again when so much happened meanwhile that its continuation is forgotten. */
const snapshotTries = 5

/** Opens, resumes, moves and withdraws the topics of connections. */
export class Subscriptions {
  private readonly deps: SubscriptionDeps

  constructor(deps: SubscriptionDeps) {
    this.deps = deps
  }

  /** Begins to follow a topic, or begins anew after a gap. */
  subscribe(connection: Connection, topic: string, seen: Seen | undefined): void {
    const parsed = parseTopic(topic)
    const source = parsed && this.deps.topics.sourceOf(parsed.kind)
    if (!source) return refuse(connection, topic, 'not_found')
    const known = connection.subscriptions.get(topic)
    if (!known && connection.subscriptions.size >= this.deps.limits.topicsPerSocket) {
      return refuse(connection, topic, 'too_many_requests')
    }
    const subscription = known ?? { topic, channel: null, tail: Promise.resolve(), steps: 0 }
    connection.subscriptions.set(topic, subscription)
    this.queue(connection, subscription, () => this.open(connection, subscription, source, parsed.id, seen))
  }

  unsubscribe(connection: Connection, topic: string): void {
    const subscription = connection.subscriptions.get(topic)
    if (subscription) this.queue(connection, subscription, async () => leave(connection, subscription))
  }

  /** Asks again whether each topic is granted, and where. Where no answer comes, the topic stays and is asked soon. */
  recheck(connection: Connection): void {
    for (const subscription of connection.subscriptions.values()) {
      const parsed = parseTopic(subscription.topic)
      const source = parsed && this.deps.topics.sourceOf(parsed.kind)
      if (!source) continue
      this.queue(connection, subscription, async () => {
        const { channel, topic } = subscription
        if (channel === null) return
        const answer = await this.grantOf(connection, subscription, source, parsed.id)
        if (answer === 'unknown') return
        const { granted } = answer
        if (granted && this.deps.channels.open(granted.channel, this.deps.time()) === channel) return
        if (granted) return this.open(connection, subscription, source, parsed.id, undefined)
        leave(connection, subscription)
        refuse(connection, topic, 'not_found')
      })
    }
  }

  private async grantOf(
    connection: Connection,
    { topic }: Subscription,
    source: TopicSource<unknown>,
    id: string | null,
  ) {
    try {
      return { granted: await source.authorize(connection.viewer, id) }
    } catch (error) {
      if (error instanceof Refusal) throw error
      this.deps.log.warn({ err: error, topic }, 'a live topic could not be checked; it will be tried again')
      connection.checkAt = 0
      return 'unknown'
    }
  }

  /** Leaves everything when the connection is gone. */
  leaveAll(connection: Connection): void {
    for (const subscription of connection.subscriptions.values()) leave(connection, subscription)
    connection.subscriptions.clear()
  }

  private queue(connection: Connection, subscription: Subscription, step: () => Promise<void>): void {
    subscription.steps++
    subscription.tail = subscription.tail
      .then(() => (connection.isOpen ? step() : undefined))
      .catch((error: unknown) => {
        leave(connection, subscription)
        if (!(error instanceof Refusal)) {
          this.deps.log.error({ err: error, topic: subscription.topic }, 'a live topic failed')
        }
        refuse(connection, subscription.topic, error instanceof Refusal ? error.key : 'server_error')
      })
      .then(() => {
        subscription.steps--
        if (subscription.steps > 0 || subscription.channel !== null) return
        connection.subscriptions.delete(subscription.topic)
      })
  }

  private async open(
    connection: Connection,
    subscription: Subscription,
    source: TopicSource<unknown>,
    id: string | null,
    seen: Seen | undefined,
  ): Promise<void> {
    leave(connection, subscription)
    const { viewer } = connection
    const granted = await source.authorize(viewer, id)
    if (!connection.isOpen) return
    if (!granted) return refuse(connection, subscription.topic, 'not_found')
    const channel = this.deps.channels.open(granted.channel, this.deps.time())
    if (channel.topic !== subscription.topic) {
      throw new Error(`the channel ${granted.channel} is not one of the topic ${subscription.topic}`)
    }
    const { queue } = connection
    if (seen?.epoch === channel.epoch && channel.remembersAfter(seen.seq)) {
      for (const frame of channel.after(seen.seq)) queue.push(frame)
    } else {
      channel.joining++
      try {
        const seq = await this.sendSnapshot(connection, channel, () => source.snapshot(viewer, id))
        if (!connection.isOpen) return
        for (const frame of channel.after(seq)) queue.push(frame)
        if (channel.newestVolatile) queue.push(channel.newestVolatile)
      } finally {
        channel.joining--
        if (channel.joining === 0) channel.newestVolatile = null
      }
    }
    queue.push(channel.upToDate())
    channel.subscribers.add(connection)
    subscription.channel = channel
  }

  /** Sends the state and returns the position from which the events go on. */
  private async sendSnapshot(
    connection: Connection,
    channel: NonNullable<Subscription['channel']>,
    read: () => Promise<unknown>,
  ): Promise<number> {
    for (let tries = 0; tries < snapshotTries; tries++) {
      const { seq } = channel
      const data = await read()
      if (!channel.remembersAfter(seq)) continue
      connection.queue.push(channel.snapshot(seq, toJson(data)))
      return seq
    }
    throw new Refusal('unavailable')
  }
}

function leave(connection: Connection, subscription: Subscription): void {
  const { channel } = subscription
  if (channel === null) return
  channel.subscribers.delete(connection)
  connection.queue.dropVolatile(channel.topic)
  subscription.channel = null
}

function refuse(connection: Connection, topic: string, error: string): void {
  connection.send({ t: 'err', topic, error })
}
