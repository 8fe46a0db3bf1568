import type { ListedBooking, BookingRow as ListRow } from '@hansom/contract/bookings'
import { toBePaid } from '@hansom/domain/bookings/amounts'
import type { BookingStatus } from '@hansom/domain/bookings/status'
import { isChatOpen } from '@hansom/domain/chats/chat'
import { IconChevronRight } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { CarTypeName } from '../../../entities/car-types/car-type-name.tsx'
import { LiveUnread, UnreadMessages } from '../../../entities/chats/unread-messages.tsx'
import { ConfirmMobileForm } from '../../../entities/users/confirm-mobile-form.tsx'
import { orpc } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useLive } from '../../../lib/live.ts'
import { useMe } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Ltr } from '../../../ui/ltr.tsx'
import { Money } from '../../../ui/money.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../ui/page-states.tsx'
import { ToggleGroup } from '../../../ui/toggle-group.tsx'
import classes from './history.module.css'
import { StatusTag } from './status-tag.tsx'

const filters = ['all', 'open', 'ended'] as const
type Filter = (typeof filters)[number]
const pageSize = 25

/** The query of the user's bookings, newest first. */
export const historyOptions = (filter: Filter) =>
  orpc.bookings.list.infiniteOptions({
    input: (cursor: string | undefined) => ({
      limit: pageSize,
      ...(cursor ? { cursor } : {}),
      ...(filter === 'all' ? {} : { status: filter satisfies Exclude<Filter, 'all'> | BookingStatus }),
    }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next ?? undefined,
  })

interface Props {
  /** The payment and cancellation dialogs; drivers have neither. */
  dialogs?: Record<RowAct, (view: ListedBooking, onClose: () => void) => ReactNode>
}

/** The user's bookings, newest first. The filter is in the URL. */
export function BookingsScreen({ dialogs }: Props) {
  const { t } = useText()
  const navigate = useNavigate()
  const search = useSearch({ from: '/app/bookings' })
  const filter: Filter = filters.find((name) => name === search.show) ?? 'all'
  const me = useMe()
  const role = me?.usertype
  const [confirms, setConfirms] = useState(false)
  // Shown to every rider alike, so that it does not reveal who has booked by phone.
  const mayHaveCalled = role === 'rider' && me?.mobile != null && me.mobile_verified_at === null
  // Changes of open bookings reach the list through the live topic; it stays open while the list is shown.
  const open = useLive('bookings').data
  const list = useInfiniteQuery(historyOptions(filter))
  useReloadAtEnds(open, () => void list.refetch())
  const bookings = list.data?.pages.flatMap((page) => page.items) ?? []
  const [opened, setOpened] = useState<{ act: RowAct; view: ListedBooking } | null>(null)
  // Read from the list, because a payment changes it while its dialog is open.
  const subject = opened && (bookings.find(({ id }) => id === opened.view.id) ?? opened.view)
  const show = (wanted: Filter) =>
    void navigate({ to: '.', search: wanted === 'all' ? {} : { show: wanted }, replace: true })

  return (
    <section className={classes.history} aria-labelledby="history-title">
      <div className={classes.head}>
        <h1 id="history-title" className={classes.title}>
          {t('history.title')}
        </h1>
        <ToggleGroup
          label={t('history.filter')}
          options={filters.map((name) => ({ value: name, label: t(`history.show_${name}`) }))}
          value={filter}
          onChange={show}
        />
      </div>
      {list.isPending ? <LoadingState rows={5} height="92px" /> : null}
      {list.isError && !list.data ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : null}
      {list.isSuccess && bookings.length === 0 ? (
        filter === 'all' ? (
          <EmptyState
            title={t('error.no_bookings')}
            action={
              role === 'rider' || role === 'admin' ? (
                <Button variant="primary" onClick={() => void navigate({ to: '/' })}>
                  {t('history.book')}
                </Button>
              ) : null
            }
          >
            {t(role === 'driver' ? 'history.empty_driver' : 'history.empty_text')}
          </EmptyState>
        ) : (
          <EmptyState
            title={t('history.no_match')}
            action={<Button onClick={() => show('all')}>{t('history.clear_filter')}</Button>}
          />
        )
      ) : null}
      {bookings.length > 0 ? (
        <ul className={classes.list}>
          {bookings.map((booking) => (
            <BookingRow
              key={booking.id}
              booking={booking}
              onAct={dialogs && ((act) => setOpened({ act, view: booking }))}
            />
          ))}
        </ul>
      ) : null}
      {mayHaveCalled && list.isSuccess && bookings.length === 0 ? (
        <p className={classes.called}>
          {t('history.booked_by_phone')}{' '}
          <Button size="small" onClick={() => setConfirms(true)}>
            {t('profile.mobile_confirm')}
          </Button>
        </p>
      ) : null}
      {confirms && me ? (
        <Dialog open onClose={() => setConfirms(false)} title={t('profile.mobile_title')}>
          <ConfirmMobileForm
            me={me}
            own
            onDone={() => {
              setConfirms(false)
              void list.refetch()
            }}
          />
        </Dialog>
      ) : null}
      {list.hasNextPage ? (
        <Button wide busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('history.more')}
        </Button>
      ) : null}
      {subject && dialogs ? dialogs[opened.act](subject, () => setOpened(null)) : null}
    </section>
  )
}

/** Reloads the list when a booking starts or ends, because the live topic contains only open ones. */
function useReloadAtEnds(open: readonly ListedBooking[] | undefined, reload: () => void): void {
  const ids = open
    ?.map(({ id }) => id)
    .toSorted()
    .join()
  const known = useRef(ids)
  useEffect(() => {
    const hasChanged = known.current !== undefined && ids !== undefined && known.current !== ids
    known.current = ids ?? known.current
    if (hasChanged) reload()
  }, [ids])
}

/** Actions on a trip without opening its page. */
export type RowAct = 'pay' | 'cancel'

/** A booking in the history: time, route, the other party, price and status. */
export function BookingRow({
  booking,
  onAct,
}: {
  booking: ListedBooking & Partial<Pick<ListRow, 'unread_messages'>>
  onAct: ((act: RowAct) => void) | undefined
}) {
  const { t } = useText()
  const format = useFormat()
  const isDue = booking.viewer === 'rider' && booking.objection !== 'open' && toBePaid(booking)
  const mayCancel = booking.viewer === 'rider' && booking.commands.includes('cancel')
  const other = booking.viewer === 'rider' ? booking.driver_name : booking.customer_name
  const drops = booking.delivery?.drops ?? 0
  return (
    <li className={isDue ? classes.due : undefined}>
      <Link to="/trip/$id" params={{ id: booking.id }} className={classes.row}>
        <span className={classes.when}>
          <bdi>{format.dateTime(booking.tripdate)}</bdi>
          <span className={classes.tags}>
            <StatusTag booking={booking} />
            {/* Another driver has a conversation of their own. */}
            {isChatOpen(booking.status) ? (
              <LiveUnread key={booking.driver} booking={booking.id} count={booking.unread_messages} />
            ) : (
              <UnreadMessages count={booking.unread_messages} />
            )}
          </span>
        </span>
        <span className={classes.places}>
          <span className={classes.place} data-kind="pickup">
            <bdi>{booking.pickupAddress}</bdi>
          </span>
          <span className={classes.place} data-kind="drop">
            <bdi>{booking.dropAddress}</bdi>
          </span>
        </span>
        <span className={classes.who}>
          <CarTypeName stored={booking.carType} />
          {drops > 1 ? <span>{t('delivery.drops', { count: drops })}</span> : null}
          {other ? <bdi>{other}</bdi> : null}
          <Ltr>{booking.booking_id}</Ltr>
        </span>
        <span className={classes.cost}>
          <Cost booking={booking} />
        </span>
        <IconChevronRight size={20} aria-hidden className={classes.chevron} />
      </Link>
      {onAct && (isDue || mayCancel) ? (
        <div className={classes.acts}>
          {mayCancel ? (
            <Button size="small" onClick={() => onAct('cancel')}>
              {t('trip.cancel')}
            </Button>
          ) : null}
          {isDue ? (
            <Button variant="primary" size="small" onClick={() => onAct('pay')}>
              {t('trip.pay_now')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </li>
  )
}

/**
 * The price as the viewer sees it: for riders less the discount; for a cancelled trip only the cancellation fee,
 * labelled as such.
 */
function Cost({ booking }: { booking: ListedBooking }) {
  const { t } = useText()
  if (booking.status !== 'CANCELLED') {
    const discount = booking.viewer === 'rider' ? booking.discount_amount : 0
    return <Money amount={booking.trip_cost - discount} />
  }
  if (booking.cancellation_fee === 0) return <small>{t('history.no_charge')}</small>
  return (
    <>
      <Money amount={booking.cancellation_fee} />
      <small>{t('history.cancellation_fee')}</small>
    </>
  )
}
