import type { UserNotification } from '@hansom/contract/users'
import type { AlertPage } from '@hansom/domain/alerts/alerts'
import { IconBell } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
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

/** What a user has to do, above the notifications. */
export interface ToDo {
  /** Adds the number of open matters to the accessible name of the bell. */
  nameOf: (name: string) => string
  /** The list of open matters. `onFollow` closes the dialog. */
  list: (onFollow: () => void) => ReactNode
  /** Where a notification leads, if not to its trip. */
  pageOf: (notification: UserNotification) => AlertPage | null
}

/** The user's stored notifications; opening the list marks them as read. */
export function NotificationsButton({ toDo }: { toDo?: ToDo | undefined }) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  const query = useQuery({ ...options, refetchInterval: open ? false : 60_000 })
  const unread = query.data?.items.filter(({ read }) => !read).length ?? 0
  const markRead = useMutation({
    mutationFn: () => api.users.readNotifications(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: options.queryKey }),
  })
  const name = unread > 0 ? t('notification.unread', { count: unread }) : t('common.notifications')
  return (
    <>
      <Button
        variant="quiet"
        size="icon"
        className={classes.button}
        aria-label={toDo ? toDo.nameOf(name) : name}
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
        {toDo?.list(() => setOpen(false))}
        {query.isPending ? <LoadingState rows={3} /> : null}
        {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
        {query.data ? (
          <NotificationList items={query.data.items} pageOf={toDo?.pageOf} onFollow={() => setOpen(false)} />
        ) : null}
      </Dialog>
    </>
  )
}

interface ListProps {
  items: readonly UserNotification[]
  pageOf?: ToDo['pageOf'] | undefined
  onFollow: () => void
}

function NotificationList({ items, pageOf, onFollow }: ListProps) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow(30_000)
  if (items.length === 0) {
    return <EmptyState title={t('notification.none')}>{t('notification.none_text')}</EmptyState>
  }
  return (
    <ul className={classes.list}>
      {items.map((item) => {
        const { id, at, title, msg, screen, booking, read } = item
        const params = noticeParams(item.params, t)
        const page = pageOf?.(item)
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
            {page ? (
              <Link to={page.screen} search={page.search} className={classes.link} onClick={onFollow}>
                {words}
              </Link>
            ) : booking ? (
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
