import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import type { BookingView } from '@hansom/contract/bookings'
import { noDriverFound } from '@hansom/domain/bookings/status'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Draft, emptyDraft, storeDraft } from '../../../entities/bookings/booking-draft.ts'
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
  // A delivery is paid in advance, so it is booked in the form again.
  if (view.reason !== noDriverFound || view.delivery) return <BookAgain view={view} isNext />
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

/** The booking form's draft that repeats a booking; of a delivery, with its drops and recipients in visiting order. */
export function draftOf({
  pickup,
  drop,
  car_type_id,
  delivery,
  pickUpInstructions,
}: Pick<BookingView, 'pickup' | 'drop' | 'car_type_id' | 'delivery' | 'pickUpInstructions'>): Draft {
  const draft = { ...emptyDraft, pickup, drop, carTypeId: car_type_id }
  const drops = delivery?.stops.filter(({ kind }) => kind === 'drop') ?? []
  const [first] = drops
  if (!first) return draft
  return {
    ...draft,
    drop: first.place,
    parcel: {
      parcelTypeIndex: 0,
      optionIndex: 0,
      pickUpInstructions: pickUpInstructions ?? '',
      order: 'given',
      drops: drops.map((stop) => ({
        key: `stop-${stop.n}`,
        point: stop === first ? null : stop.place,
        deliveryPerson: stop.person ?? '',
        deliveryPersonPhone: stop.phone ?? '',
        deliveryEmail: '',
        deliveryInstructions: stop.instructions ?? '',
        from: '',
        to: '',
      })),
    },
  }
}

/** Opens the booking form with the places, recipients and car type of this booking. */
export function BookAgain({ view, isNext }: { view: BookingView; isNext: boolean }) {
  const { t } = useText()
  return (
    <Link
      to="/"
      className={buttonClass({ variant: isNext ? 'primary' : 'secondary', wide: true })}
      onClick={() => storeDraft(draftOf(view))}
    >
      {t('trip.book_again')}
    </Link>
  )
}
