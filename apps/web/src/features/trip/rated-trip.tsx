import { IconStarFilled } from '@tabler/icons-react'
import { useText } from '../../lib/i18n.ts'
import classes from './rate-trip.module.css'

/** The rider's own rating (1 to 5), with thanks. */
export function RatedTrip({ rating }: { rating: number }) {
  const { t } = useText()
  return (
    <section className={classes.rate}>
      <span className={classes.stars} role="img" aria-label={t('trip.rated_stars', { count: rating })}>
        {Array.from({ length: 5 }, (_, index) => (
          <IconStarFilled key={index} size={22} data-on={index < rating || undefined} aria-hidden />
        ))}
      </span>
      <p role="status">{t('trip.rated_thanks')}</p>
    </section>
  )
}
