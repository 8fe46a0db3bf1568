import { IconMapPin } from '@tabler/icons-react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import classes from './dashboard.module.css'
import type { LocationState } from './use-location.ts'

/** Tells the user that their location is unknown, and how to allow it. */
export function LocationNotice({ state, onAsk }: { state: LocationState; onAsk: () => void }) {
  const { t } = useText()
  if (state !== 'asked' && state !== 'refused') return null
  return (
    <div className={classes.location} role="status">
      <IconMapPin size={20} stroke={1.7} aria-hidden />
      <span>{t(state === 'asked' ? 'dashboard.allow_location' : 'dashboard.location_refused')}</span>
      {state === 'asked' ? (
        <Button size="small" onClick={onAsk}>
          {t('dashboard.allow')}
        </Button>
      ) : null}
    </div>
  )
}
