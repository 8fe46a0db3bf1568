import type { MailboxMessage } from '@hansom/contract/mailbox'
import { IconBell, IconMail, IconMessage } from '@tabler/icons-react'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import classes from './mailbox-screen.module.css'
import { splitText } from './split-text.ts'

const icons = { mail: IconMail, sms: IconMessage, push: IconBell }

/** One message: to whom, when, what; its links lead where they would from a mail, its codes can be copied. */
export function MessageCard({ message }: { message: MailboxMessage }) {
  const { t } = useText()
  const format = useFormat()
  const Icon = icons[message.channel]
  const copy = (code: string) => {
    navigator.clipboard.writeText(code).then(
      () => announce(t('outbox.copied')),
      () => announce(t('error.server_error')),
    )
  }
  return (
    <li className={classes.card} data-kind={message.kind}>
      <p className={classes.meta}>
        <Icon size={18} stroke={1.7} aria-hidden />
        <span>{t(`outbox.channel_${message.channel}`)}</span>
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
      <p className={classes.text} dir="auto">
        {splitText(message.text, location.origin).map((part, index) =>
          part.kind === 'text' ? (
            part.text
          ) : part.kind === 'link' ? (
            // Parts of a text that never changes
            <a key={index} href={part.href} dir="ltr" rel="noreferrer">
              {part.text}
            </a>
          ) : (
            // Parts of a text that never changes
            <span key={index} className={classes.code}>
              <bdi dir="ltr">{part.text}</bdi>
              <Button
                size="small"
                aria-label={t('outbox.copy', { code: part.text })}
                onClick={() => copy(part.text)}
              >
                {t('outbox.copy_short')}
              </Button>
            </span>
          ),
        )}
      </p>
    </li>
  )
}
