import type { BookingView } from '@hansom/contract/bookings'
import { lazy, Suspense, useState } from 'react'
import { UserPicker } from '../../../entities/users/user-picker.tsx'
import { useText } from '../../../lib/i18n.ts'
import { AlertDialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { PageHead, pageFrame } from '../../../ui/page-head.tsx'
import classes from './add-booking.module.css'
import { BookingForm } from './booking-form.tsx'
import { HeroMap } from './hero-map.tsx'
import { useBooking } from './use-booking.ts'

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'))
const SuccessDialog = lazy(async () => ({ default: (await import('./booking-dialogs.tsx')).SuccessDialog }))

/** Lets an admin book for a rider, who is notified and can follow the trip like their own. */
export function AddBookingScreen() {
  const { t } = useText()
  const [customer, setCustomer] = useState<string>()
  const booking = useBooking({ customer })
  const [booked, setBooked] = useState<BookingView | null>(null)
  const { trip, leaveTrip, error, setError, change } = booking
  const restart = () => {
    setBooked(null)
    leaveTrip()
    change({ type: 'clear' })
    setCustomer(undefined)
  }
  return (
    <div className={`${pageFrame} ${classes.page}`}>
      <div className={classes.panel}>
        <PageHead title={t('booking.add_title')} />
        <UserPicker
          label={t('booking.rider')}
          usertype="rider"
          narrowing={{ approved: 'true' }}
          value={customer}
          onChange={setCustomer}
        />
        <BookingForm booking={booking} />
      </div>
      <div className={classes.map}>
        <HeroMap booking={booking} beside />
      </div>
      <Suspense fallback={null}>
        {trip && !booked ? (
          <ConfirmDialog
            trip={trip}
            onClose={leaveTrip}
            onError={(cause) => {
              leaveTrip()
              setError(cause)
            }}
            onBooked={setBooked}
          />
        ) : null}
        {booked ? <SuccessDialog booking={booked} onClose={restart} /> : null}
      </Suspense>
      <AlertDialog open={error !== null} onClose={() => setError(null)}>
        <p>
          <ErrorMessage error={error} />
        </p>
      </AlertDialog>
    </div>
  )
}
