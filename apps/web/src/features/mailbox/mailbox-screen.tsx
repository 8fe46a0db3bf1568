import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { PageHead, pageFrame } from '../../ui/page-head.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { MessageCard } from './message-card.tsx'
import classes from './mailbox-screen.module.css'

const channels = ['', 'mail', 'sms', 'push'] as const
const refreshMs = 3000

/** What would have been sent by mail, text message or push, while a demo has nobody to send it: newest first. */
export function MailboxScreen() {
  const { t } = useText()
  const [channel, setChannel] = useState<(typeof channels)[number]>('')
  const query = useQuery({
    ...orpc.mailbox.list.queryOptions({ input: channel ? { channel } : {} }),
    refetchInterval: refreshMs,
  })
  return (
    <div className={`${pageFrame} ${classes.page}`}>
      <PageHead title={t('outbox.title')} lead={t('outbox.intro')} />
      <div className={classes.filter} role="group" aria-label={t('outbox.filter')}>
        {channels.map((one) => (
          <Button key={one} size="small" aria-pressed={one === channel} onClick={() => setChannel(one)}>
            {t(`outbox.channel_${one || 'all'}`)}
          </Button>
        ))}
      </div>
      {query.isPending ? <LoadingState /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data?.length === 0 ? (
        <EmptyState title={t('outbox.none')}>{t('outbox.none_text')}</EmptyState>
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
