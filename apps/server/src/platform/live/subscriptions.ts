import { parseTopic, type ServerFrame } from '@hansom/contract/live'
import { Refusal } from '@hansom/domain/error-keys'
import type { Log } from '../log/log.ts'
import { type Channel, type Snapshot, toJson } from './channel.ts'
import type { Channels } from './channels.ts'
import type { Connection, Subscription } from './connection.ts'
import type { LiveLimits } from './live-limits.ts'
import { textFrame } from './text-frame.ts'
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

/** So many refusals are kept ready to be sent. */
const refusalsKept = 100

/** Opens, resumes, moves and withdraws the topics of connections. */
export class Subscriptions {
  private readonly deps: SubscriptionDeps
  /** A client that goes on asking is answered with the same bytes. */
  private readonly refusals = new Map<string, Buffer>()

  constructor(deps: SubscriptionDeps) {
    this.deps = deps
  }

  /** Begins to follow a topic, or begins anew after a gap. */
  subscribe(connection: Connection, topic: string, seen: Seen | undefined): void {
    const parsed = parseTopic(topic)
    const source = parsed && this.deps.topics.sourceOf(parsed.kind)
    if (!source) return this.refuse(connection, topic, 'not_found')
    const known = find(connection, topic)
    if (!known && connection.subscriptions.length >= this.deps.limits.topicsPerSocket) {
      return this.refuse(connection, topic, 'too_many_requests')
    }
    const subscription = known ?? { topic, channel: null, isChanging: false, next: null }
    if (!known) connection.subscriptions.push(subscription)
    this.change(connection, subscription, () => {
      const { deps } = this
      // Asked here and not when the frame came: what was asked for again before its turn is opened once.
      if (connection.openings.spend(deps.time()))
        return this.open(connection, subscription, source, parsed.id, seen)
      leave(connection, subscription)
      this.refuse(connection, topic, 'too_many_requests')
      return Promise.resolve()
    })
  }

  unsubscribe(connection: Connection, topic: string): void {
    const subscription = find(connection, topic)
    if (subscription) this.change(connection, subscription, async () => leave(connection, subscription))
  }

  /** Asks again whether each topic is granted, and where. Where no answer comes, the topic stays and is asked soon. */
  recheck(connection: Connection): void {
    for (const subscription of connection.subscriptions) {
      const parsed = parseTopic(subscription.topic)
      const source = parsed && this.deps.topics.sourceOf(parsed.kind)
      // What is about to be opened asks for itself.
      if (!source || subscription.next !== null) continue
      this.change(connection, subscription, async () => {
        const { channel, topic } = subscription
        if (channel === null) return
        const answer = await this.grantOf(connection, subscription, source, parsed.id)
        if (answer === 'unknown') return
        const { granted } = answer
        if (granted && this.deps.channels.open(granted.channel, this.deps.time()) === channel) return
        if (granted) return this.open(connection, subscription, source, parsed.id, undefined)
        leave(connection, subscription)
        this.refuse(connection, topic, 'not_found')
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
    for (const subscription of connection.subscriptions) leave(connection, subscription)
    connection.subscriptions.length = 0
  }

  /** Changes a subscription when the change under way is done; of several that wait, the last one counts. */
  private change(connection: Connection, subscription: Subscription, step: () => Promise<void>): void {
    subscription.next = step
    if (!subscription.isChanging) void this.run(connection, subscription)
  }

  private async run(connection: Connection, subscription: Subscription): Promise<void> {
    subscription.isChanging = true
    // Frames that came together are read before the first of them is acted upon.
    await Promise.resolve()
    for (let step = subscription.next; step !== null; step = subscription.next) {
      subscription.next = null
      try {
        if (connection.isOpen) await step()
      } catch (error) {
        leave(connection, subscription)
        if (!(error instanceof Refusal)) {
          this.deps.log.error({ err: error, topic: subscription.topic }, 'a live topic failed')
        }
        this.refuse(connection, subscription.topic, error instanceof Refusal ? error.key : 'server_error')
      }
    }
    subscription.isChanging = false
    if (subscription.channel === null) remove(connection, subscription)
  }

  private refuse(connection: Connection, topic: string, error: string): void {
    const key = `${error} ${topic}`
    const frame =
      this.refusals.get(key) ?? textFrame(JSON.stringify({ t: 'err', topic, error } satisfies ServerFrame))
    if (this.refusals.size < refusalsKept && topic.length < 100) this.refusals.set(key, frame)
    connection.queue.push(frame)
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
    // Nothing is read for whoever does not read the answers.
    if (connection.queue.isFull) return this.deps.channels.cutOff(connection)
    const granted = await source.authorize(viewer, id)
    if (!connection.isOpen) return
    if (!granted) return this.refuse(connection, subscription.topic, 'not_found')
    const channel = this.deps.channels.open(granted.channel, this.deps.time())
    if (channel.topic !== subscription.topic) {
      throw new Error(`the channel ${granted.channel} is not one of the topic ${subscription.topic}`)
    }
    const { queue } = connection
    if (seen?.epoch === channel.epoch && channel.remembersAfter(seen.seq)) {
      queue.pushAll([...channel.after(seen.seq), channel.upToDate()])
    } else {
      channel.joining++
      try {
        const { seq, frame } = await this.readSnapshot(connection, channel, source, id)
        if (!connection.isOpen) return
        const newest = channel.newestVolatile
        queue.pushAll([
          frame,
          ...channel.after(seq),
          ...(newest === null ? [] : [newest]),
          channel.upToDate(),
        ])
      } finally {
        channel.joining--
        if (channel.joining === 0) channel.newestVolatile = null
      }
    }
    if (!connection.isOpen) return
    channel.subscribers.add(connection)
    subscription.channel = channel
  }

  /** The state, with the position from which the events go on. */
  private async readSnapshot(
    connection: Connection,
    channel: Channel,
    source: TopicSource<unknown>,
    id: string | null,
  ): Promise<Snapshot> {
    const { channels, time } = this.deps
    const read = () => {
      channels.counts.snapshots++
      return source.snapshot(connection.viewer, id)
    }
    const own = async () => {
      const { seq } = channel
      const data = await read()
      return { seq, frame: channel.snapshot(seq, toJson(data)) }
    }
    for (let tries = 0; tries < snapshotTries; tries++) {
      const snapshot = await (source.isShared ? channel.sharedSnapshot(time(), read) : own())
      if (channel.remembersAfter(snapshot.seq)) return snapshot
    }
    throw new Refusal('unavailable')
  }
}

function find({ subscriptions }: Connection, topic: string): Subscription | undefined {
  return subscriptions.find((subscription) => subscription.topic === topic)
}

function remove({ subscriptions }: Connection, subscription: Subscription): void {
  const place = subscriptions.indexOf(subscription)
  if (place >= 0) subscriptions.splice(place, 1)
}

function leave(connection: Connection, subscription: Subscription): void {
  const { channel } = subscription
  if (channel === null) return
  channel.subscribers.delete(connection)
  connection.queue.dropVolatile(channel.topic)
  subscription.channel = null
}
