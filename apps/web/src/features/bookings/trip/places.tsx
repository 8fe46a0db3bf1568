import type { BookingView } from '@hansom/contract/bookings'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import classes from './places.module.css'

type PlaceFields = Pick<BookingView, 'pickupAddress' | 'dropAddress' | 'trip_end_time'> & {
  /** Null for a viewer with the trip's link. */
  viewer: BookingView['viewer'] | null
}
type LengthFields = Pick<BookingView, 'distance' | 'estimateDistance' | 'total_trip_time' | 'estimateTime'>

/** Pickup, drop, and the distance if known. */
export function Places({ view }: { view: PlaceFields & Partial<LengthFields> }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <section className={classes.places} data-printed aria-label={t('trip.way')}>
      <dl>
        <div data-kind="pickup">
          <dt>{t('map.pickup')}</dt>
          <dd>{view.pickupAddress}</dd>
        </div>
        <div data-kind="drop">
          <dt>{t(dropKey(view))}</dt>
          <dd>{view.dropAddress}</dd>
        </div>
      </dl>
      {view.estimateDistance === undefined || view.estimateTime === undefined ? null : (
        <p className={classes.wayLength}>
          {t('trip.way_of', {
            distance: format.distance(view.distance ?? view.estimateDistance),
            time: format.duration(view.total_trip_time ?? view.estimateTime),
          })}
        </p>
      )}
    </section>
  )
}

/** After the end: the place where the trip really ended. */
function dropKey({ trip_end_time, viewer }: PlaceFields): TextKey {
  if (trip_end_time === null) return 'map.drop'
  return viewer === 'rider' ? 'trip.dropped_at' : 'trip.ended_at'
}
