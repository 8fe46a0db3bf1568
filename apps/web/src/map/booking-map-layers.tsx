import type { NearbyCar } from '@hansom/contract/tracking'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { LatLng } from '@hansom/domain/geo/point'
import { useEffect } from 'react'
import { useText } from '../lib/i18n.ts'
import { Button } from '../ui/button.tsx'
import type { CameraPadding } from './camera.ts'
import CityMap from './city-map.tsx'
import classes from './map.module.css'
import { useMap } from './map-renderer.ts'
import { NearbyCarsLayer } from './nearby-cars-layer.tsx'
import { type PinKind, PinLayer, PinShape } from './pin-layer.tsx'
import { RouteLayer, WalkingLeg } from './route-layer.tsx'

const ends = ['drop', 'pickup'] as const

/** The layers of the booking map. */
export default function BookingMapLayers({
  pickup,
  drop,
  drops = [],
  route,
  cars,
  picking,
  onPick,
  bounds,
  padding,
  onFail,
}: Omit<BookingMapProps, 'routePolyline'> & { route: LatLng[]; onFail: () => void }) {
  const points = { pickup, drop }
  const more = drops.slice(1).map(({ point }) => point)
  const set = [pickup, drop, ...more].filter((point) => point !== null)
  const fit = route.length > 0 ? [...set, ...route] : set
  // The camera stays put while a pin is set on the map.
  const fitKey = picking ? 'picking' : set.map(({ lat, lng }) => `${lat},${lng}`).join(' ') + route.length
  return (
    <CityMap
      bounds={bounds}
      fit={picking ? [] : fit}
      fitKey={fitKey}
      {...(padding ? { padding } : {})}
      onClick={(point) => picking && onPick(point, picking)}
      onFail={onFail}
    >
      {pickup ? <WalkingLeg place={pickup} street={route[0]} /> : null}
      {drop && more.length === 0 ? <WalkingLeg place={drop} street={route.at(-1)} /> : null}
      <RouteLayer path={route} />
      {picking ? null : <NearbyCarsLayer cars={cars} />}
      {ends.map((kind) => {
        const point = points[kind]
        if (!point || picking === kind) return null
        return (
          <PinLayer
            key={kind}
            kind={kind}
            number={kind === 'drop' && more.length > 0 ? 1 : undefined}
            point={point}
            address={point.add}
            onMove={(moved) => onPick(moved, kind)}
          />
        )
      })}
      {more.map((point, index) =>
        point ? (
          <PinLayer
            key={`${index} ${point.lat} ${point.lng}`}
            kind="drop"
            number={index + 2}
            point={point}
            address={point.add}
          />
        ) : null,
      )}
      {picking ? <PickPoint kind={picking} onPick={(point) => onPick(point, picking)} /> : null}
    </CityMap>
  )
}

/** Closer than this, houses can be told apart. */
const streetZoom = 15.5

/** "Set on map": the map moves under a fixed pin by dragging or arrow keys; the button confirms the point. */
function PickPoint({ kind, onPick }: { kind: PinKind; onPick: (point: LatLng) => void }) {
  const { t, language } = useText()
  const { current: map } = useMap()
  useEffect(() => {
    if (map && map.getZoom() < streetZoom)
      map.flyTo({ zoom: streetZoom, duration: 600 }, { originalEvent: 'pick' })
  }, [map])
  const take = () => {
    if (!map) return
    const { lat, lng } = map.getCenter()
    onPick({ lat, lng })
  }
  return (
    <>
      <span className={classes.crosshair} data-kind={kind} aria-hidden="true">
        <PinShape kind={kind} />
      </span>
      <div className={classes.pickBar} dir={language.direction}>
        <p id="map-pick-hint">{t('map.pick_hint')}</p>
        <Button variant="primary" wide onClick={take} aria-describedby="map-pick-hint">
          {t(`map.pick_${kind}`)}
        </Button>
      </div>
    </>
  )
}

export interface BookingMapProps {
  pickup: PlacePoint | null
  drop: PlacePoint | null
  /** The drops of a delivery; the first one's place is `drop`. */
  drops?: readonly { point: PlacePoint | null }[] | undefined
  /** Encoded polyline, precision 5. */
  routePolyline: string | null
  cars: NearbyCar[]
  /** The point being set on the map. */
  picking: PinKind | null
  /** Called when a point was set or a pin moved. */
  onPick: (point: LatLng, which: PinKind) => void
  /** Initial view: [west, south, east, north]. */
  bounds: [number, number, number, number]
  padding?: CameraPadding
}
