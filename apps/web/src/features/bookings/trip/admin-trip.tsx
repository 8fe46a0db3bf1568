import type { BookingView } from '@hansom/contract/bookings'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode, Ref } from 'react'
import { useReasonText } from '../../../entities/bookings/reason-text.ts'
import { CarTypeName } from '../../../entities/car-types/car-type-name.tsx'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { Ltr } from '../../../ui/ltr.tsx'
import { StatusTag } from '../list/status-tag.tsx'
import classes from './admin-trip.module.css'
import { AssignDriver } from './assign-driver.tsx'
import { CommandButtons } from './command-buttons.tsx'
import { EditBooking } from './edit-booking.tsx'

/** The head of the trip page for the back office: the booking, its status, and the way back to the list. */
export function AdminHead({ view, title }: { view: BookingView; title: Ref<HTMLHeadingElement> }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <>
      <Link to="/bookings" className={classes.back}>
        <IconArrowLeft size={18} aria-hidden />
        {t('trip.all_bookings')}
      </Link>
      <div className={classes.title}>
        <h1 ref={title} tabIndex={-1}>
          <Ltr>{view.booking_id}</Ltr>
        </h1>
        <StatusTag booking={view} />
      </div>
      <p className={classes.facts}>
        <CarTypeName stored={view.carType} />
        <span aria-hidden>·</span>
        <span>{t(view.bookLater ? 'history.bookLater' : 'history.bookNow')}</span>
        <span aria-hidden>·</span>
        <bdi>{format.dateTime(view.tripdate)}</bdi>
        <span className={classes.by}>
          {t(view.booking_type_admin ? 'trip.booked_by_office' : 'trip.booked_by_rider')}
        </span>
      </p>
      <CancelledBy view={view} />
    </>
  )
}

function CancelledBy({ view: { status, cancelledBy, reason } }: { view: BookingView }) {
  const { t } = useText()
  const reasonText = useReasonText()
  if (status !== 'CANCELLED' || cancelledBy === null) return null
  return (
    <p>
      {t('trip.cancelled_by', { who: isolated(t(`trip.actor_${cancelledBy}`)) })}{' '}
      {reason ? t('trip.why', { reason: isolated(reasonText(reason)) }) : null}
    </p>
  )
}

/** What an admin can do with the trip, above everything that is to be read. `more` follows. */
export function AdminActions({ view, more }: { view: BookingView; more: ReactNode }) {
  if (view.viewer !== 'admin') return null
  return (
    <div className={classes.actions}>
      <AssignDriver view={view} />
      <EditBooking view={view} />
      {more}
      <CommandButtons view={view} />
    </div>
  )
}

/** Links from the booking to its money and to the bookings it replaces. */
export function AdminLinks({ view: { id, viewer, rebooked_from, rebooked_as } }: { view: BookingView }) {
  const { t } = useText()
  if (viewer !== 'admin') return null
  const links = [
    { to: '/payments', label: t('trip.its_payments') },
    { to: '/ledger', label: t('trip.its_ledger') },
    { to: '/disputes', label: t('trip.its_refunds') },
  ] as const
  const bookings = [
    { id: rebooked_from, label: t('trip.rebooked_from') },
    { id: rebooked_as, label: t('trip.rebooked_as') },
  ]
  return (
    <nav className={classes.links} aria-label={t('trip.links')}>
      {links.map(({ to, label }) => (
        <Link key={to} to={to} search={{ booking: id }} className={buttonClass({ size: 'small' })}>
          {label}
        </Link>
      ))}
      {bookings.map(({ id: other, label }) =>
        other === null ? null : (
          <Link key={label} to="/trip/$id" params={{ id: other }} className={buttonClass({ size: 'small' })}>
            {label}
          </Link>
        ),
      )}
    </nav>
  )
}
