import { isTemporary } from '@hansom/client/api-error'
import { reducers } from '@hansom/client/live-topics'
import type { ChatMessage, ChatView } from '@hansom/contract/chats'
import type { ChatSide } from '@hansom/domain/chats/chat'
import { chatTag } from '@hansom/domain/notifications/kinds'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { api } from '../../lib/api.ts'
import { useLive } from '../../lib/live.ts'
import { useMe } from '../../lib/session.ts'
import { closeShownTag } from '../devices/push.ts'
import { type Outgoing, type OutgoingMessage, outgoingOf } from './outgoing.ts'

export interface Chat {
  /** Undefined until it has loaded, and for a booking without a conversation. */
  view: ChatView | undefined
  /** Error key, if the conversation was refused or withdrawn. */
  error: string | null
  /** What the user has written and the server has not stored, oldest first. */
  waiting: readonly OutgoingMessage[]
  outgoing: Outgoing
}

/** Follows a conversation, with the messages that are being sent. */
export function useChat(booking: string): Chat {
  const uid = useMe()?.uid
  // A session that ends meanwhile changes nothing, because the same user may return.
  const last = useRef('')
  if (uid !== undefined) last.current = uid
  const outgoing = outgoingOf(last.current)
  const items = useSyncExternalStore(outgoing.subscribe, outgoing.list)
  const { data, error } = useLive('chat', booking)
  // The answer to a message may arrive before its event.
  const view = outgoing
    .sent()
    .filter((sent) => sent.booking === booking)
    .reduce<ChatView | undefined>(
      (known, { message }) => (known?.driver ? reducers.chat.event(known, { message }) : known),
      data,
    )
  const known = new Set(view?.messages.map(({ smsId }) => smsId))
  return {
    view,
    error,
    outgoing,
    waiting: items.filter((item) => item.booking === booking && !known.has(item.smsId)),
  }
}

/** The newest message of one side; undefined if it has written none. */
export const newestOf = (view: ChatView, side: ChatSide): ChatMessage | undefined =>
  view.messages.find(({ source }) => source === side)

/** Marks are sent together after this time, ms; again after a failure. */
const markAfterMs = 150
const markAgainMs = 5_000

/** Reports what this device has received, and what the user has read while the conversation is `shown`. */
export function useMarks(view: ChatView | undefined, shown: boolean): void {
  const isVisible = useIsVisible()
  const isRead = shown && isVisible
  const newest = view && newestOf(view, view.side === 'rider' ? 'driver' : 'rider')?.seq
  const mark = view?.marks[view.side]
  const booking = view?.booking
  const [failures, setFailures] = useState(0)
  const isBehind =
    newest !== undefined && mark !== undefined && (isRead ? mark.read < newest : mark.delivered < newest)
  useEffect(() => {
    if (!isBehind || booking === undefined) return
    const send = async () => {
      try {
        await api.chats.mark({ id: booking, delivered: newest, ...(isRead && { read: newest }) })
      } catch (error) {
        if (isTemporary(error)) setFailures((count) => count + 1)
        return
      }
      setFailures(0)
      if (!isRead) return
      await closeShownTag(chatTag(booking)).catch(() => {})
    }
    const timer = setTimeout(() => void send(), failures === 0 ? markAfterMs : markAgainMs)
    return () => clearTimeout(timer)
  }, [booking, isBehind, isRead, newest, failures])
}

function useIsVisible(): boolean {
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible')
  useEffect(() => {
    const look = () => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isVisible
}
