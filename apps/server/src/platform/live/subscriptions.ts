import { parseTopic, type ServerFrame } from '@hansom/contract/live'
import { Refusal } from '@hansom/domain/error-keys'
import type { Log } from '../log/log.ts'
import { type Channel, type Channels, type Snapshot, toJson } from './channels.ts'
import type { Connection, Subscription } from './connection.ts'
import { textFrame } from './frame-queue.ts'
import type { LiveLimits } from './live-limits.ts'
import type { TopicRegistry, TopicSource } from './topics.ts'

/** The last event of a topic that a client has seen. */
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

/** Attempts to read a snapshot; it is read again when the events after it were already dropped. */
const snapshotTries = 5

/** Number of refusal frames cached. */
const refusalCacheSize = 100

/** Opens, resumes, moves and revokes the topics of connections. */
export class Subscriptions {
  private readonly deps: SubscriptionDeps
  /** Cached refusal frames, for clients that keep subscribing. */
  private readonly refusals = new Map<string, Buffer>()

  constructor(deps: SubscriptionDeps) {
    this.deps = deps
  }

  /** Subscribes to a topic, or resumes it after a gap. */
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
    void this.change(connection, subscription, () => {
      const { deps } = this
      // Charged here rather than on receipt: repeated requests that are replaced before they run count once.
      if (connection.subscriptionTokens.take(deps.time()))
        return this.open(connection, subscription, source, parsed.id, seen)
      leave(connection, subscription)
      this.refuse(connection, topic, 'too_many_requests')
      return Promise.resolve()
    })
  }

  unsubscribe(connection: Connection, topic: string): void {
    const subscription = find(connection, topic)
    if (subscription)
      void this.change(connection, subscription, async () => this.end(connection, subscription))
  }

  /** Authorizes each topic again. A topic whose check fails is kept and checked again soon. */
  reauthorize(connection: Connection): void {
    for (const subscription of connection.subscriptions) {
      const parsed = parseTopic(subscription.topic)
      const source = parsed && this.deps.topics.sourceOf(parsed.kind)
      // A topic about to be opened is authorized anyway.
      if (!source || subscription.next !== null) continue
      void this.change(connection, subscription, async () => {
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

  /** Opens every topic of a connection again, with a snapshot. Resolves when all are open. */
  async openAgain(connection: Connection): Promise<void> {
    const opened = connection.subscriptions.flatMap((subscription) => {
      const parsed = parseTopic(subscription.topic)
      const source = parsed && this.deps.topics.sourceOf(parsed.kind)
      // What waits to be done opens the new stream, or leaves the topic.
      if (!source || subscription.next !== null) return []
      const open = () => this.open(connection, subscription, source, parsed.id, undefined)
      return [this.change(connection, subscription, open) ?? Promise.resolve()]
    })
    await Promise.all(opened)
  }

  private async grantOf(
    connection: Connection,
    { topic }: Subscription,
    source: TopicSource<unknown>,
    id: string | null,
  ) {
    try {
      return { granted: await source.authorize(connection.actor, id) }
    } catch (error) {
      if (error instanceof Refusal) throw error
      this.deps.log.warn({ err: error, topic }, 'failed to check a live topic, will retry')
      connection.checkAt = 0
      return 'unknown'
    }
  }

  /** Leaves all topics when the connection is closed. */
  leaveAll(connection: Connection): void {
    for (const subscription of connection.subscriptions) this.end(connection, subscription)
    connection.subscriptions.length = 0
  }

  /** Leaves a topic for good; tells its source when this was the actor's last connection. */
  private end(connection: Connection, subscription: Subscription): void {
    const { channel, topic } = subscription
    const { actor } = connection
    leave(connection, subscription)
    if (channel === null || actor === null) return
    for (const other of channel.subscribers) if (other.actor?.id === actor.id) return
    const kind = parseTopic(topic)?.kind
    const source = kind && this.deps.topics.sourceOf(kind)
    source?.left?.(actor).catch((error: unknown) => {
      this.deps.log.warn({ err: error, topic }, 'failed to note the end of a live topic')
    })
  }

  /** Queues a change of a subscription to run after the current one; a later change replaces a waiting one. */
  private change(
    connection: Connection,
    subscription: Subscription,
    step: () => Promise<void>,
  ): Promise<void> | undefined {
    subscription.next = step
    return subscription.isChanging ? undefined : this.run(connection, subscription)
  }

  private async run(connection: Connection, subscription: Subscription): Promise<void> {
    subscription.isChanging = true
    // Reads all frames that arrived together before acting on the first.
    await Promise.resolve()
    for (let step = subscription.next; step !== null; step = subscription.next) {
      subscription.next = null
      try {
        if (connection.isOpen) await step()
      } catch (error) {
        leave(connection, subscription)
        if (!(error instanceof Refusal)) {
          this.deps.log.error({ err: error, topic: subscription.topic }, 'live topic failed')
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
    if (this.refusals.size < refusalCacheSize && topic.length < 100) this.refusals.set(key, frame)
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
    const { actor } = connection
    // No snapshot is read for a client that does not read its frames.
    if (connection.queue.isFull) return this.deps.channels.cutOff(connection)
    const granted = await source.authorize(actor, id)
    if (!connection.isOpen) return
    if (!granted) return this.refuse(connection, subscription.topic, 'not_found')
    const find = () => this.deps.channels.open(granted.channel, this.deps.time())
    const channel = find()
    if (channel.topic !== subscription.topic) {
      throw new Error(`channel ${granted.channel} does not belong to topic ${subscription.topic}`)
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
    // The stream has ended meanwhile: another one began.
    if (find() !== channel) return this.open(connection, subscription, source, id, undefined)
    channel.subscribers.add(connection)
    subscription.channel = channel
  }

  /** Reads the snapshot, with the sequence number from which the events continue. */
  private async readSnapshot(
    connection: Connection,
    channel: Channel,
    source: TopicSource<unknown>,
    id: string | null,
  ): Promise<Snapshot> {
    const { channels, time } = this.deps
    const read = () => {
      channels.counts.snapshots++
      return source.snapshot(connection.actor, id)
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
