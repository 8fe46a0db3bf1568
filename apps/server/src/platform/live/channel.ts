import type { FrameQueue } from './frame-queue.ts'
import type { LiveLimits } from './live-limits.ts'
import { textFrame } from './text-frame.ts'

/** Who listens to a channel: frames go to its queue, and one too far behind is cut. */
export interface Listener {
  readonly isOpen: boolean
  readonly queue: FrameQueue
  cut(): void
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
