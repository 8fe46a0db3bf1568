import type { BookingRow } from '@hansom/contract/bookings'
import type { ReportReason } from '@hansom/domain/chats/chat'
import { IconMessageCircle, IconMessageReport } from '@tabler/icons-react'
import { type Format, useFormat } from '../../../lib/format.ts'
import { type Translate, useText } from '../../../lib/i18n.ts'
import type { FilterDisplay, TableColumn } from '../../../ui/table/table-types.ts'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import classes from './chat-figures.module.css'

export interface ReportColumns {
  t: Translate
  format: Format
  /** The list shows reported chats: their reports take the room of price and route, on a phone that of driver and date. */
  isReported: boolean
}

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

/** The texts of the reasons for which people report chats. */
const reasonKeys = {
  abusive: 'chat.reason_abusive',
  fraud: 'chat.reason_fraud',
  unsafe: 'chat.reason_unsafe',
  spam: 'chat.reason_spam',
  other: 'chat.reason_other',
} as const satisfies Record<ReportReason, string>

/** Reason and date of the newest open report, shown where the list is one of reported chats. */
export const reportColumns = ({ t, format, isReported }: ReportColumns): TableColumn<BookingRow>[] => [
  {
    id: 'report_reason',
    header: 'history.report_reason',
    cell: ({ chat }: BookingRow) => chat?.report && t(reasonKeys[chat.report.reason]),
    width: 170,
    wraps: true,
    hidden: !isReported,
    ...(isReported && { phone: 'detail' as const }),
  },
  {
    id: 'reported_at',
    header: 'history.reported_at',
    cell: ({ chat }: BookingRow) =>
      chat?.report && (
        <>
          <bdi>{format.date(chat.report.at)}</bdi> <bdi>{format.clock(chat.report.at)}</bdi>
        </>
      ),
    width: 136,
    wraps: true,
    hidden: !isReported,
    ...(isReported && { phone: 'detail' as const }),
  },
]

/** The filters of reported chats. */
export const reportFilters: Record<string, FilterDisplay> = {
  chat_report: { label: 'history.chat_report', words: { open: 'history.chat_report_open', ...reasonKeys } },
  reported: { label: 'history.reported_at' },
}
