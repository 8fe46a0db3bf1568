import { Link, useParams } from '@tanstack/react-router'
import { useText } from '../../../lib/i18n.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { MapWithSheet } from '../../../ui/map-with-sheet.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../../ui/page-states.tsx'
import classes from './trip-panel.module.css'
import { TripMap } from './trip-map.tsx'
import { TripPanel } from './trip-panel.tsx'
import { useFollowRebooking } from './use-follow-rebooking.ts'
import { useTrackedCar } from './use-tracked-car.ts'
import type { TripDialogs } from './trip-dialogs.ts'
import { type Trip, useTrip } from './use-trip.ts'

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
