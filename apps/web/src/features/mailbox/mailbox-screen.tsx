import type { MailboxMessage } from '@hansom/contract/mailbox'
import { IconBell, IconMail, IconMessage } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useRef, useState } from 'react'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import classes from './mailbox-screen.module.css'

const channels = ['', 'mail', 'sms', 'push'] as const
const refreshMs = 3000

/** The e-mails, text messages and push notifications that a demo stores instead of sending them, newest first. */
export function MailboxScreen() {
  const { t } = useText()
  const [channel, setChannel] = useState<(typeof channels)[number]>('')
  const query = useQuery({
    ...orpc.mailbox.list.queryOptions({ input: channel ? { channel } : {} }),
    refetchInterval: refreshMs,
  })
  return (
    <div className={`${pageFrame} ${classes.page}`}>
      <PageHead title={t('mailbox.title')} lead={t('mailbox.intro')} />
      <fieldset className={classes.filter} aria-label={t('mailbox.filter')}>
        {channels.map((one) => (
          <Button key={one} size="small" aria-pressed={one === channel} onClick={() => setChannel(one)}>
            {t(`mailbox.channel_${one || 'all'}`)}
          </Button>
        ))}
      </fieldset>
      {query.isPending ? <LoadingState /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data?.length === 0 ? (
        <EmptyState title={t('mailbox.none')}>{t('mailbox.none_text')}</EmptyState>
      ) : null}
      {query.data && query.data.length > 0 ? (
        <ol className={classes.list}>
          {query.data.map((message) => (
            <MessageCard key={message.id} message={message} />
          ))}
        </ol>
      ) : null}
    </div>
  )
}

const icons = { mail: IconMail, sms: IconMessage, push: IconBell }

/** A message with working links and codes to copy. */
function MessageCard({ message }: { message: MailboxMessage }) {
  const { t } = useText()
  const format = useFormat()
  const Icon = icons[message.channel]
  const [isPage, setPage] = useState(false)
  const copy = (code: string) => {
    navigator.clipboard.writeText(code).then(
      () => announce(t('mailbox.copied')),
      () => announce(t('error.server_error')),
    )
  }
  return (
    <li className={classes.card} data-kind={message.kind}>
      <p className={classes.meta}>
        <Icon size={18} stroke={1.7} aria-hidden />
        <span>{t(`mailbox.channel_${message.channel}`)}</span>
        <bdi dir="ltr" className={classes.to}>
          {message.to}
        </bdi>
        <time dateTime={new Date(message.at).toISOString()}>{format.dateTime(message.at)}</time>
      </p>
      {message.subject ? (
        <h2 className={classes.subject} dir="auto">
          {message.subject}
        </h2>
      ) : null}
      {message.hasPage ? (
        <Button size="small" aria-expanded={isPage} onClick={() => setPage(!isPage)}>
          {t(isPage ? 'mailbox.hide_page' : 'mailbox.show_page')}
        </Button>
      ) : null}
      {isPage ? <MailPage id={message.id} subject={message.subject} /> : null}
      <p className={classes.text} dir="auto" hidden={isPage}>
        {splitText(message.text, location.origin).map((part, index) =>
          part.kind === 'text' ? (
            part.text
          ) : part.kind === 'link' ? (
            // The text never changes, so its index identifies a part.
            <a key={index} href={part.href} dir="ltr" rel="noreferrer">
              {part.text}
            </a>
          ) : (
            // The text never changes, so its index identifies a part.
            <span key={index} className={classes.code}>
              <bdi dir="ltr">{part.text}</bdi>
              <Button
                size="small"
                aria-label={t('mailbox.copy', { code: part.text })}
                onClick={() => copy(part.text)}
              >
                {t('mailbox.copy_short')}
              </Button>
            </span>
          ),
        )}
      </p>
    </li>
  )
}

/** An email as people see it: without scripts and forms, as tall as its content; links open in a new tab. */
function MailPage({ id, subject }: { id: number; subject: string }) {
  const query = useQuery(
    orpc.mailbox.page.queryOptions({ input: { id }, staleTime: Number.POSITIVE_INFINITY }),
  )
  const frame = useRef<HTMLIFrameElement>(null)
  const [height, setHeight] = useState<number>()
  const measure = () => setHeight(frame.current?.contentDocument?.body.scrollHeight)
  const isShown = query.data !== undefined
  useLayoutEffect(() => {
    if (!isShown || !frame.current) return undefined
    // A narrower window makes the mail taller.
    const observer = new ResizeObserver(measure)
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [isShown])
  if (query.isPending) return <LoadingState rows={4} height="80px" />
  if (!query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return (
    <iframe
      ref={frame}
      className={classes.mail}
      title={subject}
      // No scripts run, so that being of this site only lets the page measure it.
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      style={{ blockSize: height }}
      onLoad={measure}
      srcDoc={query.data.html.replace('<head>', '<head><base target="_blank">')}
    />
  )
}

/** A part of a message. A link within this site has a relative `href`. */
export type TextPart =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'code'; text: string }

const linkOrCode = /(https?:\/\/[^\s<>"]+)|(?<![\d-])(\d{5,6})(?!\d)/g

/**
 * Splits a message at its links and codes of five or six digits; those after a hyphen end a receipt's number. `origin` is
 * this site's.
 */
export function splitText(text: string, origin: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(linkOrCode)) {
    // A sentence may end right after a link.
    const found = match[1] ? match[0].replace(/[.,;:!?)\u060c\u061f]+$/, '') : match[0]
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) })
    if (match[1]) {
      const href = found.startsWith(`${origin}/`) ? found.slice(origin.length) : found
      parts.push({ kind: 'link', text: found, href })
    } else {
      parts.push({ kind: 'code', text: found })
    }
    end = match.index + found.length
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) })
  return parts
}
