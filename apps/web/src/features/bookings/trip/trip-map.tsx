import type { BookingView } from '@hansom/contract/bookings'
import { lazy } from 'react'
import { useServerNow } from '../../../lib/clock.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { MapFrame } from '../../../map/map-frame.tsx'
import type { SeenCar } from './use-tracked-car.ts'

const TripMapLayers = lazy(() => import('./trip-map-layers.tsx'))

/** The trip on the map, and its text alternative. */
export function TripMap({ view, car }: { view: BookingView; car: SeenCar | null }) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow()
  const seen = car ? t('trip.seen', { when: format.relative(car.point.at, now) }) : ''
  const items = [
    { id: 'pickup', label: t('map.pickup'), detail: view.pickupAddress },
    { id: 'drop', label: t('map.drop'), detail: view.dropAddress },
    {
      id: 'way',
      label: t('trip.way'),
      detail: t('trip.way_of', {
        distance: format.distance(view.distance ?? view.estimateDistance),
        time: format.duration(view.total_trip_time ?? view.estimateTime),
      }),
    },
    ...(car ? [{ id: 'car', label: t('trip.car'), detail: seen }] : []),
  ]
  return (
    <MapFrame
      label={t('trip.map')}
      items={items}
      render={(onFail) => (
        <TripMapLayers view={view} car={car} stale={car?.seenAt ? seen : null} onFail={onFail} />
      )}
    />
  )
}
