import type { UserNotification } from '@hansom/contract/users'
import { pageOfNotification } from '@hansom/domain/notifications/page'
import { cityDay } from '@hansom/domain/time/city-time'
import type { Role } from '@hansom/domain/users/roles'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { noticeParams } from '../../entities/bookings/reason-text.ts'
import { useServerNow } from '../../lib/clock.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import classes from './notification-list.module.css'

/** Notifications about the same trip on the same day; the newest is first. */
type Group = [UserNotification, ...UserNotification[]]

interface Day {
  day: string
  /** A time on that day. */
  at: number
  groups: Group[]
}

/** Groups notifications, newest first, by day and trip. */
function groupNotifications(items: readonly UserNotification[], dayOf: (at: number) => string): Day[] {
  const days: Day[] = []
  for (const item of items) {
    const day = dayOf(item.at)
    let last = days.at(-1)
    if (last?.day !== day) {
      last = { day, at: item.at, groups: [] }
      days.push(last)
    }
    const group = item.booking === null ? undefined : last.groups.find(([of]) => of.booking === item.booking)
    if (group) group.push(item)
    else last.groups.push([item])
  }
  return days
}

interface DaysProps {
  items: readonly UserNotification[]
  usertype: Role
  /** `ids`: the unread ones that the link shows. */
  onFollow: (ids: string[]) => void
}

/** Notifications by day, those of one trip together. */
export function NotificationDays({ items, ...props }: DaysProps) {
  const { t } = useText()
  const format = useFormat()
  const { timezone } = useSettings()
  const now = useServerNow(60_000)
  const today = cityDay(now, timezone)
  return groupNotifications(items, (at) => cityDay(at, timezone)).map(({ day, at, groups }) => (
    <section key={day} aria-labelledby={`notified-${day}`}>
      <h3 id={`notified-${day}`} className={classes.day}>
        {day === today ? t('notification.today') : format.date(at)}
      </h3>
      <ul className={classes.list}>
        {groups.map((group) => (
          <GroupRows key={group[0].id} group={group} now={now} {...props} />
        ))}
      </ul>
    </section>
  ))
}

function GroupRows({
  group,
  now,
  usertype,
  onFollow,
}: Omit<DaysProps, 'items'> & { group: Group; now: number }) {
  const { t } = useText()
  const [isOpen, setOpen] = useState(false)
  const [newest, ...earlier] = group
  const unreadOf = (some: readonly UserNotification[]) => some.filter(({ read }) => !read).map(({ id }) => id)
  const isUnread = unreadOf(isOpen ? [newest] : group).length > 0
  return (
    <>
      <Row
        item={newest}
        isUnread={isUnread}
        now={now}
        usertype={usertype}
        onFollow={() => onFollow(unreadOf(group))}
      />
      {earlier.length > 0 ? (
        <li>
          <button
            type="button"
            className={classes.earlier}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {t(isOpen ? 'notification.fewer' : 'notification.earlier', { count: earlier.length })}
          </button>
        </li>
      ) : null}
      {isOpen
        ? earlier.map((item) => (
            <Row
              key={item.id}
              item={item}
              isUnread={!item.read}
              now={now}
              usertype={usertype}
              onFollow={() => onFollow(unreadOf([item]))}
            />
          ))
        : null}
    </>
  )
}

interface RowProps {
  item: UserNotification
  isUnread: boolean
  now: number
  usertype: Role
  onFollow: () => void
}

function Row({ item, isUnread, now, usertype, onFollow }: RowProps): ReactNode {
  const { t } = useText()
  const format = useFormat()
  const params = noticeParams(item.params, t)
  const page = pageOfNotification(item, usertype)
  const { search, hash } = page
  const link = { className: classes.link, onClick: onFollow, search, ...(hash && { hash }) }
  const words = (
    <>
      <strong className={classes.title}>
        {isUnread ? (
          <>
            <span className={classes.dot} aria-hidden />
            <VisuallyHidden>{t('notification.filter_unread')}</VisuallyHidden>
          </>
        ) : null}
        {t(item.title, params)}
      </strong>
      <span>{t(item.msg, params)}</span>
      <time className={classes.time} dateTime={new Date(item.at).toISOString()}>
        {format.ago(item.at, now)}
      </time>
    </>
  )
  return (
    <li className={classes.item}>
      {page.screen === '/trip/$id' ? (
        <Link to={page.screen} params={{ id: page.id }} {...link}>
          {words}
        </Link>
      ) : (
        <Link to={page.screen} {...link}>
          {words}
        </Link>
      )}
    </li>
  )
}
