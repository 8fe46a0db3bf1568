import type { BookingView } from '@hansom/contract/bookings'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import classes from './places.module.css'

/** From where to where, and how far that is. */
export function Places({ view }: { view: BookingView }) {
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
      <p className={classes.wayLength}>
        {t('trip.way_of', {
          distance: format.distance(view.distance ?? view.estimateDistance),
          time: format.duration(view.total_trip_time ?? view.estimateTime),
        })}
      </p>
    </section>
  )
}

/** After the end the place is no plan any more: it is where the trip really ended. */
function dropKey({ trip_end_time, viewer }: BookingView): string {
  if (trip_end_time === null) return 'map.drop'
  return viewer === 'rider' ? 'trip.dropped_at' : 'trip.ended_at'
}
