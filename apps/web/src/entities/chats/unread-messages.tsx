import type { ChatView } from '@hansom/contract/chats'
import { IconMessageCircle } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { storeUnread, useLive } from '../../lib/live.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import classes from './unread-messages.module.css'

/** The number of messages that the viewer has not read, among those of the page; kept in the lists of bookings, too. */
export function useUnread(view: ChatView | undefined): number {
  const booking = view?.booking
  const read = view?.marks[view.side].read ?? 0
  const unread = view?.messages.filter(({ source, seq }) => source !== view.side && seq > read).length ?? 0
  useEffect(() => {
    if (booking !== undefined) storeUnread(booking, unread)
  }, [booking, unread])
  return unread
}

/** The unread messages of a booking whose conversation is open, as they arrive; `count` until it has loaded. */
export function LiveUnread({ booking, count }: { booking: string; count: number | undefined }) {
  const { data } = useLive('chat', booking)
  const unread = useUnread(data)
  return <UnreadMessages count={data ? unread : count} />
}

/** How many messages of a booking the user has not read, in a list of bookings; nothing for none. */
export function UnreadMessages({ count }: { count: number | undefined }) {
  const { t } = useText()
  const format = useFormat()
  if (!count) return null
  return (
    <span className={classes.badge}>
      <IconMessageCircle size={14} stroke={2} aria-hidden />
      <span aria-hidden>{count > 9 ? `${format.number(9)}+` : format.number(count)}</span>
      <VisuallyHidden>{t('chatButton.unread', { count })}</VisuallyHidden>
    </span>
  )
}
