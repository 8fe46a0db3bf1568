import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import type { BookingView } from '@hansom/contract/bookings'
import { noDriverFound } from '@hansom/domain/bookings/status'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { emptyDraft, storeDraft } from '../../../entities/bookings/booking-draft.ts'
import { SecondTripDialog, useTripUnderWay } from '../../../entities/bookings/second-trip.tsx'
import { api } from '../../../lib/api.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { storeBooking } from '../../../lib/live.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import actions from './trip-actions.module.css'

/** After a search without a driver, repeats the same booking; after any other end, offers to book it again. */
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

/** Books the same trip now; the server computes a new fare. */
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

/** Progress of the search and the time it has taken. Times are epoch ms. */
export function SearchProgress({ since, now }: { since: number; now: number }) {
  const { t } = useText()
  const format = useFormat()
  const seconds = Math.max(0, Math.floor((now - since) / 1000))
  return (
    <div className={actions.search}>
      <span className={actions.searchBar} aria-hidden="true" />
      <p>
        {seconds < 60
          ? t('trip.searching_seconds', { count: seconds })
          : t('trip.searching_since', { time: format.duration(seconds) })}
      </p>
    </div>
  )
}

/** Opens the booking form with the places and car type of this trip. */
export function BookAgain({ view, isNext }: { view: BookingView; isNext: boolean }) {
  const { t } = useText()
  const { pickup, drop, car_type_id } = view
  return (
    <Link
      to="/"
      className={buttonClass({ variant: isNext ? 'primary' : 'secondary', wide: true })}
      onClick={() => storeDraft({ ...emptyDraft, pickup, drop, carTypeId: car_type_id })}
    >
      {t('trip.book_again')}
    </Link>
  )
}
