import type { LatLng } from '@hansom/domain/geo/point'
import { CarLayer } from '../../map/car-layer.tsx'
import CityMap from '../../map/city-map.tsx'

/** The last known position of an alarm. `stale` is its time. */
export default function AlarmMap({
  point,
  stale,
  onFail,
}: {
  point: LatLng
  stale: string
  onFail: () => void
}) {
  return (
    <CityMap fit={[point]} fitKey={`${point.lat} ${point.lng}`} onFail={onFail}>
      <CarLayer car={{ ...point, stale }} />
    </CityMap>
  )
}
