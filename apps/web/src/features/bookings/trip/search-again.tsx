import type { BookingView } from '@hansom/contract/bookings'
import { noDriverFound } from '@hansom/domain/bookings/dispatch-commands'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, newIdempotencyKey } from '../../../lib/api.ts'
import { storeBooking } from '../../../lib/booking-cache.ts'
import { useText } from '../../../lib/i18n.ts'
import { useTripUnderWay } from '../../../entities/bookings/trip-under-way.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { SecondTripDialog } from '../../../entities/bookings/second-trip-dialog.tsx'
import { BookAgain } from './book-again.tsx'
import actions from './actions.module.css'

/** After a trip that nobody took, the same trip is asked for again; after any other end, booking it again is offered. */
export function SearchAgain({ view }: { view: BookingView }) {
  const { t } = useText()
  const navigate = useNavigate()
  const [key] = useState(newIdempotencyKey)
  const [asks, setAsks] = useState(false)
  const underWay = useTripUnderWay()
  const again = useMutation({
    mutationFn: () => api.bookings.create(repeatOf(view), { context: { idempotencyKey: key } }),
    onSuccess: (next) => {
      storeBooking(next)
      void navigate({ to: '/trip/$id', params: { id: next.id }, replace: true })
    },
  })
  if (view.viewer !== 'rider' || view.status !== 'CANCELLED' || view.rebooked_as) return null
  if (view.reason !== noDriverFound) return <BookAgain view={view} isNext />
  return (
    <div className={actions.actions}>
      <Button
        variant="primary"
        size="large"
        wide
        busy={again.isPending || underWay === undefined}
        onClick={() => (underWay ? setAsks(true) : again.mutate())}
      >
        {t('trip.search_again')}
      </Button>
      {asks ? (
        <SecondTripDialog
          onClose={() => setAsks(false)}
          onContinue={() => {
            setAsks(false)
            again.mutate()
          }}
        />
      ) : null}
      {again.error ? (
        <p className={actions.problem} role="alert">
          <ErrorMessage error={again.error} />
        </p>
      ) : null}
    </div>
  )
}

/** The same trip, now. The fare is the server's to compute anew. */
function repeatOf(view: BookingView) {
  return {
    pickup: view.pickup,
    drop: view.drop,
    car_type_id: view.car_type_id,
    bookLater: false,
    payment_mode: view.payment_mode,
    ...(view.promo_name ? { promo: view.promo_name } : {}),
  }
}
