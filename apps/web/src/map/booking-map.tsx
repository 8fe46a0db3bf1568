import { decodePolyline } from '@hansom/domain/geo/polyline'
import { lazy, useMemo } from 'react'
import { useText } from '../lib/i18n.ts'
import type { BookingMapProps } from './booking-map-layers.tsx'
import { MapFrame } from './map-frame.tsx'

const BookingMapLayers = lazy(() => import('./booking-map-layers.tsx'))

/** The map next to the booking form. The map library loads after this module. */
export default function BookingMap({ routePolyline, ...props }: BookingMapProps) {
  const { t } = useText()
  const route = useMemo(() => (routePolyline ? decodePolyline(routePolyline) : []), [routePolyline])
  const items = [
    ...(props.pickup ? [{ id: 'pickup', label: t('map.pickup'), detail: props.pickup.add }] : []),
    ...(props.drop ? [{ id: 'drop', label: t('map.drop'), detail: props.drop.add }] : []),
    ...(props.drops ?? []).flatMap(({ point }, index) =>
      point && index > 0
        ? [{ id: `stop-${index}`, label: t('delivery.stop', { number: index + 1 }), detail: point.add }]
        : [],
    ),
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
