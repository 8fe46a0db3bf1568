import { IconBellRinging, IconShare2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useDeviceNow } from '../../lib/clock.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { useStoredState } from '../../lib/use-stored-state.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { enablePush, usePushState } from './push.ts'
import classes from './push-card.module.css'

interface Dismissed {
  uid: string
  times: number
  at: number
}

const isDismissed = (value: unknown): value is Dismissed | null =>
  value === null || (typeof value === 'object' && 'uid' in value && 'times' in value && 'at' in value)

/** After “Not now” the card returns after this time, ms; after the second time never. */
const pauseMs = 14 * 86_400_000

/**
 * Offers notifications where they help at once: during a trip, and to a driver who waits for requests. Nothing where they are on
 * or impossible.
 */
export function PushCard({ reason }: { reason: 'trip' | 'requests' }) {
  const { t } = useText()
  const uid = useMe()?.uid ?? ''
  const state = usePushState()
  const [dismissed, setDismissed] = useStoredState<Dismissed | null>('hansom-push-later', null, isDismissed)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const now = useDeviceNow(60_000)
  const own = dismissed?.uid === uid ? dismissed : null
  const isPaused = own !== null && (own.times > 1 || now - own.at < pauseMs)
  if ((state !== 'off' && state !== 'install_first') || isPaused) return null
  const enable = async () => {
    setBusy(true)
    setError(null)
    try {
      if ((await enablePush()) === 'on') announce(t('push.is_on'))
    } catch (problem) {
      setError(problem)
    } finally {
      setBusy(false)
    }
  }
  const Icon = state === 'off' ? IconBellRinging : IconShare2
  return (
    <section className={classes.card} aria-label={t('push.offer')}>
      <Icon size={22} stroke={1.7} className={classes.icon} aria-hidden />
      <div className={classes.words}>
        <p className={classes.title}>{t(`push.${reason}_title`)}</p>
        <p className={classes.text}>{t(state === 'off' ? `push.${reason}_text` : 'push.install_text')}</p>
        {error ? <ErrorMessage error={error} /> : null}
        <div className={classes.actions}>
          {state === 'off' ? (
            <Button size="small" busy={busy} onClick={() => void enable()}>
              {t('push.turn_on')}
            </Button>
          ) : null}
          <Button
            variant="quiet"
            size="small"
            onClick={() => setDismissed({ uid, times: (own?.times ?? 0) + 1, at: Date.now() })}
          >
            {t('push.later')}
          </Button>
        </div>
      </div>
    </section>
  )
}
