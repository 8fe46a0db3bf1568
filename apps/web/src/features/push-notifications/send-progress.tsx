import type { PushNotificationView } from '@hansom/contract/push-notifications'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { putTableRow } from '../../ui/table/row-cache.ts'
import classes from './push-notifications.module.css'

const askMs = 1_000

/** How far the last sending has come; asked again every second while it is under way. */
export function SendProgress({ notification }: { notification: PushNotificationView }) {
  const { t } = useText()
  const format = useFormat()
  const { id, title, lastSend } = notification
  const underWay = lastSend !== null && lastSend.finished_at === null
  const asked = useQuery({
    ...orpc.pushNotifications.get.queryOptions({ input: { id } }),
    enabled: underWay,
    refetchInterval: askMs,
    staleTime: 0,
  }).data
  useEffect(() => {
    if (!underWay || !asked?.lastSend) return
    putTableRow('push-notifications', asked, (row) => row.id)
    const { done, finished_at } = asked.lastSend
    if (finished_at !== null) announce(t('pushNotifications.sent_to', { count: done, title }))
  }, [underWay, asked, t, title])

  if (lastSend === null) return <span className={classes.quiet}>{t('pushNotifications.never')}</span>
  const { at, total, done, failed } = lastSend
  if (!underWay) {
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
