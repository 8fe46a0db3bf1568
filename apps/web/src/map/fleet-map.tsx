import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { IconX } from '@tabler/icons-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../lib/i18n.ts'
import { Ltr } from '../ui/ltr.tsx'
import { useAnimatedPosition } from './animate-position.ts'
import { CarIcon } from './car-layer.tsx'
import CityMap from './city-map.tsx'
import { ClusterMarker, clusterPoints } from './cluster.tsx'
import classes from './fleet-map.module.css'
import { type MapView, useMap, useMapView, useMarker } from './map-renderer.ts'

/** Shown when no driver is online. */
const openingZoom = 11.5
/** Close enough to distinguish single cars. */
const carZoom = 14.5

/** The layers of the fleet map. */
export default function FleetMapLayers({
  cars,
  center,
  here,
  selected,
  focus,
  details,
  onSelect,
  onFail,
}: FleetMapProps & { onFail: () => void }) {
  const { t } = useText()
  const framed = useFramed(cars, here)
  return (
    <CityMap
      bounds={[center.lng, center.lat, center.lng, center.lat]}
      {...(cars.length === 0 ? { opening: { center: here ?? center, zoom: openingZoom } } : {})}
      fit={framed}
      fitKey={`${here ? 'here' : 'fleet'} ${cars.length > 0}`}
      fitLabel={t('map.fit_fleet')}
      onClick={() => onSelect(null)}
      onFail={onFail}
    >
      <FleetLayer cars={cars} selected={selected} details={details} onSelect={onSelect} />
      <Approach focus={focus} cars={cars} />
    </CityMap>
  )
}

/** Drivers within this distance count as around the user, km. */
const nearKm = 5

/** What the camera frames: all drivers, or those around the user. Positions are as first known, so that it rests. */
function useFramed(cars: readonly FleetCar[], here: LatLng | null): LatLng[] {
  const isEmpty = cars.length === 0
  return useMemo(() => {
    const near = here ? cars.filter((car) => greatCircleKm(here, car) <= nearKm) : []
    return (here ? [here, ...near] : cars).map(({ lat, lng }) => ({ lat, lng }))
  }, [isEmpty, here])
}

/** Flies to a car selected outside the map; afterwards the user controls the map again. */
function Approach({ focus, cars }: { focus: FleetFocus | null; cars: readonly FleetCar[] }) {
  const { current: map } = useMap()
  const known = useRef(cars)
  known.current = cars

  useEffect(() => {
    const car = known.current.find(({ id }) => id === focus?.id)
    if (!map || !car) return
    const zoom = Math.max(map.getZoom(), carZoom)
    // `originalEvent` marks the move as the user's, so that the camera does not move back immediately.
    map.flyTo({ center: [car.lng, car.lat], zoom, duration: 900 }, { originalEvent: 'choose' })
  }, [map, focus])
  return null
}

/** Below this zoom, neighboring streets are only a few px apart. */
const nearZoom = 12.5

interface Props {
  cars: readonly FleetCar[]
  selected: string | null
  details?: FleetMapProps['details']
  onSelect: (id: string | null) => void
}

function isIn({ lat, lng }: FleetCar, { west, east, south, north }: MapView): boolean {
  return lng >= west && lng <= east && lat >= south && lat <= north
}

/**
 * Every car with the icon of its type; more than a few hundred are clustered, and a click opens a cluster. The selected
 * car shows its details.
 */
function FleetLayer({ cars, selected, details, onSelect }: Props) {
  const { t } = useText()
  const view = useMapView()
  const far = view !== null && view.zoom < nearZoom
  const chosen = cars.find(({ id }) => id === selected)
  const gathered = useMemo(() => {
    if (!view) return []
    const others = cars.filter(({ id }) => id !== selected)
    // Clustered before cars out of view are dropped, so that a cluster does not change at the edge of the map.
    return clusterPoints(others, view.zoom).filter(({ members }) => members.some((car) => isIn(car, view)))
  }, [cars, selected, view])
  return (
    <>
      {gathered.map((one) => {
        const [car] = one.members
        return car && one.members.length === 1 ? (
          <CarMarker key={car.id} car={car} far={far} onSelect={onSelect} />
        ) : (
          <ClusterMarker key={one.key} heap={one} label={t('map.heap', { count: one.members.length })} />
        )
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
  onSelect: Props['onSelect']
}

function CarMarker({ car, chosen = false, far = false, onSelect }: MarkerProps) {
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
}

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

/** The car to fly to; a new object repeats the flight. */
export interface FleetFocus {
  id: string
}

export interface FleetMapProps {
  cars: readonly FleetCar[]
  /** Center of the map while no driver is online. */
  center: LatLng
  /** The user's location, if known. */
  here: LatLng | null
  selected: string | null
  focus: FleetFocus | null
  /** More about the selected car, at the end of its card. */
  details?: (car: FleetCar) => ReactNode
  onSelect: (id: string | null) => void
}
