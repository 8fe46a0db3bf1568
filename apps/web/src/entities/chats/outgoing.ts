import { ApiError, isTemporary } from '@hansom/client/api-error'
import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import type { ChatMessage } from '@hansom/contract/chats'
import type { QuickReply } from '@hansom/domain/chats/quick-replies'
import { api } from '../../lib/api.ts'
import { serverNow } from '../../lib/clock.ts'
import { imageStore } from '../../lib/image-store.ts'
import { live } from '../../lib/live.ts'
import { KeptFor } from '../../lib/per-user-storage.ts'
import { currentMe, onSessionChange } from '../../lib/session.ts'
import { keptMessages } from '../../lib/stored-keys.ts'
import { uploadPicture } from '../../lib/upload.ts'

/** What a person writes: one of a text, a quick reply, and a photo by its name in the image store. */
export interface Written {
  message?: string
  quick?: QuickReply
  image?: string
}

/** A message that the server has not answered yet, or has refused. */
export interface OutgoingMessage extends Written {
  booking: string
  /** The same in every attempt, so that the message is stored once. */
  smsId: string
  at: number
  /** Why the server refused it; it is sent again only by the user. */
  refused?: ApiError['key']
}

const firstRetryMs = 2_000
const longestRetryMs = 30_000
/** Timeout of a call on a dead connection, ms. */
const answerMs = 15_000

/**
 * The unsent messages of one user, sent one at a time in the order in which they were written, also after a reload and when
 * the connection returns.
 */
export class Outgoing {
  private items: readonly OutgoingMessage[]
  private answered: readonly ChatMessageOf[] = []
  private readonly kept: KeptFor<OutgoingMessage>
  private readonly send: typeof sendMessage
  private readonly listeners = new Set<() => void>()
  private isSending = false
  private running = Promise.resolve()
  private readonly leaving = new AbortController()
  private failures = 0
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    uid: string,
    send: typeof sendMessage = sendMessage,
    storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = localStorage,
  ) {
    this.kept = new KeptFor(storage, keptMessages, uid)
    this.items = this.kept.read()
    this.send = send
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** The messages without an answer, oldest first. */
  readonly list = (): readonly OutgoingMessage[] => this.items

  /** The messages that the server has stored, which the live connection may still bring. */
  readonly sent = (): readonly ChatMessageOf[] => this.answered

  add(booking: string, written: Written): void {
    this.change([...this.items, { ...written, booking, smsId: newIdempotencyKey(), at: serverNow() }])
    void this.flush()
  }

  /** Sends a refused message again, with the same key. */
  retry(smsId: string): void {
    this.change(
      this.items.map((item) => {
        if (item.smsId !== smsId) return item
        const { refused: _refused, ...again } = item
        return again
      }),
    )
    void this.flush()
  }

  discard(smsId: string): void {
    const image = this.items.find((item) => item.smsId === smsId)?.image
    this.change(this.items.filter((item) => item.smsId !== smsId))
    if (image) void imageStore.remove(image)
  }

  /** Takes over what another page of the user has written, sent or discarded. */
  readonly reload = (): void => {
    this.items = this.kept.read()
    for (const listener of this.listeners) listener()
  }

  /** Forgets what waits, when its user leaves: it must not be sent with the session of the next one. */
  stop(): void {
    this.leaving.abort(new ApiError('Fetch Call Error', 0))
    this.items = []
    clearTimeout(this.timer)
  }

  /**
   * Sends what waits; resolves when that is done, also if it has already begun. A temporary failure stops the messages of its
   * chat until the next attempt.
   */
  readonly flush = (): Promise<void> => {
    if (!this.isSending && !this.leaving.signal.aborted) this.running = this.sendAll()
    return this.running
  }

  private async sendAll(): Promise<void> {
    this.isSending = true
    clearTimeout(this.timer)
    const stopped = new Set<string>()
    try {
      for (;;) {
        const next = this.items.find(({ refused, booking }) => refused === undefined && !stopped.has(booking))
        if (next === undefined) break
        if (!(await this.trySend(next))) stopped.add(next.booking)
      }
    } finally {
      this.isSending = false
    }
  }

  private async trySend(item: OutgoingMessage): Promise<boolean> {
    try {
      const message = await this.send(item, this.leaving.signal)
      this.failures = 0
      this.answered = [...this.answered.slice(-50), { booking: item.booking, message }]
      this.change(this.items.filter(({ smsId }) => smsId !== item.smsId))
      if (item.image) void imageStore.remove(item.image)
      return true
    } catch (error) {
      if (isTemporary(error) || !(error instanceof ApiError)) {
        this.retryLater(error)
        return false
      }
      this.change(this.items.map((one) => (one.smsId === item.smsId ? { ...one, refused: error.key } : one)))
      return true
    }
  }

  private retryLater(error: unknown): void {
    if (this.leaving.signal.aborted) return
    const waitS = error instanceof ApiError ? error.data['retryAfterS'] : undefined
    const waitMs = Math.min(longestRetryMs, firstRetryMs * 2 ** this.failures)
    this.failures += 1
    clearTimeout(this.timer)
    this.timer = setTimeout(this.flush, typeof waitS === 'number' ? waitS * 1_000 : waitMs)
  }

  private change(items: readonly OutgoingMessage[]): void {
    if (this.leaving.signal.aborted) return
    const known = new Set([...this.items, ...items].map(({ smsId }) => smsId))
    // Another page may have written meanwhile.
    const others = this.kept.read().filter(({ smsId }) => !known.has(smsId))
    this.items = [...items, ...others]
    this.kept.write(this.items)
    for (const listener of this.listeners) listener()
  }
}

interface ChatMessageOf {
  booking: string
  message: ChatMessage
}

/** Sends a message to the server. Throws an ApiError. */
async function sendMessage(
  { booking: id, smsId, message, quick, image }: OutgoingMessage,
  signal: AbortSignal,
): Promise<ChatMessage> {
  if (image === undefined) {
    const content = quick === undefined ? { message: message ?? '' } : { quick }
    return api.chats.send(
      { id, smsId, ...content },
      { signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]) },
    )
  }
  const photo = await imageStore.get(image)
  // The device has lost it.
  if (photo === null) throw new ApiError('unsupported_media', 415)
  signal.throwIfAborted()
  const path = `/api/v1/bookings/${id}/chat/photos?smsId=${encodeURIComponent(smsId)}`
  return (await uploadPicture('POST', path, photo, () => {}, signal)) as ChatMessage
}

let current: { uid: string; outgoing: Outgoing } | null = null

/** The unsent messages of the signed-in user. */
export function outgoingOf(uid: string): Outgoing {
  if (current?.uid !== uid) {
    current = { uid, outgoing: new Outgoing(uid) }
    void current.outgoing.flush()
  }
  return current.outgoing
}

onSessionChange(() => {
  if (current === null || current.uid === currentMe()?.uid) return
  current.outgoing.stop()
  current = null
})
addEventListener('storage', ({ key }) => {
  if (key === keptMessages) current?.outgoing.reload()
})
const resume = () => void current?.outgoing.flush()
addEventListener('online', resume)
live.onStatus(() => {
  if (live.status === 'live') resume()
})
