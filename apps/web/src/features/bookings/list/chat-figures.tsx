import type { BookingRow } from '@hansom/contract/bookings'
import { IconMessageCircle, IconMessageReport } from '@tabler/icons-react'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import classes from './chat-figures.module.css'

/** How many messages a booking has and when the last was written; marked if a report waits for an admin. */
export function ChatFigures({
  chat: { messages, last_at, reports },
}: {
  chat: NonNullable<BookingRow['chat']>
}) {
  const { t } = useText()
  const format = useFormat()
  const reported = reports > 0 ? t('history.chat_reported') : undefined
  const Icon = reported ? IconMessageReport : IconMessageCircle
  return (
    <span className={classes.chat} data-reported={reported ? true : undefined} title={reported}>
      <span className={classes.count}>
        <Icon size={18} stroke={1.8} aria-hidden />
        <span aria-hidden>{format.number(messages)}</span>
        <VisuallyHidden>{t('history.chat_messages', { count: messages })}</VisuallyHidden>
        {reported ? <VisuallyHidden>{reported}</VisuallyHidden> : null}
      </span>
      {last_at === null ? null : (
        <small>
          <time dateTime={new Date(last_at).toISOString()} title={format.dateTime(last_at)}>
            {format.clockOrDate(last_at)}
          </time>
        </small>
      )}
    </span>
  )
}
