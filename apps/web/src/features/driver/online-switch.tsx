import type { DriverState } from '@hansom/contract/tracking'
import { useText } from '../../lib/i18n.ts'
import { ErrorMessage } from '../../ui/error-message.tsx'
import classes from './driver.module.css'
import type { Locating } from './watch-fixes.ts'

interface Props {
  state: DriverState
  locating: Locating
  busy: boolean
  error: unknown
  onChange: (online: boolean) => void
}

/** The switch that is always in sight, and in words why no request can come. */
export function OnlineSwitch({ state, locating, busy, error, onChange }: Props) {
  const { t } = useText()
  const online = state.driverActiveStatus
  const reasons = online ? state.blocked.filter((reason) => reason !== 'offline' && reason !== 'busy') : []
  const seen = reasons.filter(
    (reason) => reason !== 'no_location' || (locating !== 'asking' && locating !== 'live'),
  )
  return (
    <section className={classes.online} aria-label={t('driver.online_label')}>
      <button
        type="button"
        role="switch"
        aria-checked={online}
        aria-busy={busy || undefined}
        className={classes.switch}
        onClick={() => (busy ? undefined : onChange(!online))}
      >
        <span className={classes.switchText}>
          <strong>{t(online ? 'driver.online' : 'driver.offline')}</strong>
          <span>{t(online ? 'driver.online_hint' : 'driver.offline_hint')}</span>
        </span>
        <span className={classes.track} aria-hidden>
          <span className={classes.thumb} />
        </span>
      </button>
      {online && locating === 'refused' ? (
        <p className={classes.warning}>{t('driver.location_refused')}</p>
      ) : null}
      {online && locating === 'lost' ? <p className={classes.warning}>{t('driver.location_lost')}</p> : null}
      {seen.map((reason) => (
        <p key={reason} className={classes.warning}>
          {t(`driver.blocked_${reason}`)}
        </p>
      ))}
      {error ? (
        <p className={classes.warning} role="alert">
          <ErrorMessage error={error} />
        </p>
      ) : null}
    </section>
  )
}
