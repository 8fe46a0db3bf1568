import type { BookingView } from '@hansom/contract/bookings'
import { isOneOf, isUpcoming } from '@hansom/domain/bookings/status'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { IconCheck, IconChevronRight } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useServerNow } from '../../../lib/clock.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useLive } from '../../../lib/live.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import classes from './booking-dialogs.module.css'

interface Props {
  booking: BookingView
  /** Called on Close; opens the bookings by default. */
  onClose?: () => void
}

/** Shows the created booking: its id, a link to the live trip and Close. */
export function SuccessDialog({ booking, onClose }: Props) {
  const { t } = useText()
  const navigate = useNavigate()
  const close = onClose ?? (() => void navigate({ to: '/bookings' }))
  return (
    <Dialog
      open
      onClose={close}
      hideClose
      title={t('booking.success_title')}
      footer={
        <>
          <Button
            variant="primary"
            size="large"
            wide
            onClick={() => void navigate({ to: '/trip/$id', params: { id: booking.id } })}
          >
            {t('booking.follow')}
          </Button>
          <Button variant="quiet" wide onClick={close}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <div className={classes.body}>
        <span className={classes.tick}>
          <IconCheck size={34} stroke={2.4} aria-hidden />
        </span>
        <p className={classes.text}>{t('booking.success_text')}</p>
        <p className={classes.id}>
          <bdi dir="ltr">{booking.booking_id}</bdi>
        </p>
        <p className={classes.hint}>
          {t(booking.bookLater ? 'booking.success_later' : 'booking.success_now')}
        </p>
      </div>
    </Dialog>
  )
}

/** Returns to the draft and on to its confirmation. */
const next = '/?continue=booking'

/** Asks a visitor who presses Book to sign in; the draft is kept. */
export function SignInDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  const navigate = useNavigate()
  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      title={t('booking.sign_in_title')}
      hideClose
      footer={
        <>
          <Button variant="primary" wide onClick={() => void navigate({ to: '/login', search: { next } })}>
            {t('auth.sign_in')}
          </Button>
          <Button wide onClick={() => void navigate({ to: '/register', search: { next } })}>
            {t('login.register')}
          </Button>
          <Button variant="quiet" wide onClick={onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <p>{t('error.must_login')}</p>
      <p style={{ color: 'var(--h-ink-2)', fontSize: 'var(--h-t-s)', marginBlockStart: 6 }}>
        {t('booking.draft_kept')}
      </p>
    </Dialog>
  )
}

/** The rider's unfinished trips, next one first, so that returning riders find their car immediately. */
export function OpenTrips() {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow(15_000)
  const trips = openTrips(useLive('bookings').data ?? [])
  if (trips.length === 0) return null
  return (
    <ul className={classes.trips} aria-label={t('booking.open_trips')}>
      {trips.map((trip) => (
        <li key={trip.id}>
          <Link to="/trip/$id" params={{ id: trip.id }} className={classes.trip}>
            <span className={classes.words}>
              <strong>
                {t(tripStatusKey(trip, now), { time: isolated(format.dateTime(trip.tripdate)) })}
              </strong>
              <span className={classes.drop}>
                <bdi>{trip.dropAddress}</bdi>
              </span>
            </span>
            <IconChevronRight className={classes.arrow} size={20} aria-hidden />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Finished for the rider: a paid trip only lacks a rating. */
const settled = ['PAID', 'COMPLETE', 'CANCELLED'] as const
/** Further trips are in the booking history. */
const most = 3

/** The rider's unfinished bookings, next one first. */
export function openTrips<Booking extends Pick<BookingView, 'status' | 'tripdate'>>(
  bookings: readonly Booking[],
): Booking[] {
  return bookings
    .filter(({ status }) => !isOneOf(settled, status))
    .toSorted((one, other) => one.tripdate - other.tripdate)
    .slice(0, most)
}

/** Text key of a trip's status at `now` (epoch ms on the server's clock); a later trip shows its time. */
export function tripStatusKey(trip: Pick<BookingView, 'status' | 'drivers_asked_at'>, now: number): TextKey {
  return isUpcoming(trip, now) ? 'trip.rider_NEW_later' : `history.status_${trip.status}`
}
