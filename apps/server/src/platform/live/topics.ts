import { type LiveSnapshots, type LiveTopicKind, liveTopics } from '@hansom/contract/live'
import type { SessionActor } from '../http/implement.ts'
import { channelName } from './channels.ts'

/** The source of a kind of topic, implemented by the feature that owns it. */
export interface TopicSource<Snapshot> {
  /** All viewers in a channel see the same state, so it is read once for all of them. */
  isShared?: true
  /**
   * Returns the channel in which an actor may follow a topic; viewers who see the same state share one. Null refuses,
   * as if the topic did not exist. Called again when the actor's session or rights may have changed.
   */
  authorize(actor: SessionActor | null, id: string | null): Promise<{ channel: string } | null>
  /** Returns the current state as this actor sees it. Throwing refuses the topic; a Refusal is sent as its key. */
  snapshot(actor: SessionActor | null, id: string | null): Promise<Snapshot>
  /** Called when an actor's last connection to this server has left the topic or is lost. */
  left?(actor: SessionActor): Promise<void>
}

/** The served kinds of topics, each registered by its feature. */
export class TopicRegistry {
  private readonly sources = new Map<LiveTopicKind, TopicSource<unknown>>()

  /** Throws when the kind already has a source. */
  register<Kind extends LiveTopicKind>(kind: Kind, source: TopicSource<LiveSnapshots[Kind]>): void {
    if (this.sources.has(kind)) throw new Error(`live topic ${kind} already has a source`)
    this.sources.set(kind, source)
  }

  sourceOf(kind: LiveTopicKind): TopicSource<unknown> | undefined {
    return this.sources.get(kind)
  }
}

/** Topics without an id, whose state is the same for every actor. */
type SharedKind = 'settings' | 'carTypes' | 'cancelReasons'

/** Registers a topic that anyone may follow. Returns the function that publishes its current state. */
export function registerShared<Kind extends SharedKind>(
  topics: TopicRegistry,
  hub: { publish(channel: string, data: unknown): void },
  kind: Kind,
  read: () => Promise<LiveSnapshots[Kind]>,
): () => void {
  const channel = channelName(liveTopics[kind], 'everybody')
  topics.register(kind, { isShared: true, authorize: async () => ({ channel }), snapshot: read })
  // Publishes one after another, so that the newest state arrives last.
  let publishing = Promise.resolve()
  return () => {
    publishing = publishing.then(async () => hub.publish(channel, await read())).catch(() => {})
  }
}
