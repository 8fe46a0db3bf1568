import type { NearbyCar } from '@hansom/contract/tracking'
import type { PlacePoint } from '@hansom/domain/booking/booking'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import type { LatLng } from '@hansom/domain/geo/point'
import { lazy, useMemo } from 'react'
import { useText } from '../lib/i18n.ts'
import type { CameraPadding } from './camera.ts'
import { MapFrame } from './map-frame.tsx'
import type { PinKind } from './pin-layer.tsx'

const BookingMapLayers = lazy(() => import('./booking-map-layers.tsx'))

export interface BookingMapProps {
  pickup: PlacePoint | null
  drop: PlacePoint | null
  /** Encoded polyline of precision 5. */
  routePolyline: string | null
  cars: NearbyCar[]
  /** Which point is being set on the map. */
  picking: PinKind | null
  /** A point was set, or a pin moved. */
  onPick: (point: LatLng, which: PinKind) => void
  /** Where the map opens: [west, south, east, north]. */
  bounds: [number, number, number, number]
  padding?: CameraPadding
}

/** The map beside the booking form. The map library itself arrives after this part. */
export default function BookingMap({ routePolyline, ...props }: BookingMapProps) {
  const { t } = useText()
  const route = useMemo(() => (routePolyline ? decodePolyline(routePolyline) : []), [routePolyline])
  const items = [
    ...(props.pickup ? [{ id: 'pickup', label: t('map.pickup'), detail: props.pickup.add }] : []),
    ...(props.drop ? [{ id: 'drop', label: t('map.drop'), detail: props.drop.add }] : []),
    { id: 'cars', label: t('map.cars_near', { count: props.cars.length }) },
  ]
  return (
    <MapFrame
      label={t('map.booking')}
      items={items}
      render={(onFail) => <BookingMapLayers {...props} route={route} onFail={onFail} />}
    />
  )
}
