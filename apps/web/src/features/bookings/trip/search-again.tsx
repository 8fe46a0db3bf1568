import { newIdempotencyKey } from '@hansom/client/idempotent-call'
import type { BookingView } from '@hansom/contract/bookings'
import type { CarType } from '@hansom/contract/car-types'
import { noDriverFound } from '@hansom/domain/bookings/status'
import { toCityTime } from '@hansom/domain/time/city-time'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Draft, emptyDraft, storeDraft } from '../../../entities/bookings/booking-draft.ts'
import { SecondTripDialog, useTripUnderWay } from '../../../entities/bookings/second-trip.tsx'
import { api, orpc } from '../../../lib/api.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { storeBooking } from '../../../lib/live.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { rememberPayment } from '../form/last-payment.ts'
import actions from './trip-actions.module.css'

/** Which booking of the rider this one replaces, after its driver cancelled. */
export function Replaced({ view, className }: { view: BookingView; className: string | undefined }) {
  const { t } = useText()
  const { rebooked_from: id, viewer } = view
  const isShown = viewer === 'rider' && id !== null
  const { data } = useQuery({
    ...orpc.bookings.get.queryOptions({ input: { id: id ?? '' } }),
    enabled: isShown,
  })
  if (!isShown || !data) return null
  return (
    <p className={className}>
      <Link to="/trip/$id" params={{ id }}>
        {t('trip.replaces', { number: isolated(data.booking_id) })}
      </Link>
    </p>
  )
}

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

type Repeated = Pick<
  BookingView,
  | 'pickup'
  | 'drop'
  | 'car_type_id'
  | 'delivery'
  | 'pickUpInstructions'
  | 'parcelTypeSelected'
  | 'optionSelected'
>

const dayMs = 24 * 3_600_000

/**
 * The booking form's draft that repeats a booking; of a delivery, with its recipients in visiting order, its windows as
 * times of day, and its parcel if the car type still has it.
 */
export function draftOf(
  { pickup, drop, car_type_id, delivery, pickUpInstructions, ...parcel }: Repeated,
  carTypes: readonly CarType[],
  timezone: string,
): Draft {
  const draft = { ...emptyDraft, pickup, drop, carTypeId: car_type_id }
  const drops = delivery?.stops.filter(({ kind }) => kind === 'drop') ?? []
  const [first] = drops
  if (!delivery || !first) return draft
  const carType = carTypes.find(({ id }) => id === car_type_id)
  const position = (list: CarType['options'] = [], chosen: { description: string } | null) =>
    Math.max(
      list.findIndex(({ description }) => description === chosen?.description),
      0,
    )
  const timeOfDay = (moment: number | null) =>
    moment === null ? '' : toCityTime(moment, timezone).slice(11, 16)
  return {
    ...draft,
    drop: first.place,
    parcel: {
      parcelTypeIndex: position(carType?.parcelTypes, parcel.parcelTypeSelected),
      optionIndex: position(carType?.options, parcel.optionSelected),
      pickUpInstructions: pickUpInstructions ?? '',
      order: delivery.stop_order,
      drops: drops.map((stop) => ({
        key: `stop-${stop.n}`,
        point: stop === first ? null : stop.place,
        deliveryPerson: stop.person ?? '',
        deliveryPersonPhone: stop.phone ?? '',
        deliveryEmail: stop.email ?? '',
        deliveryInstructions: stop.sender_instructions ?? stop.instructions ?? '',
        // A window of a whole day had one side only.
        from: isWholeDay(stop) ? '' : timeOfDay(stop.window_from),
        to: timeOfDay(stop.window_to),
      })),
    },
  }
}

const isWholeDay = ({ window_from, window_to }: { window_from: number | null; window_to: number | null }) =>
  window_from !== null && window_to !== null && window_to - window_from === dayMs

/** Opens the booking form with the places, recipients, parcel and car type of this booking, and its payment. */
export function BookAgain({ view, isNext }: { view: BookingView; isNext: boolean }) {
  const { t } = useText()
  const { timezone } = useSettings()
  const { data: carTypes = [] } = useQuery({
    ...orpc.carTypes.list.queryOptions(),
    enabled: view.delivery !== null,
  })
  const repeat = () => {
    storeDraft(draftOf(view, carTypes, timezone))
    const cash_at = view.delivery?.cash_at
    if (cash_at) rememberPayment({ mode: 'cash', inAdvance: false, cash_at })
  }
  return (
    <Link
      to="/"
      className={buttonClass({ variant: isNext ? 'primary' : 'secondary', wide: true })}
      onClick={repeat}
    >
      {t('trip.book_again')}
    </Link>
  )
}
