import type { LatLng } from '@hansom/domain/geo/point'
import { IconCurrentLocation, IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react'
import type { MapLibreEvent, MapMouseEvent } from 'maplibre-gl'
import { Fragment, type ReactNode, useMemo, useState } from 'react'
import { useText } from '../lib/i18n.ts'
import { useSettings } from '../lib/settings.ts'
import { creditsOf, MapThemeContext, useBaseMap } from './base-map.ts'
import { type Bounds, type CameraPadding, cityBounds } from './camera.ts'
import { FitCamera } from './fit-camera.tsx'
import classes from './map.module.css'
import { MapLibreMap, useMap } from './map-renderer.ts'

/** Leaves space for pins above their points and for the controls on the right. */
const defaultPadding: CameraPadding = { top: 72, right: 84, bottom: 56, left: 72 }

export interface CityMapProps {
  /** Initial view if there is nothing to fit; the city around the region's center by default. */
  bounds?: Bounds
  /** Points the camera keeps in view until the user moves the map. */
  fit: LatLng[]
  /** When it changes, the camera frames `fit` and follows it again. */
  fitKey: string
  /** Label of the button that frames `fit`. */
  fitLabel?: string
  /** Called when that button is pressed. */
  onFit?: () => void
  padding?: CameraPadding
  /** Called on a click on the map itself. */
  onClick?: (point: LatLng) => void
  /** Called if the base map cannot be loaded. */
  onFail: () => void
  children?: ReactNode
}

/** The city map: base map, camera, controls and attribution. Overlays are its children. */
export default function CityMap({
  bounds,
  fit,
  fitKey,
  fitLabel,
  onFit,
  padding = defaultPadding,
  onClick,
  onFail,
  children,
}: CityMapProps) {
  const { t, language } = useText()
  const { region, mapServices } = useSettings()
  const base = useBaseMap(onFail)
  const credits = creditsOf(base, mapServices)
  const [moved, setMoved] = useState<string | null>(null)
  const following = moved !== fitKey
  const leave = (event: MapLibreEvent & { originalEvent?: unknown }) => {
    if (event.originalEvent) setMoved(fitKey)
  }
  const locale = useMemo(() => ({ 'Map.Title': t('map.canvas') }), [t])
  return (
    // The map is always laid out left to right; only its texts set their own direction.
    <div className={classes.map} dir="ltr" style={{ colorScheme: base.theme }}>
      <MapLibreMap
        key={`${language.langLocale} ${base.isOutside}`}
        mapStyle={base.style}
        locale={locale}
        initialViewState={{
          bounds: bounds ?? cityBounds(region.center, region.bounds),
          fitBoundsOptions: { padding: 24 },
        }}
        minZoom={base.isOutside ? 2 : 8}
        maxZoom={18.5}
        maxPitch={0}
        dragRotate={false}
        touchPitch={false}
        pitchWithRotate={false}
        attributionControl={
          // An outside style names its sources, with the links that their licences require.
          base.isOutsideStyle ? { compact: false, customAttribution: credits } : false
        }
        transformRequest={(url) => ({ url: new URL(url, location.href).href })}
        onMoveStart={leave}
        onClick={(event: MapMouseEvent) => onClick?.({ lat: event.lngLat.lat, lng: event.lngLat.lng })}
        onError={base.onError}
        onStyleData={base.onStyleData}
        onSourceData={base.onSourceData}
        onLoad={({ target }) => target.touchZoomRotate.disableRotation()}
      >
        <MapThemeContext value={base.theme}>{children}</MapThemeContext>
        <FitCamera points={fit} fitKey={fitKey} padding={padding} following={following} />
        <MapControls
          canFit={fit.length > 0}
          following={following}
          onFit={() => {
            setMoved(null)
            onFit?.()
          }}
          {...(fitLabel ? { fitLabel } : {})}
        />
        {base.isOutsideStyle ? null : <MapAttribution credits={credits} isOwn={!base.isOutside} />}
      </MapLibreMap>
    </div>
  )
}

const copyrightPage = 'https://www.openstreetmap.org/copyright'

/** Map data attribution; `isOwn`: of our own map. The licence requires it, so it is never collapsed. */
function MapAttribution({ credits, isOwn }: { credits: string[]; isOwn: boolean }) {
  const { t } = useText()
  const text = [...(isOwn ? [t('map.attribution')] : []), ...credits].map((credit, at) => (
    <Fragment key={credit}>
      {at > 0 ? ' · ' : null}
      <bdi translate="no">{credit}</bdi>
    </Fragment>
  ))
  if (!isOwn)
    return (
      <span dir="auto" className={classes.attribution}>
        {text}
      </span>
    )
  return (
    <a dir="auto" className={classes.attribution} href={copyrightPage} target="_blank" rel="noreferrer">
      {text}
    </a>
  )
}

/** Zoom, locate and "show all" buttons with accessible names. */
function MapControls({
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
      <output className={classes.readOut}>{locating === 'refused' ? t('map.locate_refused') : ''}</output>
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
