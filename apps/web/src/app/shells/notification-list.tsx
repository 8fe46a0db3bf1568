import type { UserNotification } from '@hansom/contract/users'
import { kindsOfRole, type NotificationKind } from '@hansom/domain/notifications/kinds'
import { pageOfNotification } from '@hansom/domain/notifications/page'
import { cityDay } from '@hansom/domain/time/city-time'
import type { Role } from '@hansom/domain/users/roles'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { noticeParams } from '../../entities/bookings/reason-text.ts'
import { api, orpc } from '../../lib/api.ts'
import { useServerNow } from '../../lib/clock.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import classes from './notification-list.module.css'

type Filter = 'all' | 'unread' | NotificationKind

interface Props {
  usertype: Role
  unread: number
  /** Called when a link is followed. */
  onFollow: () => void
}

/** The user's notifications by day, those of one trip together; filtered by kind, and by whether they were read. */
export function NotificationList({ usertype, unread, onFollow }: Props) {
  const { t } = useText()
  const [filter, setFilter] = useState<Filter>('all')
  const wanted = filter === 'all' ? {} : filter === 'unread' ? { unread: 'true' } : { kind: filter }
  const query = useInfiniteQuery(
    orpc.users.notifications.infiniteOptions({
      input: (cursor: string | undefined) => ({ ...wanted, cursor }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const markRead = useMutation({
    mutationFn: (ids?: string[]) => api.users.readNotifications({ ids }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: orpc.users.notifications.key() }),
  })
  const items = query.data?.pages.flatMap((page) => page.items)
  const filters: readonly Filter[] = ['all', 'unread', ...kindsOfRole(usertype)]
  const isEmpty = items?.length === 0 && filter === 'all'
  return (
    <>
      <div className={classes.bar} hidden={isEmpty}>
        <fieldset className={classes.filters} aria-label={t('notification.filter')}>
          {filters.map((one) => (
            <button
              key={one}
              type="button"
              className={classes.filter}
              aria-pressed={filter === one}
              onClick={() => setFilter(one)}
            >
              {t(`notification.filter_${one}`)}
            </button>
          ))}
        </fieldset>
        {unread > 0 ? (
          <Button
            variant="quiet"
            size="small"
            className={classes.markAll}
            busy={markRead.isPending}
            onClick={() => markRead.mutate(undefined)}
          >
            {t('notification.mark_all_read')}
          </Button>
        ) : null}
      </div>
      {query.isPending ? <LoadingState rows={3} /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {items?.length === 0 ? (
        <EmptyState title={t(isEmpty ? 'notification.none' : 'notification.none_such')}>
          {isEmpty ? t('notification.none_text') : null}
        </EmptyState>
      ) : null}
      {items ? (
        <Days
          items={items}
          usertype={usertype}
          onFollow={(ids) => {
            if (ids.length > 0) markRead.mutate(ids)
            onFollow()
          }}
        />
      ) : null}
      {query.hasNextPage ? (
        <Button wide busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('notification.more')}
        </Button>
      ) : null}
    </>
  )
}

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

function Days({ items, ...props }: DaysProps) {
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
  const link = { className: classes.link, onClick: onFollow, search: page.search }
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
        {/* One that has just arrived is newer than `now`, which is refreshed once a minute. */}
        {format.relative(Math.min(item.at, now), now)}
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
