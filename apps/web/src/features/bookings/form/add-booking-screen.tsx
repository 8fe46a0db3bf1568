import type { BookingView } from '@hansom/contract/bookings'
import type { Caller } from '@hansom/contract/users'
import { type ComponentProps, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { AlertDialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { PageHead, pageFrame } from '../../../ui/page-head.tsx'
import classes from './add-booking.module.css'
import { BookingForm } from './booking-form.tsx'
import { CallerField, type CallerState, useCaller } from './caller-field.tsx'
import { HeroMap } from './hero-map.tsx'
import {
  type CallerTrip,
  noOptions,
  type OfficeBooking,
  type OfficeOptions,
  type OfficeRider,
} from './office-booking.ts'
import { OfficeOptionFields } from './office-options.tsx'
import { useBooking } from './use-booking.ts'

const ConfirmDialog = lazy(() => import('./confirm-dialog.tsx'))
const ConfirmDelivery = lazy(() => import('./confirm-delivery.tsx'))
/** Confirms a trip or a delivery. */
function Confirm({ parcel, onParcel, ...props }: ComponentProps<typeof ConfirmDelivery>) {
  const { category } = useSettings()
  return category === 'delivery' ? (
    <ConfirmDelivery {...props} parcel={parcel} onParcel={onParcel} />
  ) : (
    <ConfirmDialog {...props} />
  )
}
const OfficeBookedDialog = lazy(() => import('./office-booked-dialog.tsx'))

/** Lets an admin book for a caller: by number or name, several cars and the way back, all by keyboard. */
export function AddBookingScreen() {
  const { t } = useText()
  const state = useCaller()
  const { caller } = state
  const [options, setOptions] = useState<OfficeOptions>(noOptions)
  const booking = useBooking({
    office: officeBookingOf(state, options),
    payment_mode: options.payment_mode,
    lastCar: caller?.trips[0]?.car_type_id ?? null,
  })
  const [booked, setBooked] = useState<{ view: BookingView; office: OfficeBooking } | null>(null)
  const { trip, leaveTrip, error, setError, change, offer } = booking
  const form = useRef<HTMLDivElement>(null)
  // Incremented to go to the booking button as soon as the fares are there.
  const [repeated, setRepeated] = useState(0)
  const isReady = offer !== null && booking.draft.drop !== null
  useEffect(() => {
    if (repeated === 0 || !isReady) return
    form.current?.querySelector<HTMLButtonElement>('[data-book]')?.focus()
    setRepeated(0)
  }, [repeated, isReady])

  const repeat = ({ pickup, drop, car_type_id, payment_mode }: CallerTrip, { walletBalance }: Caller) => {
    change({ type: 'place', which: 'pickup', point: pickup })
    change({ type: 'place', which: 'drop', point: drop })
    change({ type: 'car', id: car_type_id })
    // The wallet is offered again once the fare is known to fit.
    setOptions({
      ...options,
      payment_mode: payment_mode === 'wallet' && walletBalance > 0 ? 'wallet' : 'cash',
    })
    setRepeated((times) => times + 1)
  }
  const restart = () => {
    setBooked(null)
    leaveTrip()
    change({ type: 'clear' })
    state.clear()
    setOptions(noOptions)
    document.querySelector<HTMLInputElement>('input[name=caller]')?.focus()
  }
  return (
    <div className={`${pageFrame} ${classes.page}`}>
      <div className={classes.panel} ref={form}>
        <PageHead title={t('booking.add_title')} />
        <CallerField
          state={state}
          onRepeat={repeat}
          onNewTrip={() => form.current?.querySelector<HTMLInputElement>('input[name=pickup]')?.focus()}
        />
        <BookingForm booking={booking} callerPlaces={caller?.places ?? []}>
          <OfficeOptionFields
            value={options}
            onChange={setOptions}
            caller={caller}
            hasAccount={state.picked !== null || (caller !== null && !caller.guest)}
            offer={offer}
          />
        </BookingForm>
      </div>
      <div className={classes.map}>
        <HeroMap booking={booking} beside />
      </div>
      <Suspense fallback={null}>
        {trip?.office && !booked ? (
          <Confirm
            trip={trip}
            parcel={booking.draft.parcel}
            onParcel={(parcel, drop) => change({ type: 'set', values: { parcel, ...(drop && { drop }) } })}
            onClose={leaveTrip}
            onError={(cause) => {
              leaveTrip()
              setError(cause)
            }}
            onBooked={(view) => trip.office && setBooked({ view, office: trip.office })}
          />
        ) : null}
        {booked ? <OfficeBookedDialog {...booked} onClose={restart} /> : null}
      </Suspense>
      <AlertDialog open={error !== null} onClose={() => setError(null)}>
        <p>
          <ErrorMessage error={error} />
        </p>
      </AlertDialog>
    </div>
  )
}

/** The rider and the options; null until a rider is known by a number or a name who may be booked for. */
function officeBookingOf(
  { caller, picked, isNew, name, text }: CallerState,
  options: OfficeOptions,
): OfficeBooking | null {
  const of = (rider: OfficeRider, shown: { name: string; mobile: string | null; outstanding: number }) => ({
    rider,
    options,
    ...shown,
  })
  if (caller?.approved === false) return null
  if (caller) return of({ customer: caller.uid }, caller)
  if (picked) return of({ customer: picked.uid }, { name: picked.name, mobile: null, outstanding: 0 })
  const guest = { name: name.trim(), mobile: text.trim() }
  return isNew && guest.name ? of({ guest }, { ...guest, outstanding: 0 }) : null
}
