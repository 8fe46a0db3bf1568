import { lazy } from 'react'
import { useText } from '../../lib/i18n.ts'
import { MapFrame } from '../../map/map-frame.tsx'
import type { DriverMapProps } from './driver-map-layers.tsx'

const DriverMapLayers = lazy(() => import('./driver-map-layers.tsx'))

/** The driver's position and destination; text where no map can be drawn. */
export function DriverMap(props: DriverMapProps) {
  const { t } = useText()
  const { trip } = props
  const items = trip
    ? [
        { id: 'pickup', label: t('map.pickup'), detail: trip.pickupAddress },
        { id: 'drop', label: t('map.drop'), detail: trip.dropAddress },
      ]
    : []
  return (
    <MapFrame
      label={t('driver.map')}
      items={items}
      render={(onFail) => <DriverMapLayers {...props} onFail={onFail} />}
    />
  )
}
