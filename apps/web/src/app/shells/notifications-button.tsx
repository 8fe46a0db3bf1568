import type { Role } from '@hansom/domain/users/roles'
import { IconBell } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { closeShown } from '../../entities/devices/push.ts'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { live } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { whenInteracted } from '../../lib/use-idle.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { partOnDemand } from '../../ui/lazy-part.tsx'
import { LoadingState } from '../../ui/page-states.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import classes from './notifications-button.module.css'

const NotificationList = partOnDemand(
  'notifications',
  async () => (await import('./notification-list.tsx')).NotificationList,
  <LoadingState rows={3} />,
)
/** The highest number on the bell; the list counts up to one more. */
const mostShown = 99
/** What someone in front of the page does. */
const inputs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchmove'] as const
/** In case a change was missed, ms. */
const pollMs = 300_000

/** What a user has to do, above the notifications. */
export interface ToDo {
  /** Adds the number of open matters to the accessible name of the bell. */
  nameOf: (name: string) => string
  /** The list of open matters. `onFollow` closes the dialog. */
  list: (onFollow: () => void) => ReactNode
}

/** The bell with the number of unread notifications, which opens their list. */
export function NotificationsButton({ usertype, toDo }: { usertype: Role; toDo?: ToDo | undefined }) {
  const { t } = useText()
  const format = useFormat()
  const [open, setOpen] = useState(false)
  const query = useQuery({
    ...orpc.users.notifications.queryOptions({ input: {} }),
    refetchInterval: pollMs,
  })
  useEffect(followNotifications, [])
  // It must open without a connection, too.
  useEffect(() => whenInteracted(() => void NotificationList.load().catch(() => {})), [])
  const unread = query.data?.unread ?? 0
  useEffect(() => {
    // Shown on the icon of the installed app.
    void navigator.setAppBadge?.(unread).catch(() => {})
  }, [unread])
  const items = query.data?.items
  useEffect(() => {
    const read = items?.filter((one) => one.read).map(({ id }) => id) ?? []
    if (read.length > 0) void closeShown(read).catch(() => {})
  }, [items])
  // The page that is shown, not one that is loading or has failed.
  const path = useRouterState({
    select: ({ matches, resolvedLocation }) =>
      matches.some(({ status }) => status === 'error') ? undefined : resolvedLocation?.pathname,
  })
  useEffect(() => {
    if (items === undefined || unread === 0 || path === undefined) return
    // A window that was left open on a desk has the focus, and no one in front of it.
    const look = () => {
      if (!document.hasFocus()) return
      stop()
      // What fails is tried again with the next change.
      void import('./read-seen.ts')
        .then(({ readSeen }) => readSeen({ items, unread }, usertype, path))
        .catch(() => {})
    }
    const stop = () => inputs.forEach((input) => window.removeEventListener(input, look))
    for (const input of inputs) window.addEventListener(input, look, { passive: true })
    return stop
  }, [items, unread, usertype, path])
  const isOver = unread > mostShown
  const name = isOver
    ? t('notification.over_99')
    : unread > 0
      ? t('notification.unread', { count: unread })
      : t('common.notifications')
  const close = () => setOpen(false)
  return (
    <>
      <Button
        variant="quiet"
        size="icon"
        className={classes.button}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <IconBell size={22} stroke={1.7} aria-hidden />
        <VisuallyHidden>{toDo ? toDo.nameOf(name) : name}</VisuallyHidden>
        {unread > 0 ? (
          <span className={classes.count} aria-hidden>
            {isOver ? `${format.number(mostShown)}+` : format.number(unread)}
          </span>
        ) : null}
      </Button>
      <Dialog open={open} onClose={close} title={t('common.notifications')}>
        {toDo?.list(close)}
        <NotificationList usertype={usertype} unread={unread} onFollow={close} />
      </Dialog>
    </>
  )
}

/** Loads the notifications again when the list has changed, also on another device. Returns a function that stops it. */
function followNotifications(): () => void {
  const reload = () => void queryClient.invalidateQueries({ queryKey: orpc.users.notifications.key() })
  let isCurrent = false
  return live.subscribe('notifications', {
    // Changes before the first snapshot are in the list; a later one means that some were missed.
    snapshot: () => isCurrent && reload(),
    event: reload,
    current: (current) => {
      isCurrent ||= current
    },
  })
}
