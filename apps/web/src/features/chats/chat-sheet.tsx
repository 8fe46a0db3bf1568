import { ApiError } from '@hansom/client/api-error'
import type { BookingView } from '@hansom/contract/bookings'
import type { ChatView } from '@hansom/contract/chats'
import { typingShownMs } from '@hansom/domain/chats/chat'
import { quickRepliesFor } from '@hansom/domain/chats/quick-replies'
import { IconDotsVertical, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { newestOf, useChat } from '../../entities/chats/use-chat.ts'
import { api } from '../../lib/api.ts'
import { isolated, withoutIsolates } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { live, useConnection } from '../../lib/live.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Modal } from '../../ui/modal.tsx'
import { LoadingState } from '../../ui/page-states.tsx'
import classes from './chat-sheet.module.css'
import { Composer } from './composer.tsx'
import { MessageList } from './message-list.tsx'
import { useMessageText } from './message-text.ts'
import { BlockDialog, ReportDialog } from './report-chat.tsx'

interface Props {
  view: BookingView
  onClose: () => void
}

/** The conversation with the other person of a trip: a sheet at the side, the whole screen on a phone. */
export function ChatSheet({ view: booking, onClose }: Props) {
  const { t } = useText()
  const { view, error, waiting, outgoing } = useChat(booking.id)
  const isOffline = useConnection() === 'offline'
  const titleId = useId()
  const name = (booking.viewer === 'rider' ? booking.driver_name : booking.customer_name) ?? ''
  useReadAloud(view, name)
  return (
    <Modal open onClose={onClose} className={classes.sheet} aria-labelledby={titleId}>
      <header className={classes.head}>
        <div className={classes.names}>
          <h2 id={titleId} className={classes.title}>
            {t('chat.title', { name: isolated(name) })}
          </h2>
          <p className={classes.code}>
            <Ltr>{booking.booking_id}</Ltr>
          </p>
        </div>
        {view ? <Options view={view} name={name} /> : null}
        <Button variant="quiet" size="icon" aria-label={t('chat.back')} onClick={onClose}>
          <IconX size={22} aria-hidden />
        </Button>
      </header>
      {view ? (
        <>
          <MessageList view={view} waiting={waiting} outgoing={outgoing} name={name} />
          <Typing booking={booking.id} side={view.side} name={name} />
          <Foot
            booking={booking}
            view={view}
            name={name}
            onSend={(written) => outgoing.add(booking.id, written)}
          />
        </>
      ) : (
        <div className={classes.loading}>
          {error === null && !isOffline ? <LoadingState rows={4} height="44px" /> : null}
          {error === null ? null : <ErrorMessage error={new ApiError('chat_not_found', 404)} />}
          {error === null && isOffline ? <p>{t('common.offline')}</p> : null}
        </div>
      )}
    </Modal>
  )
}

interface FootProps {
  booking: BookingView
  view: ChatView
  name: string
  onSend: Parameters<typeof Composer>[0]['onSend']
}

/** What can be written now, or why nothing can. */
function Foot({ booking, view, name, onSend }: FootProps) {
  const { t } = useText()
  const isOffline = useConnection() === 'offline'
  if (view.state === 'closed') return <p className={classes.standing}>{t('chat.closed')}</p>
  if (view.state === 'blocked') return <Blocked view={view} name={name} />
  return (
    <footer className={classes.foot}>
      {isOffline ? <p className={classes.note}>{t('chat.offline')}</p> : null}
      <ul className={classes.quick} aria-label={t('chat.quick')}>
        {quickRepliesFor(view.side, booking.status).map((quick) => (
          <li key={quick}>
            <Button size="small" className={classes.chip} onClick={() => onSend({ quick })}>
              {t(`chat.quick_${quick}`)}
            </Button>
          </li>
        ))}
      </ul>
      <Composer onSend={onSend} onTyping={() => api.chats.typing({ id: booking.id }).catch(() => {})} />
    </footer>
  )
}

function Blocked({ view, name }: { view: ChatView; name: string }) {
  const { t } = useText()
  const isOwn = view.blockedBy.includes(view.side)
  const unblock = useMutation({ mutationFn: () => api.chats.unblock({ id: view.booking }) })
  return (
    <div className={classes.standing}>
      <p>{isOwn ? t('chat.blocked_by_you') : t('chat.blocked_by_other', { name: isolated(name) })}</p>
      {isOwn ? (
        <Button size="small" busy={unblock.isPending} onClick={() => unblock.mutate()}>
          {t('chat.unblock')}
        </Button>
      ) : null}
      {unblock.error ? <ErrorMessage error={unblock.error} /> : null}
    </div>
  )
}

/** Blocks or reports the other person. */
function Options({ view, name }: { view: ChatView; name: string }) {
  const { t } = useText()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [dialog, setDialog] = useState<'block' | 'report' | null>(null)
  const items = [
    ...(view.state === 'open'
      ? [{ id: 'block', label: t('chat.block'), onSelect: () => setDialog('block') }]
      : []),
    { id: 'report', label: t('chat.report'), danger: true, onSelect: () => setDialog('report') },
  ]
  const close = () => setDialog(null)
  return (
    <>
      <Button
        variant="quiet"
        size="icon"
        aria-label={t('chat.more')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(anchor === null ? currentTarget : null)}
      >
        <IconDotsVertical size={22} aria-hidden />
      </Button>
      {anchor ? (
        <Menu
          anchor={anchor}
          label={t('chat.more')}
          items={items.map((item) => ({
            ...item,
            onSelect: () => {
              setAnchor(null)
              item.onSelect()
            },
          }))}
          onClose={() => setAnchor(null)}
        />
      ) : null}
      {dialog === 'block' ? <BlockDialog booking={view.booking} name={name} onClose={close} /> : null}
      {dialog === 'report' ? <ReportDialog booking={view.booking} onClose={close} /> : null}
    </>
  )
}

/** Shows for a few seconds that the other person is writing. */
function Typing({ booking, side, name }: { booking: string; side: ChatView['side']; name: string }) {
  const { t } = useText()
  const [isTyping, setTyping] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = () => setTyping(false)
    const unsubscribe = live.subscribe(`chat:${booking}`, {
      volatile: (event) => {
        if (!('typing' in event) || event.typing === side) return
        setTyping(true)
        clearTimeout(timer)
        timer = setTimeout(stop, typingShownMs)
      },
      event: (event) => {
        if ('message' in event && event.message.source !== side) stop()
      },
    })
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [booking, side])
  return <p className={classes.typing}>{isTyping ? t('chat.typing', { name: isolated(name) }) : null}</p>
}

/** Reads new messages of the other person out, politely. */
function useReadAloud(view: ChatView | undefined, name: string): void {
  const { t } = useText()
  const textOf = useMessageText()
  const newest = view && newestOf(view, view.side === 'rider' ? 'driver' : 'rider')
  const seen = useRef<number | null>(null)
  useEffect(() => {
    if (view === undefined) return
    const isNew = seen.current !== null && newest !== undefined && newest.seq > seen.current
    seen.current = newest?.seq ?? 0
    if (isNew) announce(withoutIsolates(t('chat.new_message', { name, text: textOf(newest) })))
  }, [view, newest, name, t, textOf])
}
