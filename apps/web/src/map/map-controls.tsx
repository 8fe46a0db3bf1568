import { IconCurrentLocation, IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import classes from './map.module.css'
import { useMap } from './map-renderer.ts'

/** Zoom, locate and "show all" buttons with accessible names. */
export function MapControls({
  canFit,
  following,
  onFit,
  fitLabel,
}: {
  canFit: boolean
  following: boolean
  onFit: () => void
  fitLabel?: string
}) {
  const { t } = useText()
  const { current: map } = useMap()
  const [locating, setLocating] = useState<'idle' | 'busy' | 'refused'>('idle')
  const locate = () => {
    setLocating('busy')
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        setLocating('idle')
        // `originalEvent` marks the move as the user's, so that the camera does not move back immediately.
        map?.flyTo({ center: [coords.longitude, coords.latitude], zoom: 16 }, { originalEvent: 'locate' })
      },
      () => setLocating('refused'),
      { enableHighAccuracy: true, timeout: 10_000, maximumAge: 30_000 },
    )
  }
  return (
    <div className={classes.controls}>
      {canFit && !following ? (
        <Control label={fitLabel ?? t('map.fit')} onClick={onFit}>
          <IconFocusCentered size={20} aria-hidden="true" />
        </Control>
      ) : null}
      {'geolocation' in navigator ? (
        <Control label={t('map.locate')} onClick={locate} busy={locating === 'busy'}>
          <IconCurrentLocation size={20} aria-hidden="true" />
        </Control>
      ) : null}
      <div className={classes.controlGroup}>
        <Control label={t('map.zoom_in')} onClick={() => map?.zoomIn()}>
          <IconPlus size={20} aria-hidden="true" />
        </Control>
        <Control label={t('map.zoom_out')} onClick={() => map?.zoomOut()}>
          <IconMinus size={20} aria-hidden="true" />
        </Control>
      </div>
      <span className={classes.readOut} role="status">
        {locating === 'refused' ? t('map.locate_refused') : ''}
      </span>
    </div>
  )
}

function Control({
  label,
  onClick,
  busy = false,
  children,
}: {
  label: string
  onClick: () => void
  busy?: boolean
  children: ReactNode
}) {
  return (
    <button
      type="button"
      className={classes.control}
      onClick={onClick}
      aria-label={label}
      title={label}
      aria-busy={busy}
    >
      {children}
    </button>
  )
}
