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
  const isUnseen = locating === 'refused' || locating === 'lost'
  // Why there is no position is said by the words about it.
  const seen = reasons.filter((reason) => reason !== 'no_location' || locating === 'off')
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
          <span>{t(hintFor(state, isUnseen))}</span>
        </span>
        <span className={classes.track} aria-hidden>
          <span className={classes.thumb} />
        </span>
      </button>
      {online && isUnseen ? <p className={classes.warning}>{t(`driver.location_${locating}`)}</p> : null}
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

/** What the switch means at this moment. Somebody in debt still gets the requests that are not paid in cash. */
function hintFor({ driverActiveStatus, blocked }: DriverState, isUnseen: boolean): string {
  if (!driverActiveStatus) return 'driver.offline_hint'
  if (blocked.includes('busy')) return 'driver.blocked_busy'
  const isBlocked = isUnseen || blocked.some((reason) => reason !== 'debt' && reason !== 'no_location')
  return isBlocked ? 'driver.blocked_hint' : 'driver.online_hint'
}
