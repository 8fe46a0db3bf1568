import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { Ltr } from '../../../ui/ltr.tsx'
import classes from './trip-panel.module.css'

/** Minutes until the car arrives and the time of arrival. Times are epoch ms on the server's clock. */
export function Arrival({ at, now, toPickup }: { at: number | null; now: number; toPickup: boolean }) {
  const { t } = useText()
  const format = useFormat()
  if (at === null) return null
  const left = (at - now) / 1000
  return (
    <p className={classes.arrival}>
      <strong>
        {left < 30 ? (
          t(toPickup ? 'trip.any_moment' : 'trip.nearly_there')
        ) : (
          <bdi>{format.duration(left)}</bdi>
        )}
      </strong>
      <span>
        {t(toPickup ? 'trip.at_pickup_by' : 'trip.at_drop_by')} <Ltr>{format.clock(Math.max(at, now))}</Ltr>
      </span>
    </p>
  )
}
