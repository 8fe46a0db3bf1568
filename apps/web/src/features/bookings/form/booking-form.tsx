import { ApiError } from '@hansom/client/api-error'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { bookLaterLimitMs, earliestTrip, laterTimeRefusal } from '@hansom/domain/dispatch/timing'
import { isSamePlace } from '@hansom/domain/geo/point'
import { fromCityTime, toCityTime } from '@hansom/domain/time/city-time'
import { IconArrowsUpDown, IconCalendarClock } from '@tabler/icons-react'
import { type FormEvent, lazy, type ReactNode, Suspense, useRef } from 'react'
import { PlaceField } from '../../../entities/places/place-field.tsx'
import { serverNow } from '../../../lib/clock.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState, LoadingState } from '../../../ui/page-states.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import classes from './booking-form.module.css'
import { CarOffers } from './car-offers.tsx'
import type { TripEnd } from './draft.ts'
import type { BookingFormState } from './use-booking.ts'

const MoreDrops = lazy(() => import('./more-drops.tsx'))

const places = ['pickup', 'drop'] as const

interface FormProps {
  booking: BookingFormState
  /** For the office: the caller's places, suggested instead of the user's own. */
  callerPlaces?: readonly PlacePoint[]
  /** Shown above the booking buttons. */
  children?: ReactNode
}

/** The booking form: two places, a car, now or later. Fully usable without the map. */
export function BookingForm({ booking, callerPlaces, children }: FormProps) {
  const { t } = useText()
  const { region, category } = useSettings()
  const { draft, change, offers, address } = booking
  const dropField = useRef<HTMLInputElement>(null)
  const choose = (which: TripEnd, point: PlacePoint | null) => {
    address.leave(which)
    change({ type: 'place', which, point })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    booking.book()
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate aria-label={t('booking.form')}>
      <div className={classes.places}>
        <span className={classes.rail} aria-hidden />
        {places.map((which) => (
          <PlaceField
            key={which}
            which={which}
            point={draft[which]}
            near={draft.pickup ?? region.center}
            callerPlaces={callerPlaces}
            locating={address.locating === which}
            inputRef={which === 'drop' ? dropField : undefined}
            onChange={(point) => choose(which, point)}
            onType={() => choose(which, null)}
            onChosen={() => {
              if (which === 'pickup' && !draft.drop) dropField.current?.focus()
            }}
            onHere={() => address.findDevice(which)}
            onSetOnMap={() => booking.setPicking(which)}
          />
        ))}
        <Button
          size="icon"
          className={classes.swap}
          aria-label={t('booking.swap')}
          onClick={() => change({ type: 'swap' })}
        >
          <IconArrowsUpDown size={18} aria-hidden />
        </Button>
      </div>
      {category === 'delivery' && draft.drop ? (
        <Suspense fallback={null}>
          <MoreDrops booking={booking} callerPlaces={callerPlaces} />
        </Suspense>
      ) : null}
      <Offers booking={booking} compact={callerPlaces !== undefined} />
      {offers.data ? children : null}
      {offers.data || draft.later ? <BookButtons booking={booking} /> : null}
    </form>
  )
}

function Offers({ booking, compact }: { booking: BookingFormState; compact: boolean }) {
  const { t } = useText()
  const format = useFormat()
  const { draft, change, offers } = booking
  if (!draft.pickup || !draft.drop) return null
  const isSame = isSamePlace(draft.pickup, draft.drop)
  const leadsNowhere = isSame ? new ApiError('same_place', 0) : offers.noRoute
  if (leadsNowhere) {
    return (
      <p className={classes.noneNear} role="alert">
        {t(`error.${leadsNowhere.key}`, { stop: String(leadsNowhere.data.stop) })}
      </p>
    )
  }
  if (offers.isError && !offers.data) {
    return <ErrorState error={offers.error} onRetry={() => void offers.refetch()} />
  }
  if (!offers.data) return <LoadingState rows={3} height="72px" />
  const { route, offers: list } = offers.data
  return (
    <div className={classes.offers} aria-busy={offers.isPlaceholderData}>
      <p className={classes.route}>
        <bdi>{format.distance(route.distanceKm)}</bdi>
        <span aria-hidden>·</span>
        <bdi>{t('booking.drive_time', { time: format.duration(route.durationS) })}</bdi>
      </p>
      <CarOffers
        offers={list}
        chosen={draft.carTypeId}
        later={draft.later}
        compact={compact}
        onChoose={(id) => change({ type: 'car', id })}
      />
    </div>
  )
}

/** Book Now and Book Later. If no car is nearby, only Book Later is offered. */
function BookButtons({ booking }: { booking: BookingFormState }) {
  const { t } = useText()
  const { draft, offer, chooseLater, chooseNow } = booking
  const noneNear = offer !== null && offer.pickupS === null
  if (draft.later) {
    return (
      <div className={classes.actions}>
        <WhenField
          value={draft.at}
          focused={booking.laterJustChosen}
          onChange={(at) => booking.change({ type: 'at', at })}
        />
        <div className={classes.buttons}>
          <Button type="submit" variant="primary" size="large" wide data-book>
            {t('booking.confirm_later')}
          </Button>
          {noneNear ? null : (
            <Button variant="quiet" size="large" onClick={chooseNow}>
              {t('booking.now_instead')}
            </Button>
          )}
        </div>
      </div>
    )
  }
  if (noneNear) {
    return (
      <div className={classes.actions}>
        <p className={classes.noneNear}>{t('booking.none_near_text')}</p>
        <Button variant="primary" size="large" wide data-book onClick={chooseLater}>
          <IconCalendarClock size={22} stroke={1.8} aria-hidden />
          {t('booking.book_later')}
        </Button>
      </div>
    )
  }
  return (
    <div className={classes.actions}>
      <div className={classes.buttons}>
        <Button type="submit" variant="primary" size="large" wide data-book>
          {t('booking.book_now')}
        </Button>
        <Button size="large" onClick={chooseLater}>
          <IconCalendarClock size={22} stroke={1.8} aria-hidden />
          {t('booking.book_later')}
        </Button>
      </div>
    </div>
  )
}

interface Props {
  value: string
  /** The field has just appeared because the user asked for it, so it takes the focus. */
  focused: boolean
  /** The time that the booking has: it may be too near to choose, but no one has chosen it now. */
  kept?: string
  onChange: (value: string) => void
}

/** The time of a Book Later trip on the city's clock, with its time zone. */
export function WhenField({ value, focused, kept = '', onChange }: Props) {
  const { t } = useText()
  const { timezone, region } = useSettings()
  const earliest = toCityTime(earliestTrip(serverNow()), timezone)
  const isNew = value !== '' && value !== kept
  const refusal = isNew ? laterTimeRefusal(fromCityTime(value, timezone), serverNow()) : null
  return (
    <TextField
      type="datetime-local"
      name="tripdate"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for this field
      autoFocus={focused}
      dir="ltr"
      label={t('booking.when')}
      hint={t('booking.when_hint', { city: region.name || timezone, zone: timezone.replaceAll('_', ' ') })}
      min={earliest}
      max={toCityTime(serverNow() + bookLaterLimitMs, timezone)}
      step={300}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={refusal && t(`error.${refusal}`)}
    />
  )
}
