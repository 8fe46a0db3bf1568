import type { LiveSnapshots, LiveTopicKind } from '@hansom/contract/live'
import type { Viewer } from '../http/request-context.ts'

/** A kind of topic, as the feature that owns it answers for it. */
export interface TopicSource<Snapshot> {
  /** Everybody in a channel gets one and the same state, so that it is read once for all of them. */
  isShared?: true
  /**
   * Whether a viewer may follow a topic, and in which channel: viewers who see the same share one. Null refuses,
   * as if the topic did not exist. Asked again when the viewer's session or rights may have changed.
   */
  authorize(viewer: Viewer | null, id: string | null): Promise<{ channel: string } | null>
  /** The state now, as this viewer sees it. What it throws refuses the topic: a Refusal by its key. */
  snapshot(viewer: Viewer | null, id: string | null): Promise<Snapshot>
}

/** The kinds of topics that are served, each registered by its feature. */
export class TopicRegistry {
  private readonly sources = new Map<LiveTopicKind, TopicSource<unknown>>()

  /** Throws when the kind has a source already. */
  register<Kind extends LiveTopicKind>(kind: Kind, source: TopicSource<LiveSnapshots[Kind]>): void {
    if (this.sources.has(kind)) throw new Error(`the live topic ${kind} has a source already`)
    this.sources.set(kind, source)
  }

  sourceOf(kind: LiveTopicKind): TopicSource<unknown> | undefined {
    return this.sources.get(kind)
  }
}

/**
 * Names the stream of a topic for one audience: `channelName('booking:<id>', 'rider')`. The audience is whatever
 * tells apart viewers who see different things: a role, or a person's id.
 */
export function channelName(topic: string, audience: string): string {
  return `${topic}|${audience}`
}

/** The topic a channel belongs to. Throws RangeError for a name not made by `channelName`. */
export function topicOf(channel: string): string {
  const end = channel.indexOf('|')
  if (end < 1) throw new RangeError(`no channel name: ${channel}`)
  return channel.slice(0, end)
}
