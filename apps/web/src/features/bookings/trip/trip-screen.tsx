import { ApiError } from '@hansom/client/api-error'
import { newerView } from '@hansom/client/live-topics'
import type { BookingView } from '@hansom/contract/bookings'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, useEffect } from 'react'
import { type SeenCar, useTrackedCar } from '../../../entities/bookings/tracked-car.ts'
import { orpc } from '../../../lib/api.ts'
import { useServerNow } from '../../../lib/clock.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useLive } from '../../../lib/live.ts'
import { MapFrame } from '../../../map/map-frame.tsx'
import { announce } from '../../../ui/announcer.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { MapWithSheet } from '../../../ui/map-with-sheet.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../ui/page-states.tsx'
import type { TripDialogs } from './trip-dialogs.ts'
import classes from './trip-panel.module.css'
import { TripPanel } from './trip-panel.tsx'

/** The live trip: everything about one booking, from the search for a driver to the receipt. */
export function TripScreen({ dialogs }: { dialogs: TripDialogs }) {
  const { id } = useParams({ from: '/app/trip/$id' })
  return <TripPage key={id} id={id} dialogs={dialogs} />
}

function TripPage({ id, dialogs }: { id: string; dialogs: TripDialogs }) {
  const { t } = useText()
  const trip = useTrip(id)
  const { view } = trip
  const car = useTrackedCar(view)
  useFollowRebooking(view)
  if (!view) return <TripAbsent trip={trip} />
  return (
    <div className={classes.page}>
      <MapWithSheet label={t('trip.panel')} map={<TripMap view={view} car={car} />}>
        <TripPanel view={view} car={car} current={trip.current} asOf={trip.asOf} dialogs={dialogs} />
      </MapWithSheet>
    </div>
  )
}

function TripAbsent({ trip: { error, retry } }: { trip: Trip }) {
  const { t } = useText()
  if (!error) {
    return (
      <div className={classes.page}>
        <MapWithSheet label={t('trip.panel')} map={null}>
          <div className={classes.panel}>
            <LoadingState rows={5} height="72px" />
          </div>
        </MapWithSheet>
      </div>
    )
  }
  if (error.status === 404 || error.status === 400) {
    return (
      <EmptyState
        heading="h1"
        title={t('trip.not_found')}
        action={
          <Link to="/bookings" className={buttonClass({ variant: 'primary' })}>
            {t('trip.to_bookings')}
          </Link>
        }
      >
        {t('trip.not_found_text')}
      </EmptyState>
    )
  }
  return <ErrorState error={error} onRetry={retry} />
}

/** The current view of a trip, and how current it is. */
interface Trip {
  view: BookingView | undefined
  /** Why the trip could not be loaded; null while loading or loaded. */
  error: ApiError | null
  /** False while reconnecting: the view is the last known one, from `asOf` (device clock, ms). */
  current: boolean
  asOf: number
  retry: () => void
}

const withdrawn: readonly string[] = ['not_found', 'forbidden']

/**
 * Follows one booking over HTTP and live; the newer version always wins. A viewer who loses access (a driver whose request
 * was accepted by another) sees that immediately.
 */
function useTrip(id: string): Trip {
  const live = useLive('booking', id)
  const query = useQuery(orpc.bookings.get.queryOptions({ input: { id } }))
  const known = live.data && live.data.id === id ? newerView(query.data, live.data) : query.data
  const isWithdrawn = live.error !== null && withdrawn.includes(live.error)
  const view = isWithdrawn ? undefined : known
  const failure = query.error instanceof ApiError ? query.error : null
  return {
    view,
    error: view ? null : isWithdrawn ? new ApiError('not_found', 404) : failure,
    current: live.current,
    asOf: query.dataUpdatedAt,
    retry: () => void query.refetch(),
  }
}

/** After a driver gives the trip back, the rider's page continues with the booking that replaced it. */
function useFollowRebooking(view: BookingView | undefined): void {
  const { t } = useText()
  const navigate = useNavigate()
  const next = view?.viewer === 'rider' ? view.rebooked_as : null
  useEffect(() => {
    if (!next) return
    announce(t('trip.following'))
    void navigate({ to: '/trip/$id', params: { id: next }, replace: true })
  }, [next, navigate, t])
}

const TripMapLayers = lazy(async () => ({ default: (await import('./trip-map.tsx')).TripMapLayers }))

/** The trip on the map, and its text alternative. */
function TripMap({ view, car }: { view: BookingView; car: SeenCar | null }) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow()
  const seen = car ? t('trip.seen', { when: format.ago(car.point.at, now) }) : ''
  const items = [
    { id: 'pickup', label: t('map.pickup'), detail: view.pickupAddress },
    ...(view.delivery && view.delivery.stops.length > 2
      ? view.delivery.stops.flatMap(({ n, kind, place }) =>
          kind === 'drop'
            ? [{ id: `stop-${n}`, label: t('delivery.stop', { number: n }), detail: place.add }]
            : [],
        )
      : [{ id: 'drop', label: t('map.drop'), detail: view.dropAddress }]),
    {
      id: 'way',
      label: t('trip.route'),
      detail: t('trip.distance_and_time', {
        distance: format.distance(view.distance ?? view.estimateDistance),
        time: format.duration(view.total_trip_time ?? view.estimateTime),
      }),
    },
    ...(car ? [{ id: 'car', label: t('trip.car'), detail: seen }] : []),
  ]
  return (
    <MapFrame
      label={t('trip.map')}
      items={items}
      render={(onFail) => (
        <TripMapLayers view={view} car={car} stale={car?.seenAt ? seen : null} onFail={onFail} />
      )}
    />
  )
}
