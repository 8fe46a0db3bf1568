import type { BookingView } from '@hansom/contract/bookings'
import { isByCard } from '@hansom/domain/bookings/amounts'
import { Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useText } from '../../../lib/i18n.ts'
import { useMe } from '../../../lib/session.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { AlertDialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { BookingForm } from './booking-form.tsx'
import classes from './booking-hero.module.css'
import { HeroMap } from './hero-map.tsx'
import { useBooking } from './use-booking.ts'

const ConfirmOwnTrip = lazy(() => import('./confirm-own-trip.tsx'))
const SuccessDialog = lazy(async () => ({ default: (await import('./booking-dialogs.tsx')).SuccessDialog }))
const OpenTrips = lazy(async () => ({ default: (await import('./booking-dialogs.tsx')).OpenTrips }))
const SignInDialog = lazy(async () => ({ default: (await import('./booking-dialogs.tsx')).SignInDialog }))

/** The top of the landing page: the booking form and the city map. */
export function BookingHero() {
  const { t } = useText()
  const booking = useBooking()
  const [booked, setBooked] = useState<BookingView | null>(null)
  const { trip, leaveTrip, error, setError, change } = booking
  const navigate = useNavigate()
  const role = useMe()?.usertype
  const isRider = role === 'rider'
  return (
    <section
      className={classes.hero}
      data-picking={booking.picking ?? undefined}
      data-chosen={booking.draft.pickup && booking.draft.drop ? true : undefined}
    >
      <div className={classes.panel}>
        <h1 className={classes.slogan}>{t('landing.slogan')}</h1>
        {isRider && !booked ? (
          <Suspense fallback={null}>
            <OpenTrips />
          </Suspense>
        ) : null}
        {role === 'admin' ? (
          <Link to="/addbookings" className={buttonClass({ variant: 'primary', size: 'large', wide: true })}>
            {t('booking.add_title')}
          </Link>
        ) : (
          <BookingForm booking={booking} />
        )}
      </div>
      <div className={classes.map}>
        <HeroMap booking={booking} />
      </div>
      <Suspense fallback={null}>
        {trip && !booked ? (
          <ConfirmOwnTrip
            trip={trip}
            parcel={booking.draft.parcel}
            onParcel={(parcel, drop) => change({ type: 'set', values: { parcel, ...(drop && { drop }) } })}
            onClose={leaveTrip}
            onError={(cause) => {
              leaveTrip()
              setError(cause)
            }}
            onBooked={(view) => {
              change({ type: 'clear' })
              leaveTrip()
              const mustPay = view.status === 'PAYMENT_PENDING' && isByCard(view.payment_mode)
              // The trip page opens with the payment.
              if (mustPay) void navigate({ to: '/trip/$id', params: { id: view.id } })
              else setBooked(view)
            }}
          />
        ) : null}
        {booked ? <SuccessDialog booking={booked} /> : null}
        {booking.asksSignIn ? <SignInDialog onClose={booking.stopAskingSignIn} /> : null}
      </Suspense>
      <AlertDialog open={error !== null} onClose={() => setError(null)}>
        <p>
          <ErrorMessage error={error} />
        </p>
      </AlertDialog>
    </section>
  )
}
