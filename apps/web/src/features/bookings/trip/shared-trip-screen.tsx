import { ApiError } from '@hansom/client/api-error'
import type { SharedParcelView, SharedTripView } from '@hansom/contract/trip-links'
import { sharedStatuses } from '@hansom/domain/access/shared-trip'
import { isOneOf } from '@hansom/domain/bookings/status'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { lazy } from 'react'
import { arrivalAt, isStale } from '../../../entities/bookings/tracked-car.ts'
import { CarTypeName } from '../../../entities/car-types/car-type-name.tsx'
import { orpc } from '../../../lib/api.ts'
import { serverSpeed, useServerNow } from '../../../lib/clock.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { MapFrame } from '../../../map/map-frame.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { MapWithSheet } from '../../../ui/map-with-sheet.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../ui/page-states.tsx'
import { Arrival } from './arrival-time.tsx'
import { Car, Places } from './partner-card.tsx'
import { isComing, RecipientPanel } from './recipient-panel.tsx'
import classes from './trip-panel.module.css'

const SharedTripLayers = lazy(async () => ({ default: (await import('./trip-map.tsx')).SharedTripLayers }))
const ParcelLayers = lazy(async () => ({ default: (await import('./trip-map.tsx')).ParcelLayers }))

/** Polling interval for the car's position, ms. */
const refreshMs = 4_000

/** A shared trip, without sign-in: the car, its destination and arrival time. */
export function SharedTripScreen() {
  const { t } = useText()
  const { token } = useParams({ from: '/public/track/$token' })
  const trip = useQuery({
    ...orpc.tripLinks.show.queryOptions({ input: { token } }),
    refetchInterval: ({ state }) => (isOver(state.error) ? false : refreshMs),
    retry: (_count, error) => !isOver(error),
  })
  if (isOver(trip.error)) {
    return (
      <div>
        <EmptyState
          heading="h1"
          title={t('trip.shared_over')}
          action={
            <Link to="/" className={buttonClass({ variant: 'primary' })}>
              {t('common.home')}
            </Link>
          }
        >
          {t('trip.shared_over_text')}
        </EmptyState>
      </div>
    )
  }
  if (!trip.data) {
    return (
      <div>
        {trip.error ? (
          <ErrorState error={trip.error} onRetry={() => void trip.refetch()} />
        ) : (
          <LoadingState rows={5} height="72px" />
        )}
      </div>
    )
  }
  const { data: shared } = trip
  if (shared.parcel && !isComing(shared.parcel)) {
    return (
      <div className={classes.ended}>
        <RecipientPanel token={token} parcel={shared.parcel} />
      </div>
    )
  }
  return (
    <div className={classes.page}>
      {shared.parcel ? (
        <MapWithSheet label={t('recipient.parcel')} map={<ParcelMap view={shared} />}>
          <RecipientPanel token={token} parcel={shared.parcel} />
        </MapWithSheet>
      ) : (
        <MapWithSheet label={t('trip.shared_panel')} map={<SharedTripMap trip={shared} />}>
          <SharedTripPanel trip={shared} />
        </MapWithSheet>
      )}
    </div>
  )
}

const isOver = (error: unknown) => error instanceof ApiError && error.key === 'link_expired'

function SharedTripPanel({ trip }: { trip: SharedTripView }) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow(1000)
  const seen = trip.point && isStale(trip.point.at, now, serverSpeed()) ? trip.point.at : null
  const status = isOneOf(sharedStatuses, trip.status) ? trip.status : 'STARTED'
  return (
    <div className={classes.panel} data-status={trip.status}>
      <header className={classes.head}>
        <p className={classes.eyebrow}>
          <CarTypeName stored={trip.carType} />
        </p>
        <h1 className={classes.line} aria-live="polite">
          {t(`trip.shared_${status}`, { drop: isolated(trip.drop.add) })}
        </h1>
        <Arrival at={arrivalAt(trip, trip.point, now)} now={now} toPickup={trip.status === 'ACCEPTED'} />
        {seen === null ? null : (
          <p className={classes.asOf}>{t('trip.seen', { when: format.ago(seen, now) })}</p>
        )}
      </header>
      {trip.vehicle_number ? <Car view={trip} /> : null}
      <Places view={placesOf(trip)} />
      <p className={classes.next}>{t('trip.shared_note')}</p>
    </div>
  )
}

function SharedTripMap({ trip }: { trip: SharedTripView }) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow()
  const seen = trip.point ? t('trip.seen', { when: format.ago(trip.point.at, now) }) : ''
  const isOld = trip.point !== null && isStale(trip.point.at, now, serverSpeed())
  const items = [
    { id: 'pickup', label: t('map.pickup'), detail: trip.pickup.add },
    { id: 'drop', label: t('map.drop'), detail: trip.drop.add },
    ...(trip.point ? [{ id: 'car', label: t('trip.car'), detail: seen }] : []),
  ]
  return (
    <MapFrame
      label={t('trip.map')}
      items={items}
      render={(onFail) => <SharedTripLayers trip={trip} stale={isOld ? seen : null} onFail={onFail} />}
    />
  )
}

/** The recipient's address, and the courier on the way to it. */
function ParcelMap({ view }: { view: SharedParcelView }) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow()
  const { point, parcel } = view
  const seen = point ? t('trip.seen', { when: format.ago(point.at, now) }) : ''
  const isOld = point !== null && isStale(point.at, now, serverSpeed())
  const items = [
    ...(parcel.place ? [{ id: 'drop', label: t('recipient.address'), detail: parcel.place.add }] : []),
    ...(point ? [{ id: 'car', label: t('trip.car'), detail: seen }] : []),
  ]
  return (
    <MapFrame
      label={t('trip.map')}
      items={items}
      render={(onFail) => <ParcelLayers view={view} stale={isOld ? seen : null} onFail={onFail} />}
    />
  )
}

function placesOf({ pickup, drop }: SharedTripView) {
  return { pickupAddress: pickup.add, dropAddress: drop.add, trip_end_time: null, viewer: null }
}
