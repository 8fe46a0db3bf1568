import type { BookingView } from '@hansom/contract/bookings'
import { drivingStatuses, isOneOf } from '@hansom/domain/bookings/status'
import type { LatLng } from '@hansom/domain/geo/point'
import { alarmShownMs, tripEndOf } from '@hansom/domain/safety/event'
import { useEffect, useState } from 'react'
import { serverNow } from '../../lib/clock.ts'
import { useLive } from '../../lib/live.ts'
import { useSettings } from '../../lib/settings.ts'
import { partOnDemand } from '../../ui/lazy-part.tsx'
import type { SafetyView } from './safety-panel.tsx'

const SafetyPanel = partOnDemand('safety', async () => (await import('./safety-panel.tsx')).SafetyPanel)

/** Those of a trip that has lost its driver. */
const leftStatuses = ['NEW', 'CANCELLED'] as const

interface Props {
  view: SafetyView & Pick<BookingView, 'viewer' | 'driver' | 'trip_end_time' | 'closed_at'>
  /** The position of this device, if the page follows it. */
  own?: LatLng | null
  isBrief?: boolean
}

/**
 * Question, alarm and panic button of a trip, for its rider and its driver; also for a day after its end: ending or cancelling a
 * trip, or taking its driver off it, must not take them away from someone in the car.
 */
export function TripSafety({ view, own, isBrief = false }: Props) {
  const { viewer, driver, status } = view
  const isDriven = isOneOf(drivingStatuses, status)
  const [leftAt, setLeftAt] = useState<number | null>(null)
  useEffect(() => {
    if (isDriven) return () => setLeftAt(serverNow())
  }, [isDriven])
  const { category, panic } = useSettings()
  const mayBeLeft = viewer === 'rider' && driver === null && category === 'taxi' && panic
  const { data } = useLive('safety', mayBeLeft && isOneOf(leftStatuses, status) ? view.id : null)
  const endedAt = (driver === null ? null : tripEndOf(view)) ?? leftAt ?? data?.left_at ?? null
  const isShown = isDriven || (endedAt !== null && serverNow() - endedAt < alarmShownMs)
  if ((viewer !== 'rider' && viewer !== 'driver') || !isShown) return null
  return <SafetyPanel view={view} own={own ?? null} endedAt={isDriven ? null : endedAt} isBrief={isBrief} />
}
