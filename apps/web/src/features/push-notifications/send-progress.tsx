import type { PushNotificationView } from '@hansom/contract/push-notifications'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { putTableRow } from '../../ui/table/row-cache.ts'
import classes from './push-notifications.module.css'

const pollMs = 1_000

/** The progress of the last send, polled every second while it runs. */
export function SendProgress({ notification }: { notification: PushNotificationView }) {
  const { t } = useText()
  const format = useFormat()
  const { id, title, lastSend } = notification
  const isRunning = lastSend !== null && lastSend.finished_at === null
  const polled = useQuery({
    ...orpc.pushNotifications.get.queryOptions({ input: { id } }),
    enabled: isRunning,
    refetchInterval: pollMs,
    staleTime: 0,
  }).data
  useEffect(() => {
    if (!isRunning || !polled?.lastSend) return
    putTableRow('push-notifications', polled, (row) => row.id)
    const { done, finished_at } = polled.lastSend
    if (finished_at !== null) announce(t('pushNotifications.sent_to', { count: done, title }))
  }, [isRunning, polled, t, title])

  if (lastSend === null) return <span className={classes.quiet}>{t('pushNotifications.never')}</span>
  const { at, total, done, failed } = lastSend
  if (!isRunning) {
    return (
      <span className={classes.progress}>
        <span>{t('pushNotifications.reached', { count: done })}</span>
        <small className={classes.quiet}>
          {failed > 0 ? `${t('pushNotifications.failed', { count: failed })} · ` : ''}
          <bdi>{format.dateTime(at)}</bdi>
        </small>
      </span>
    )
  }
  const label = t('pushNotifications.progress', { done: done + failed, total })
  return (
    <span className={classes.progress}>
      <progress className={classes.bar} value={done + failed} max={Math.max(1, total)} aria-label={label} />
      <small className={classes.quiet}>{label}</small>
    </span>
  )
}
