import type { BookingView } from '@hansom/contract/bookings'
import { drivingStatuses, isOneOf } from '@hansom/domain/bookings/status'
import type { LatLng } from '@hansom/domain/geo/point'
import { partOnDemand } from '../../ui/lazy-part.tsx'

const SafetyPanel = partOnDemand('safety', async () => (await import('./safety-panel.tsx')).SafetyPanel)

interface Props {
  view: Pick<BookingView, 'id' | 'status' | 'viewer'>
  /** The position of this device, if the page follows it. */
  own?: LatLng | null
}

/** Question, alarm and panic button of a trip in progress, for its rider and its driver. */
export function TripSafety({ view, own }: Props) {
  if ((view.viewer !== 'rider' && view.viewer !== 'driver') || !isOneOf(drivingStatuses, view.status))
    return null
  return <SafetyPanel view={view} own={own ?? null} />
}
