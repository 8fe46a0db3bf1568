import { IconBell } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { noticeParams } from '../../entities/bookings/reason-text.ts'
import { api, orpc } from '../../lib/api.ts'
import { useServerNow } from '../../lib/clock.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import classes from './notifications-button.module.css'

const options = orpc.users.notifications.queryOptions({ input: {} })

/** The user's stored notifications; opening the list marks them as read. */
export function NotificationsButton() {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  const query = useQuery({ ...options, refetchInterval: open ? false : 60_000 })
  const unread = query.data?.items.filter(({ read }) => !read).length ?? 0
  const markRead = useMutation({
    mutationFn: () => api.users.readNotifications(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: options.queryKey }),
  })
  return (
    <>
      <Button
        variant="quiet"
        size="icon"
        className={classes.button}
        aria-label={unread > 0 ? t('notification.unread', { count: unread }) : t('common.notifications')}
        aria-haspopup="dialog"
        onClick={() => {
          setOpen(true)
          void query.refetch()
        }}
      >
        <IconBell size={22} stroke={1.7} aria-hidden />
        {unread > 0 ? <span className={classes.mark} aria-hidden /> : null}
      </Button>
      <Dialog
        open={open}
        onClose={() => {
          setOpen(false)
          if (unread > 0) markRead.mutate()
        }}
        title={t('common.notifications')}
      >
        {query.isPending ? <LoadingState rows={3} /> : null}
        {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
        {query.data ? <NotificationList items={query.data.items} onFollow={() => setOpen(false)} /> : null}
      </Dialog>
    </>
  )
}

interface ListProps {
  items: {
    id: string
    at: number
    title: string
    msg: string
    params: Record<string, string>
    screen: string
    booking: string | null
    read: boolean
  }[]
  onFollow: () => void
}

function NotificationList({ items, onFollow }: ListProps) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow(30_000)
  if (items.length === 0) {
    return <EmptyState title={t('notification.none')}>{t('notification.none_text')}</EmptyState>
  }
  return (
    <ul className={classes.list}>
      {items.map(({ id, at, title, msg, params: given, screen, booking, read }) => {
        const params = noticeParams(given, t)
        const words = (
          <>
            <strong className={classes.title}>{t(title, params)}</strong>
            <span>{t(msg, params)}</span>
            <time className={classes.time} dateTime={new Date(at).toISOString()}>
              {format.relative(at, now)}
            </time>
          </>
        )
        return (
          <li key={id} className={read ? classes.item : `${classes.item} ${classes.unread}`}>
            {booking ? (
              <Link to="/trip/$id" params={{ id: booking }} className={classes.link} onClick={onFollow}>
                {words}
              </Link>
            ) : screen === 'wallet' ? (
              <Link to="/wallet" className={classes.link} onClick={onFollow}>
                {words}
              </Link>
            ) : (
              <div className={classes.link}>{words}</div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
