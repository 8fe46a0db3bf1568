import { isTemporary } from '@hansom/client/api-error'
import type { BookingView } from '@hansom/contract/bookings'
import type { UserNotification } from '@hansom/contract/users'
import { endedStatuses, isOneOf } from '@hansom/domain/bookings/status'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { noticeParams, useReasonText } from '../../entities/bookings/reason-text.ts'
import { callAttention } from '../../lib/alert.ts'
import { orpc } from '../../lib/api.ts'
import { isolated, withoutIsolates } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { KeptFor } from '../../lib/per-user-storage.ts'
import { keptTrip } from '../../lib/stored-keys.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import classes from './driver.module.css'

/** Retry interval while the end of a trip cannot be loaded, ms. */
const retryMs = 5000

/** The notification may arrive a moment after the trip has left the list: retry interval and longest wait, ms. */
const noticeRetryMs = 1500
const noticeWaitMs = 10_000

const hasEnded = (view: BookingView | undefined) => view !== undefined && isOneOf(endedStatuses, view.status)

/**
 * The driver's trip that someone else cancelled, or (`withdrawn`) that an admin gave to another driver, until the
 * driver dismisses the notice. `open`: the driver's open bookings
 * once current; a trip driven here that is not among them has ended.
 */
export function useCancelledTrip(
  uid: string,
  open: readonly BookingView[] | undefined,
  trip: BookingView | null,
): { cancelled: BookingView | null; withdrawn: UserNotification | null; read: () => void } {
  const { t } = useText()
  // The page may be reloaded before the end of the trip is known.
  const kept = useMemo(() => new KeptFor<string>(localStorage, keptTrip, uid), [uid])
  const [followed, setFollowed] = useState<string | null>(() => kept.read()[0] ?? null)
  const follow = (id: string | null) => {
    kept.write(id === null ? [] : [id])
    setFollowed(id)
  }

  // The next trip replaces a finished one, dismissed or not.
  const current = trip?.id ?? null
  useEffect(() => {
    if (current !== null) follow(current)
  }, [current])

  const isGone = open !== undefined && followed !== null && !open.some(({ id }) => id === followed)
  const ended = useQuery({
    ...orpc.bookings.get.queryOptions({ input: { id: followed ?? '' } }),
    enabled: isGone,
    // The cached booking may be from before the end.
    staleTime: 0,
    refetchInterval: ({ state }) => (hasEnded(state.data) ? false : retryMs),
  })
  const found = isGone && ended.data?.id === followed && hasEnded(ended.data) ? ended.data : null
  const isCancelled = found?.status === 'CANCELLED' && found.cancelledBy !== 'driver'
  const isOver = isGone && found !== null && !isCancelled
  useEffect(() => {
    if (isOver) follow(null)
  }, [isOver])

  const cancelled = isCancelled ? found : null
  useEffect(() => {
    if (!cancelled) return
    announce(withoutIsolates(t(cancelledLine(cancelled))))
    callAttention('cancelled')
  }, [cancelled?.id])

  const isUnknown = isGone && ended.isError && !isTemporary(ended.error)
  const told = useQuery({
    ...orpc.users.notifications.queryOptions({ input: {} }),
    enabled: isUnknown,
    staleTime: 0,
    refetchInterval: ({ state }) => (withdrawalOf(followed, state.data?.items) ? false : noticeRetryMs),
  })
  const withdrawn = isUnknown ? withdrawalOf(followed, told.data?.items) : null
  useEffect(() => {
    if (!isUnknown) return
    if (withdrawn) {
      announce(t('driver.withdrawn'))
      callAttention('cancelled')
      return
    }
    const timer = setTimeout(() => follow(null), noticeWaitMs)
    return () => clearTimeout(timer)
  }, [isUnknown, withdrawn?.id])

  return { cancelled, withdrawn, read: () => follow(null) }
}

/** A trip that someone else cancelled: who, which, why, and the driver's share of the fee. */
export function CancelledNotice({ booking, onRead }: { booking: BookingView; onRead: () => void }) {
  const { t } = useText()
  const reasonText = useReasonText()
  return (
    <section className={classes.cancelled} aria-label={t('driver.cancelled_label')}>
      <p className={classes.target}>{t(cancelledLine(booking))}</p>
      <p className={classes.meta}>
        {booking.pickupAddress}
        {booking.reason ? (
          <span className={classes.reasonGiven}>
            {t('trip.why', { reason: isolated(reasonText(booking.reason)) })}
          </span>
        ) : null}
      </p>
      {booking.cancellation_fee > 0 ? (
        <p className={classes.amountLine}>
          <span>{t('driver.cancelled_fee')}</span> <Money amount={booking.cancellation_fee} />
        </p>
      ) : null}
      <div className={classes.pair}>
        <Button variant="primary" onClick={onRead}>
          {t('driver.cancelled_read')}
        </Button>
        <Link to="/trip/$id" params={{ id: booking.id }} className={classes.textLink}>
          {t('driver.cancelled_details')}
        </Link>
      </div>
    </section>
  )
}

/** The driver's notification that an admin gave the trip to another driver. */
function withdrawalOf(
  booking: string | null,
  items: readonly UserNotification[] = [],
): UserNotification | null {
  return items.find((one) => one.booking === booking && one.title === 'notify.trip_withdrawn.title') ?? null
}

/** A trip that an admin gave to another driver, and why. */
export function WithdrawnNotice({ notice, onRead }: { notice: UserNotification; onRead: () => void }) {
  const { t } = useText()
  return (
    <section className={classes.cancelled} aria-label={t('driver.withdrawn_label')}>
      <p className={classes.target}>{t('driver.withdrawn')}</p>
      <p className={classes.meta}>{t(notice.msg, noticeParams(notice.params, t))}</p>
      <p className={classes.meta}>{t('driver.withdrawn_free')}</p>
      <Button variant="primary" wide onClick={onRead}>
        {t('driver.cancelled_read')}
      </Button>
    </section>
  )
}

/** Text key of the line that says who cancelled. */
export function cancelledLine({ cancelledBy }: Pick<BookingView, 'cancelledBy'>): TextKey {
  return cancelledBy === null || cancelledBy === 'system'
    ? 'trip.driver_CANCELLED'
    : `trip.driver_CANCELLED_${cancelledBy}`
}
