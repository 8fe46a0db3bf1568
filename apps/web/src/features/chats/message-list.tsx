import type { ChatMessage, ChatView } from '@hansom/contract/chats'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Outgoing, OutgoingMessage } from '../../entities/chats/outgoing.ts'
import { newestOf } from '../../entities/chats/use-chat.ts'
import { api } from '../../lib/api.ts'
import { useServerNow } from '../../lib/clock.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Bubble, Waiting } from './message-bubble.tsx'
import classes from './message-list.module.css'

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
