import { mayOpen } from '@hansom/domain/access/screens'
import { Link } from '@tanstack/react-router'
import { useText } from '../lib/i18n.ts'
import { useMe } from '../lib/session.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/page-states.tsx'
import { usePageTitle } from '../ui/use-page-title.ts'
import { openTrips } from './open-trips.ts'
import classes from './page-fallbacks.module.css'

/** Shown for a page that is not kept, without a connection: links to those that are. */
export function OfflinePage({ onRetry }: { onRetry: () => void }) {
  const { t } = useText()
  const role = useMe()?.usertype ?? null
  usePageTitle(t('common.offline_title'))
  return (
    <EmptyState
      heading="h1"
      title={t('common.offline_title')}
      action={
        <nav className={classes.links} aria-label={t('common.offline_title')}>
          {openTrips().map(({ id, booking_id }) => (
            <Link key={id} to="/trip/$id" params={{ id }} className={buttonClass({ variant: 'primary' })}>
              {t('common.offline_trip', { booking_id })}
            </Link>
          ))}
          {mayOpen('/bookings', role) ? (
            <Link to="/bookings" className={buttonClass()}>
              {t('common.nav_bookings')}
            </Link>
          ) : null}
          {mayOpen('/wallet', role) ? (
            <Link to="/wallet" className={buttonClass()}>
              {t('menu.wallet')}
            </Link>
          ) : null}
          <Button variant="quiet" onClick={onRetry}>
            {t('common.retry')}
          </Button>
        </nav>
      }
    >
      {t(role === null ? 'common.offline' : 'common.offline_page')}
    </EmptyState>
  )
}
