import type { BookingView } from '@hansom/contract/bookings'
import { assignedStatuses } from '@hansom/domain/bookings/status'
import { isChatOpen } from '@hansom/domain/chats/chat'
import { IconMessageCircle } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { callAttention } from '../../lib/alert.ts'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { whenInteracted } from '../../lib/use-idle.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import classes from './chat-button.module.css'
import { useUnread } from './unread-messages.tsx'
import { newestOf, useChat, useMarks } from './use-chat.ts'

/** The conversation's panel, which the application loads on demand. */
export interface ChatPanel {
  show: (view: BookingView, onClose: () => void) => ReactNode
  load: () => Promise<unknown>
}

interface Props {
  view: BookingView
  panel: ChatPanel
  /** Opens the panel at once, as the page's URL asks. */
  isOpen?: boolean
  /** Called when the panel was opened by `isOpen`. */
  onOpened?: () => void
}

/** Opens the conversation with the other person of a trip, and shows how many messages are unread. */
export function ChatButton(props: Props) {
  const { viewer, driver, status } = props.view
  const isParty = viewer === 'rider' || viewer === 'driver'
  if (!isParty || !driver || !assignedStatuses.includes(status)) return null
  // Another driver has a conversation of their own.
  return <OfDriver key={driver} {...props} />
}

function OfDriver({ view, panel, isOpen = false, onOpened }: Props) {
  const { t } = useText()
  const [open, setOpen] = useState(isOpen)
  const chat = useChat(view.id)
  useMarks(chat.view, open)
  useNews(chat.view, view, open)
  const unread = useUnread(chat.view)
  useEffect(() => {
    if (!isOpen) return
    setOpen(true)
    onOpened?.()
  }, [isOpen, onOpened])
  const mayWrite = isChatOpen(view.status)
  useEffect(
    () => (mayWrite ? whenInteracted(() => void panel.load().catch(() => {})) : undefined),
    [mayWrite, panel],
  )
  if (!chat.view || (!mayWrite && chat.view.messages.length === 0)) return null
  return (
    <>
      <Button
        size="icon"
        className={classes.button}
        aria-label={unread > 0 ? t('chatButton.unread', { count: unread }) : t('chatButton.open')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <IconMessageCircle size={20} aria-hidden />
        {unread > 0 ? (
          <span className={classes.count} aria-hidden>
            {unread > 9 ? '9+' : unread}
          </span>
        ) : null}
      </Button>
      {open ? panel.show(view, () => setOpen(false)) : null}
    </>
  )
}

/**
 * Announces a new message with sound and vibration, and to screen readers, unless the panel, which reads it out, is open in
 * front of the user.
 */
function useNews(chat: ReturnType<typeof useChat>['view'], view: BookingView, isOpen: boolean): void {
  const { t } = useText()
  const newest = chat && newestOf(chat, chat.side === 'rider' ? 'driver' : 'rider')?.seq
  const seen = useRef<number | null>(null)
  const name = (view.viewer === 'rider' ? view.driver_name : view.customer_name) ?? ''
  useEffect(() => {
    if (chat === undefined) return
    const isNew = seen.current !== null && (newest ?? 0) > seen.current
    seen.current = newest ?? 0
    if (!isNew || (isOpen && document.visibilityState === 'visible')) return
    if (!isOpen) announce(t('chatButton.news', { name }))
    void soundUnlessMuted()
  }, [chat, newest, isOpen, name, t])
}

const preferences = { ...orpc.devices.preferences.queryOptions(), staleTime: 300_000 }

/** Messages make no sound for a user who has muted their notifications. */
async function soundUnlessMuted(): Promise<void> {
  const known = await queryClient.fetchQuery(preferences).catch(() => null)
  const isMuted = known?.kinds.some(({ kind, muted }) => kind === 'chat' && muted) ?? false
  if (!isMuted) callAttention('message')
}
