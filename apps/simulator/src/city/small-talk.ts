import { isRefusal } from '@hansom/client/api-error'
import type { Client } from '@hansom/client/client'
import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import type { BookingView } from '@hansom/contract/bookings'
import type { ChatSide } from '@hansom/domain/chats/chat'
import type { QuickReply } from '@hansom/domain/chats/quick-replies'
import { chance } from './random.ts'

/** What each side says when the trip reaches a status, and how often (0 to 1). */
const lines: Record<ChatSide, Partial<Record<BookingView['status'], { say: QuickReply; share: number }>>> = {
  driver: {
    ACCEPTED: { say: 'on_my_way', share: 0.6 },
    ARRIVED: { say: 'arrived', share: 0.9 },
    REACHED: { say: 'thanks', share: 0.3 },
  },
  rider: {
    ACCEPTED: { say: 'at_entrance', share: 0.3 },
    ARRIVED: { say: 'coming', share: 0.6 },
    REACHED: { say: 'thanks', share: 0.3 },
  },
}

/** The quick reply that a simulated person sends now; null for most moments. */
export function lineFor(side: ChatSide, { status }: Pick<BookingView, 'status'>): QuickReply | null {
  const line = lines[side][status]
  return line && chance(line.share) ? line.say : null
}

/** Sends a quick reply. A chat that has closed meanwhile, or that the other person blocked, is left alone. */
export async function say({ api }: Pick<Client, 'api'>, booking: string, quick: QuickReply): Promise<void> {
  try {
    const { seq } = await api.chats.send({ id: booking, smsId: newIdempotencyKey(), quick })
    await api.chats.mark({ id: booking, read: seq })
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}
