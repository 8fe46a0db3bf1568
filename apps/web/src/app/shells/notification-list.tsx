import { kindsOfRole, type NotificationKind } from '@hansom/domain/notifications/kinds'
import type { Role } from '@hansom/domain/users/roles'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import classes from './notification-list.module.css'
import { NotificationDays } from './notification-rows.tsx'

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
      {query.isLoadingError || query.isFetchNextPageError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : null}
      {items?.length === 0 ? (
        <EmptyState title={t(isEmpty ? 'notification.none' : 'notification.none_such')}>
          {isEmpty ? t('notification.none_text') : null}
        </EmptyState>
      ) : null}
      {items ? (
        <NotificationDays
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
      <Link to="/profile" hash="notifications" className={classes.settings} onClick={onFollow}>
        {t('notification.settings')}
      </Link>
    </>
  )
}
