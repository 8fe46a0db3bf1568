import type { BookingView } from '@hansom/contract/bookings'
import { isByCard } from '@hansom/domain/bookings/amounts'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { orpc } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { FocusFirst } from '../../../ui/focus-first.tsx'
import { LoadingState } from '../../../ui/page-states.tsx'
import classes from './booking-dialogs.module.css'
import { callerText, type OfficeBooking } from './office-booking.ts'

interface Props {
  view: BookingView
  office: OfficeBooking
  onClose: () => void
}

/** Tells the office what was booked for whom, and what happens next. */
export default function OfficeBookedDialog({ view, office, onClose }: Props) {
  const { t } = useText()
  const { autoDispatch } = useSettings()
  const navigate = useNavigate()
  const { cars, returnAt } = office.options
  const count = cars * (returnAt ? 2 : 1)
  const openTrip = () => void navigate({ to: '/trip/$id', params: { id: view.id } })
  return (
    <Dialog
      open
      onClose={onClose}
      hideClose
      title={t('booking.success_title')}
      footer={
        <>
          <FocusFirst>
            <Button variant="primary" size="large" wide onClick={onClose}>
              {t('booking.office_another')}
            </Button>
          </FocusFirst>
          <Button wide onClick={openTrip}>
            {t(autoDispatch || view.bookLater ? 'booking.office_open' : 'booking.office_assign')}
          </Button>
        </>
      }
    >
      <div className={classes.body}>
        <span className={classes.tick}>
          <IconCheck size={34} stroke={2.4} aria-hidden />
        </span>
        <p className={classes.text}>{t('booking.office_for', { caller: callerText(office) })}</p>
        {count > 1 ? null : (
          <p className={classes.id}>
            <bdi dir="ltr">{view.booking_id}</bdi>
          </p>
        )}
        <p className={classes.hint}>{t(`history.pay_${view.payment_mode}`)}</p>
        <p className={classes.hint}>{t(nextStep(view, autoDispatch))}</p>
        {count > 1 && view.group_id ? <GroupCodes group={view.group_id} count={count} /> : null}
      </div>
    </Dialog>
  )
}

/** The codes of all bookings that the request made, with their pickup times. */
function GroupCodes({ group, count }: { group: string; count: number }) {
  const { t } = useText()
  const format = useFormat()
  const bookings = useQuery(
    orpc.bookings.list.queryOptions({
      input: { group_id: group, sort: 'tripdate', limit: count },
    }),
  )
  if (bookings.isError) return <ErrorMessage error={bookings.error} />
  return (
    <>
      {bookings.data ? (
        <ol className={classes.codes}>
          {bookings.data.items.map(({ id, booking_id, bookLater, tripdate }) => (
            <li key={id}>
              <Link to="/trip/$id" params={{ id }}>
                <bdi dir="ltr">{booking_id}</bdi>
              </Link>
              <span>{bookLater ? <bdi>{format.dateTime(tripdate)}</bdi> : t('history.bookNow')}</span>
            </li>
          ))}
        </ol>
      ) : (
        <LoadingState rows={count} height="24px" />
      )}
      <Link to="/bookings" search={{ group_id: group }}>
        {t('booking.office_group', { count })}
      </Link>
    </>
  )
}

function nextStep({ bookLater, status, payment_mode }: BookingView, autoDispatch: boolean) {
  if (status === 'PAYMENT_PENDING' && isByCard(payment_mode)) return 'history.status_PAYMENT_PENDING'
  if (bookLater) return 'booking.success_later'
  return autoDispatch ? 'booking.office_asking' : 'booking.office_waiting'
}
