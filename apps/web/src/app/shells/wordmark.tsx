import { useSettings } from '../../lib/settings.ts'
import classes from './wordmark.module.css'

/** The logo (a cab's wheel and its lamp) with the app's name. */
export function Wordmark() {
  const { appName } = useSettings()
  return (
    <span className={classes.wordmark}>
      <svg viewBox="0 0 32 32" width="30" height="30" aria-hidden>
        <circle cx="14" cy="18" r="11" fill="none" stroke="currentColor" strokeWidth="3" />
        <path
          d="M14 7v22M3 18h22M6.2 10.2l15.6 15.6M21.8 10.2 6.2 25.8"
          stroke="currentColor"
          strokeWidth="1.5"
          opacity="0.55"
        />
        <circle cx="14" cy="18" r="3" fill="currentColor" />
        <circle cx="26" cy="6.5" r="4.5" fill="var(--h-accent)" />
      </svg>
      <bdi>{appName}</bdi>
    </span>
  )
}
