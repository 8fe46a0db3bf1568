import { useEffect, useMemo } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../lib/i18n.ts'
import { CarIcon } from './car-icon.tsx'
import { clusterPoints } from './cluster.ts'
import { ClusterMarker } from './cluster-marker.tsx'
import { FleetCard } from './fleet-card.tsx'
import classes from './fleet-layer.module.css'
import type { FleetCar } from './fleet-map-props.ts'
import { useAnimatedPosition } from './use-animated-position.ts'
import { type MapView, useMapView } from './use-map-view.ts'
import { useMarker } from './use-marker.ts'

/** Below this zoom, neighboring streets are only a few px apart. */
const nearZoom = 12.5

interface Props {
  cars: readonly FleetCar[]
  selected: string | null
  onSelect: (id: string | null) => void
}

function isIn({ lat, lng }: FleetCar, { west, east, south, north }: MapView): boolean {
  return lng >= west && lng <= east && lat >= south && lat <= north
}

/**
 * Every car with the icon of its type; more than a few hundred are clustered, and a click opens a cluster. The selected
 * car shows its details.
 */
export function FleetLayer({ cars, selected, onSelect }: Props) {
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
      {chosen ? <FleetCard key={`card-${chosen.id}`} car={chosen} onClose={() => onSelect(null)} /> : null}
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
