import type { FrameQueue } from './frame-queue.ts'
import type { LiveLimits } from './live-limits.ts'
import { textFrame } from './text-frame.ts'

/** Who listens to a channel: frames go to its queue, which has one too far behind cut. */
export interface Listener {
  readonly isOpen: boolean
  readonly queue: FrameQueue
  cut(): void
}

/** The state at a position, ready to be sent. */
export interface Snapshot {
  seq: number
  frame: Buffer
}

interface Remembered {
  frame: Buffer
  at: number
}

/**
 * One stream of events: numbered, remembered for a while, serialised and framed once for all its subscribers.
 * Its epoch is its own: a channel that was forgotten and made anew is another stream.
 */
export class Channel {
  readonly topic: string
  readonly epoch: string
  readonly subscribers = new Set<Listener>()
  seq = 0
  /** Subscriptions under way, which need what happens meanwhile. */
  joining = 0
  /** When it was last of use to somebody. */
  usedAt: number
  /** The newest volatile frame, kept only for those who are joining. */
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

  /** Numbers and remembers an event, given as JSON; returns its frame. */
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
   * The snapshot of a channel whose subscribers all see the same, read once for all of them until an event changes it
   * or it is `sharedStateMs` old.
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

  /** Whether everything after a position is remembered. */
  remembersAfter(seq: number): boolean {
    return seq <= this.seq && seq >= this.seq - this.remembered.length
  }

  /** The frames after a position that `remembersAfter` accepts. */
  after(seq: number): Buffer[] {
    return this.remembered.slice(this.remembered.length - (this.seq - seq)).map((event) => event.frame)
  }

  /** Lets go of what is too much or too old. */
  forget(now: number): void {
    const { rememberedEvents, rememberedBytes, rememberMs } = this.limits
    let gone = 0
    for (const event of this.remembered) {
      const isTooMuch =
        this.remembered.length - gone > rememberedEvents || this.rememberedBytes > rememberedBytes
      if (!isTooMuch && now - event.at <= rememberMs) break
      this.rememberedBytes -= event.frame.length
      gone++
    }
    if (gone > 0) this.remembered = this.remembered.slice(gone)
  }
}

export function toJson(data: unknown): string {
  return JSON.stringify(data ?? null)
}
