import { ApiError } from '@hansom/client/api-error'
import type { ChatMessage, ChatView } from '@hansom/contract/chats'
import { IconCheck, IconChecks, IconClock } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { Outgoing, OutgoingMessage } from '../../entities/chats/outgoing.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { imageStore } from '../../lib/image-store.ts'
import { useConnection } from '../../lib/live.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import { ChatPhoto } from './chat-photo.tsx'
import classes from './message-list.module.css'
import { useMessageText } from './message-text.ts'

/** A message of the conversation. */
export function Bubble({ message, view, name }: { message: ChatMessage; view: ChatView; name: string }) {
  const { t } = useText()
  const format = useFormat()
  const textOf = useMessageText()
  const isOwn = message.source === view.side
  return (
    <div className={classes.bubble} data-own={isOwn || undefined} data-kind={message.kind}>
      <VisuallyHidden>{isOwn ? t('chat.you') : name}: </VisuallyHidden>
      {message.photo ? (
        <ChatPhoto
          src={message.photo}
          label={isOwn ? t('chat.your_photo') : t('chat.photo_of', { name: isolated(name) })}
        />
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
export function Waiting({ message, outgoing }: { message: OutgoingMessage; outgoing: Outgoing }) {
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
        <VisuallyHidden>{t('common.labeled', { name: t('chat.you'), value: '' })}</VisuallyHidden>
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
          <p>
            <strong>{t('chat.not_sent')}</strong> <ErrorMessage error={new ApiError(refused, 409)} />
          </p>
          <Button size="small" onClick={() => outgoing.retry(smsId)}>
            {t('common.retry')}
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
