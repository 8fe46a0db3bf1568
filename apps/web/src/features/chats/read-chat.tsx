import type { ChatReport, ReadChats } from '@hansom/contract/chats'
import { chatLimits } from '@hansom/domain/chats/chat'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { TextArea } from '../../ui/text-field.tsx'
import { ChatPhoto } from './chat-photo.tsx'
import { useMessageText } from './message-text.ts'
import classes from './report-chat.module.css'

interface Props {
  booking: string
  code: string
  onClose: () => void
}

/** What the people of a trip wrote to each other, for an admin. Asks first, because each reading is in the audit log. */
export function ReadChatDialog({ booking, code, onClose }: Props) {
  const { t } = useText()
  const read = useMutation({ mutationFn: () => api.chats.read({ id: booking }) })
  return (
    <Dialog
      open
      onClose={onClose}
      width={640}
      title={t('chatReading.title', { booking_id: isolated(code) })}
      isText={read.data !== undefined}
      footer={
        read.data ? undefined : (
          <Button variant="primary" wide busy={read.isPending} onClick={() => read.mutate()}>
            {t('chatReading.confirm')}
          </Button>
        )
      }
    >
      {read.data ? <Conversations read={read.data} /> : <p>{t('chatReading.audited')}</p>}
      {read.error ? (
        <p className={classes.problem} role="alert">
          <ErrorMessage error={read.error} />
        </p>
      ) : null}
    </Dialog>
  )
}

function Conversations({ read: { conversations, reports } }: { read: ReadChats }) {
  const { t } = useText()
  return (
    <div className={classes.form}>
      {reports.length === 0 ? <p className={classes.meta}>{t('chatReading.no_reports')}</p> : null}
      {reports.map((report) => (
        <Report key={report.id} report={report} />
      ))}
      {conversations.map(({ driver, driver_name, rider_name, messages }) => (
        <section key={driver} className={classes.conversation}>
          <h3>
            {t('chatReading.with_driver', { rider: isolated(rider_name), driver: isolated(driver_name) })}
          </h3>
          {messages.length === 0 ? <p className={classes.meta}>{t('chatReading.none')}</p> : null}
          <ol className={classes.lines}>
            {messages.map((message) => (
              <Line
                key={message.id}
                message={message}
                name={message.source === 'rider' ? rider_name : driver_name}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  )
}

type Message = ReadChats['conversations'][number]['messages'][number]

function Line({ message, name }: { message: Message; name: string }) {
  const { t } = useText()
  const format = useFormat()
  const textOf = useMessageText()
  return (
    <li>
      <p className={classes.meta}>
        <bdi>{name}</bdi> ·{' '}
        <time dateTime={new Date(message.at).toISOString()}>{format.dateTime(message.at)}</time>
      </p>
      {message.photo ? (
        <ChatPhoto src={message.photo} label={t('chat.photo_of', { name: isolated(name) })} />
      ) : (
        <p dir="auto" className={classes.text}>
          {textOf(message)}
        </p>
      )}
    </li>
  )
}

/** A report, which an admin settles with a note. */
function Report({ report }: { report: ChatReport }) {
  const { t } = useText()
  const format = useFormat()
  const [note, setNote] = useState('')
  const settle = useMutation({ mutationFn: () => api.chats.settleReport({ id: report.id, note }) })
  const { settled_note } = settle.data ?? report
  return (
    <section className={classes.report}>
      <h3>{t(`chatReading.report_by_${report.by}`)}</h3>
      <p>
        {t(`chat.reason_${report.reason}`)}{' '}
        <span className={classes.meta}>· {format.dateTime(report.at)}</span>
      </p>
      {report.note ? (
        <p dir="auto" className={classes.text}>
          {report.note}
        </p>
      ) : null}
      {settled_note === null ? (
        <form
          className={classes.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (note.trim() !== '') settle.mutate()
          }}
        >
          <TextArea
            label={t('chatReading.note')}
            rows={2}
            required
            maxLength={chatLimits.note}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
          {settle.error ? (
            <p className={classes.problem} role="alert">
              <ErrorMessage error={settle.error} />
            </p>
          ) : null}
          <Button type="submit" busy={settle.isPending}>
            {t('chatReading.settle')}
          </Button>
        </form>
      ) : (
        <output className={classes.meta}>
          {t('chatReading.settled_note', { note: isolated(settled_note) })}
        </output>
      )}
    </section>
  )
}
