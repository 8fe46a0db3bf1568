import type { LatLng } from '@hansom/domain/geo/point'
import { IconX } from '@tabler/icons-react'
import { memo, type ReactNode, useEffect, useMemo, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useFormat } from '../lib/format.ts'
import { useText } from '../lib/i18n.ts'
import { useMedia } from '../lib/use-media.ts'
import { Ltr } from '../ui/ltr.tsx'
import { useAnimatedPosition } from './animate-position.ts'
import { CarIcon } from './car-layer.tsx'
import { ClusterMarker, clusterPoints, streetZoom } from './cluster.tsx'
import classes from './fleet-map.module.css'
import { type MapView, useMapView, useMarker } from './map-renderer.ts'

/** Below this zoom, neighboring streets are only a few px apart. */
const nearZoom = 12.5

/** A driver as shown on the fleet map. */
export interface FleetCar extends LatLng {
  id: string
  bearing: number | null
  name: string
  vehicleNumber: string | null
  carType: string | null
  /** The URL of the car type's picture. */
  carImage: string | null
  /** On a trip. */
  busy: boolean
}

export interface FleetMapProps {
  cars: readonly FleetCar[]
  selected: string | null
  /** More about the selected car, at the end of its card. */
  details?: ((car: FleetCar) => ReactNode) | undefined
  onSelect: (id: string | null) => void
}

/** On a map this narrow, cars overlap sooner. */
const narrowMap = '(max-width: 640px)'

/**
 * How many cars are drawn one by one, by zoom and width of the map. The limit at street zoom keeps the work of a frame, in
 * which each of them glides, within 8 ms.
 */
function singleLimit(zoom: number, isNarrow: boolean): number {
  if (zoom >= streetZoom) return isNarrow ? 40 : 80
  if (zoom >= nearZoom) return isNarrow ? 12 : 40
  return isNarrow ? 6 : 24
}
/** Cars stay clustered until there are this many times fewer than the limit, so that one car does not change all. */
const lessToSplit = 0.75

function isIn({ lat, lng }: FleetCar, { west, east, south, north }: MapView): boolean {
  return lng >= west && lng <= east && lat >= south && lat <= north
}

/**
 * Every car in view with the icon of its type; cars that would overlap are clustered, and a click opens a cluster. The
 * selected car is never in a cluster and shows its details.
 */
export function FleetLayer({ cars, selected, details, onSelect }: FleetMapProps) {
  const { t } = useText()
  const format = useFormat()
  const view = useMapView()
  const isNarrow = useMedia(narrowMap)
  const wasCrowded = useRef(false)
  const far = view !== null && view.zoom < nearZoom
  const chosen = cars.find(({ id }) => id === selected)
  const gathered = useMemo(() => {
    if (!view) return []
    const inView = cars.filter((car) => car.id !== selected && isIn(car, view))
    const limit = singleLimit(view.zoom, isNarrow)
    wasCrowded.current = inView.length > (wasCrowded.current ? limit * lessToSplit : limit)
    return clusterPoints(inView, view.zoom, wasCrowded.current ? 0 : inView.length)
  }, [cars, selected, view, isNarrow])
  return (
    <>
      {gathered.map((one) => {
        const [car] = one.members
        if (car && one.members.length === 1)
          return <CarMarker key={car.id} car={car} far={far} onSelect={onSelect} />
        const free = one.members.filter(({ busy }) => !busy).length
        const label = t('map.heap', { count: one.members.length, free: format.number(free) })
        return <ClusterMarker key={one.key} heap={one} label={label} free={free} />
      })}
      {chosen ? <CarMarker key={chosen.id} car={chosen} chosen onSelect={onSelect} /> : null}
      {chosen ? (
        <FleetCard key={`card-${chosen.id}`} car={chosen} onClose={() => onSelect(null)}>
          {details?.(chosen)}
        </FleetCard>
      ) : null}
    </>
  )
}

interface MarkerProps {
  car: FleetCar
  chosen?: boolean
  /** Drawn small when zoomed out, so that fewer cars overlap. */
  far?: boolean
  onSelect: FleetMapProps['onSelect']
}

const CarMarker = memo(function CarMarker({ car, chosen = false, far = false, onSelect }: MarkerProps) {
  const { t } = useText()
  const { marker, element } = useMarker(car, { subpixelPositioning: true })
  useAnimatedPosition(marker, car, undefined, false)
  useEffect(() => {
    element.style.zIndex = chosen ? '3' : ''
  }, [element, chosen])
  const label = [car.name, car.vehicleNumber, t(car.busy ? 'map.car_busy' : 'map.car_free')]
  return createPortal(
    // Keyboard users have the list next to the map instead.
    <button
      type="button"
      tabIndex={-1}
      className={classes.car}
      data-busy={car.busy || undefined}
      data-far={far || undefined}
      aria-pressed={chosen}
      aria-label={label.filter(Boolean).join(', ')}
      onClick={(event) => {
        event.stopPropagation()
        onSelect(car.id)
      }}
    >
      {car.carImage ? <img src={car.carImage} alt="" width={30} height={30} /> : <CarIcon size={26} />}
    </button>,
    element,
  )
})

/** Space for the card above its car, px. */
const cardHeight = 190

/** Details of the selected car; moves along above it. The map moves if the card would be cut off. */
function FleetCard({ car, onClose, children }: { car: FleetCar; onClose: () => void; children: ReactNode }) {
  const { t, language } = useText()
  const { marker, element, map } = useMarker(car, { anchor: 'bottom', offset: [0, -28] })
  useEffect(() => {
    if (!map) return
    const { x, y } = map.project(marker.getLngLat())
    const { clientWidth } = map.getContainer()
    const half = element.offsetWidth / 2 + 8
    const right = Math.max(0, half - x) - Math.max(0, x + half - clientWidth)
    const down = Math.max(0, cardHeight - y)
    if (right !== 0 || down > 0) map.panBy([-right, -down], {}, { originalEvent: 'card' })
  }, [map, marker, element])
  useAnimatedPosition(marker, car, undefined, false)
  useEffect(() => {
    element.style.zIndex = '4'
  }, [element])
  return createPortal(
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- only keeps clicks from the map
    <div className={classes.card} dir={language.direction} onClick={(event) => event.stopPropagation()}>
      <div className={classes.words}>
        <strong>
          <bdi>{car.name}</bdi>
        </strong>
        {car.vehicleNumber ? (
          <span className={classes.plate}>
            <Ltr>{car.vehicleNumber}</Ltr>
          </span>
        ) : null}
        <span className={classes.detail}>
          {[car.carType, t(car.busy ? 'map.car_busy' : 'map.car_free')].filter(Boolean).join(' · ')}
        </span>
        {children}
      </div>
      <button
        type="button"
        className={classes.close}
        aria-label={t('common.close')}
        onClick={(event) => {
          event.stopPropagation()
          onClose()
        }}
      >
        <IconX size={16} aria-hidden />
      </button>
    </div>,
    element,
  )
}

/** What the borders of cars and clusters mean. */
export function FleetLegend() {
  const { t, language } = useText()
  return (
    <ul className={classes.legend} dir={language.direction} aria-hidden>
      <li>
        <span className={classes.sign} />
        {t('map.car_free')}
      </li>
      <li>
        <span className={classes.sign} data-busy />
        {t('map.car_busy')}
      </li>
    </ul>
  )
}
