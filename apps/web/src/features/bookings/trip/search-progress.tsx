import { useText } from '../../../lib/i18n.ts'
import { useFormat } from '../../../lib/format.ts'
import classes from './search-progress.module.css'

/** A calm sign that drivers are being asked, and for how long already. Times are epoch ms. */
export function SearchProgress({ since, now }: { since: number; now: number }) {
  const { t } = useText()
  const format = useFormat()
  const seconds = Math.max(0, Math.floor((now - since) / 1000))
  return (
    <div className={classes.search}>
      <span className={classes.searchBar} aria-hidden="true" />
      <p>
        {seconds < 60
          ? t('trip.searching_seconds', { count: seconds })
          : t('trip.searching_since', { time: format.duration(seconds) })}
      </p>
    </div>
  )
}
