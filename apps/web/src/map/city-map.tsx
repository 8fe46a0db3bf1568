import type { LatLng } from '@hansom/domain/geo/point'
import type { ErrorEvent, MapLibreEvent, MapMouseEvent } from 'maplibre-gl'
import { type ReactNode, useMemo, useState } from 'react'
import { useColorScheme } from '../lib/color-scheme.ts'
import { useText } from '../lib/i18n.ts'
import type { CameraPadding } from './camera.ts'
import { citySource } from './city-source.ts'
import { FitCamera } from './fit-camera.tsx'
import { MapAttribution } from './map-attribution.tsx'
import { MapControls } from './map-controls.tsx'
import { MapLibreMap } from './map-renderer.ts'
import classes from './map.module.css'
import { cityStyle } from './style.ts'

const tileJsonUrl = '/api/v1/tiles.json'
/** Pins stand above their point, and the controls take the right edge. */
const roomy: CameraPadding = { top: 72, right: 84, bottom: 56, left: 72 }

export interface CityMapProps {
  /** Where the map opens when there is nothing to fit: [west, south, east, north]. */
  bounds: [number, number, number, number]
  /** Where it opens instead; the camera then follows nothing until the person asks for it. */
  opening?: { center: LatLng; zoom: number }
  /** What the camera keeps in view, until the person moves the map. */
  fit: LatLng[]
  /** A change of it frames `fit` anew and lets the camera follow again. */
  fitKey: string
  /** What the button that frames `fit` says. */
  fitLabel?: string
  padding?: CameraPadding
  /** A click on the map itself. */
  onClick?: (point: LatLng) => void
  /** The base map could not be loaded. */
  onFail: () => void
  children?: ReactNode
}

/** The city: base map, camera, controls and attribution. What lies on it are its children. */
export default function CityMap({
  bounds,
  opening,
  fit,
  fitKey,
  fitLabel,
  padding = roomy,
  onClick,
  onFail,
  children,
}: CityMapProps) {
  const { t, language } = useText()
  const theme = useColorScheme()
  const mapStyle = useMemo(() => cityStyle(theme, new URL(tileJsonUrl, location.href).href), [theme])
  const [moved, setMoved] = useState<string | null>(opening ? fitKey : null)
  const following = moved !== fitKey
  const leave = (event: MapLibreEvent & { originalEvent?: unknown }) => {
    if (event.originalEvent) setMoved(fitKey)
  }
  const locale = useMemo(() => ({ 'Map.Title': t('map.canvas') }), [t])
  return (
    // The map is the same in every language; only its words change direction.
    <div className={classes.map} dir="ltr">
      <MapLibreMap
        key={language.langLocale}
        mapStyle={mapStyle}
        locale={locale}
        initialViewState={
          opening
            ? { longitude: opening.center.lng, latitude: opening.center.lat, zoom: opening.zoom }
            : { bounds, fitBoundsOptions: { padding: 24 } }
        }
        minZoom={9}
        maxZoom={18.5}
        maxPitch={0}
        dragRotate={false}
        touchPitch={false}
        pitchWithRotate={false}
        attributionControl={false}
        transformRequest={(url) => ({ url: new URL(url, location.href).href })}
        onMoveStart={leave}
        onClick={(event: MapMouseEvent) => onClick?.({ lat: event.lngLat.lat, lng: event.lngLat.lng })}
        onError={(event) => {
          if (isBaseFailure(event)) onFail()
        }}
        onLoad={({ target }) => target.touchZoomRotate.disableRotation()}
      >
        {children}
        <FitCamera points={fit} fitKey={fitKey} padding={padding} following={following} />
        <MapControls
          canFit={fit.length > 0}
          following={following}
          onFit={() => setMoved(null)}
          {...(fitLabel ? { fitLabel } : {})}
        />
        <MapAttribution />
      </MapLibreMap>
    </div>
  )
}

/** The description of the tiles could not be had; a single missing tile is no failure. */
function isBaseFailure(event: ErrorEvent & { sourceId?: string; tile?: unknown }): boolean {
  return event.sourceId === citySource && event.tile === undefined
}
