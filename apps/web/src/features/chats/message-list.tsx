import { ApiError } from '@hansom/client/api-error'
import type { ChatMessage, ChatView } from '@hansom/contract/chats'
import { IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Outgoing, OutgoingMessage } from '../../entities/chats/outgoing.ts'
import { newestOf } from '../../entities/chats/use-chat.ts'
import { api } from '../../lib/api.ts'
import { useServerNow } from '../../lib/clock.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { imageStore } from '../../lib/image-store.ts'
import { useConnection } from '../../lib/live.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import classes from './message-list.module.css'
import { useMessageText } from './message-text.ts'

interface Props {
  view: ChatView
  waiting: readonly OutgoingMessage[]
  outgoing: Outgoing
  name: string
}

/** Messages that are further apart have a time above them, ms. */
const apartMs = 600_000

/** The messages, oldest first; earlier pages are loaded on demand. */
export function MessageList({ view, waiting, outgoing, name }: Props) {
  const { t } = useText()
  const { messages, more, load, isLoading } = useEarlier(view)
  const scroller = useRef<HTMLElement>(null)
  const count = messages.length + waiting.length
  const newest = newestOf(view, view.side)?.seq ?? 0
  // The newest message stays in view, unless the reader has scrolled up to earlier ones.
  const isUp = useRef(false)
  useLayoutEffect(() => {
    const { current } = scroller
    if (!current) return
    // Also when a photo has loaded, or the part below becomes taller.
    const toEnd = () => {
      if (!isUp.current) current.scrollTop = current.scrollHeight
    }
    toEnd()
    const observer = new ResizeObserver(toEnd)
    for (const part of [current, ...current.children]) observer.observe(part)
    return () => observer.disconnect()
  }, [count])
  useEffect(() => {
    isUp.current = false
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }, [newest, waiting.length])
  return (
    <section
      ref={scroller}
      className={classes.scroller}
      aria-label={t('chat.log')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- takes the keys that scroll it
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isUp.current = scrollHeight - scrollTop - clientHeight > 80
      }}
    >
      <p className={classes.notice}>{t('chat.notice')}</p>
      {more ? (
        <Button size="small" busy={isLoading} className={classes.earlier} onClick={load}>
          {t('chat.earlier')}
        </Button>
      ) : null}
      {count === 0 ? (
        <div className={classes.empty}>
          <p>
            <strong>{t('chat.empty')}</strong>
          </p>
          {view.state === 'open' ? <p>{t('chat.empty_text')}</p> : null}
        </div>
      ) : null}
      <ol className={classes.list}>
        {messages.map((message, index) => (
          <li key={message.smsId + message.source} className={classes.line}>
            <Moment at={message.at} before={messages[index - 1]?.at ?? null} />
            <Bubble message={message} view={view} name={name} />
          </li>
        ))}
        {waiting.map((message) => (
          <li key={message.smsId} className={classes.line}>
            <Waiting message={message} outgoing={outgoing} />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The messages of the live page and of the earlier pages that were loaded, oldest first. */
function useEarlier(view: ChatView) {
  const [pages, setPages] = useState<{ messages: readonly ChatMessage[]; next: string | null } | null>(null)
  const [isLoading, setLoading] = useState(false)
  const next = pages === null ? view.next : pages.next
  const oldest = view.messages.at(-1)?.seq
  const earlier = pages?.messages.filter(({ seq }) => oldest === undefined || seq < oldest) ?? []
  // A newer page after a lost connection may not reach back to what was loaded: show no gap.
  const isJoined = earlier.length === 0 || oldest === undefined || (earlier[0]?.seq ?? 0) === oldest - 1
  const load = async () => {
    setLoading(true)
    try {
      const cursor = isJoined && next !== null ? next : String(oldest)
      const page = await api.chats.show({ id: view.booking, cursor })
      setPages({ messages: [...(isJoined ? earlier : []), ...page.messages], next: page.next })
    } catch {
      // The button stays.
    } finally {
      setLoading(false)
    }
  }
  const shown = [...view.messages, ...(isJoined ? earlier : [])].reverse()
  return { messages: shown, more: isJoined ? next !== null : true, load: () => void load(), isLoading }
}

/** The day of a message that begins a new one, and its time after a pause. */
function Moment({ at, before }: { at: number; before: number | null }) {
  const format = useFormat()
  const now = useServerNow(60_000)
  if (before !== null && at - before < apartMs) return null
  const isToday = format.date(at) === format.date(now)
  return (
    <time className={classes.moment} dateTime={new Date(at).toISOString()}>
      {isToday ? format.clock(at) : format.dateTime(at)}
    </time>
  )
}

function Bubble({ message, view, name }: { message: ChatMessage; view: ChatView; name: string }) {
  const { t } = useText()
  const format = useFormat()
  const textOf = useMessageText()
  const isOwn = message.source === view.side
  return (
    <div className={classes.bubble} data-own={isOwn || undefined} data-kind={message.kind}>
      <VisuallyHidden>{isOwn ? t('chat.you') : name}: </VisuallyHidden>
      {message.photo ? (
        <a href={message.photo} target="_blank" rel="noopener noreferrer" aria-label={t('chat.open_photo')}>
          <img
            className={classes.photo}
            src={message.photo}
            alt={isOwn ? t('chat.your_photo') : t('chat.photo_of', { name: isolated(name) })}
          />
        </a>
      ) : (
        <p dir="auto" className={classes.text}>
          {textOf(message)}
        </p>
      )}
      <span className={classes.meta}>
        <time dateTime={new Date(message.at).toISOString()}>{format.clock(message.at)}</time>
        {isOwn ? (
          <Receipt seq={message.seq} mark={view.marks[view.side === 'rider' ? 'driver' : 'rider']} />
        ) : null}
      </span>
    </div>
  )
}

/** Whether the other person has received and read a message. */
function Receipt({ seq, mark }: { seq: number; mark: ChatView['marks']['rider'] }) {
  const { t } = useText()
  const state = seq <= mark.read ? 'read' : seq <= mark.delivered ? 'delivered' : 'sent'
  const Icon = state === 'sent' ? IconCheck : IconChecks
  return (
    <span className={classes.receipt} data-state={state}>
      <Icon size={15} stroke={2} aria-hidden />
      <VisuallyHidden>{t(`chat.${state}`)}</VisuallyHidden>
    </span>
  )
}

/** A message on its way; a refused one can be sent again or discarded. */
function Waiting({ message, outgoing }: { message: OutgoingMessage; outgoing: Outgoing }) {
  const { t } = useText()
  const textOf = useMessageText()
  const connection = useConnection()
  const { smsId, refused } = message
  const written = {
    kind: message.quick ? 'quick' : 'text',
    message: message.message ?? '',
    quick: message.quick ?? null,
  } as const
  return (
    <div className={classes.waiting}>
      <div className={classes.bubble} data-own data-waiting data-refused={refused ? true : undefined}>
        <VisuallyHidden>{t('chat.you')}: </VisuallyHidden>
        {message.image ? (
          <OwnPhoto image={message.image} />
        ) : (
          <p dir="auto" className={classes.text}>
            {textOf(written)}
          </p>
        )}
        {refused ? null : (
          <span className={classes.meta}>
            <IconClock size={14} aria-hidden />
            {connection === 'good' ? t('chat.sending') : t('chat.waiting')}
          </span>
        )}
      </div>
      {refused ? (
        <div className={classes.failed} role="alert">
          <ErrorMessage error={new ApiError(refused, 409)} />
          <Button size="small" onClick={() => outgoing.retry(smsId)}>
            {t('chat.not_sent')}
          </Button>
          <Button size="small" variant="quiet" onClick={() => outgoing.discard(smsId)}>
            {t('chat.discard')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}

/** A photo that is still on this device. */
function OwnPhoto({ image }: { image: string }) {
  const { t } = useText()
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    let made: string | undefined
    let isOver = false
    void imageStore.get(image).then((blob) => {
      if (isOver || blob === null) return
      made = URL.createObjectURL(blob)
      setUrl(made)
    })
    return () => {
      isOver = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [image])
  return url ? <img className={classes.photo} src={url} alt={t('chat.your_photo')} /> : null
}
