import type { BookingView } from '@hansom/contract/bookings'
import { IconStarFilled } from '@tabler/icons-react'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import classes from './rate-trip.module.css'

/** The rider's rating (1 to 5) with the comment; to the rider with thanks, to driver and admin with the rider's name. */
export function RatedTrip({ view, rating }: { view: BookingView; rating: number }) {
  const { t } = useText()
  return (
    <section className={classes.rate}>
      <span className={classes.stars} role="img" aria-label={t('trip.rated_stars', { count: rating })}>
        {Array.from({ length: 5 }, (_, index) => (
          <IconStarFilled key={index} size={22} data-on={index < rating || undefined} aria-hidden />
        ))}
      </span>
      {view.feedback ? (
        <p className={classes.said} dir="auto">
          “{view.feedback}”
        </p>
      ) : null}
      <p role="status">
        {view.viewer === 'rider'
          ? t('trip.rated_thanks')
          : t('trip.rated_by', { rider: isolated(view.customer_name ?? '') })}
      </p>
    </section>
  )
}
