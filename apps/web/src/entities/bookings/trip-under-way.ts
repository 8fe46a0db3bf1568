import { hasTripUnderWay } from '@hansom/domain/bookings/status'
import { useConnection, useLive } from '../../lib/live.ts'

/**
 * Whether the user has a trip under way; undefined while loading. If the connection is lost or the topic refused,
 * false, so that nothing waits for it.
 */
export function useTripUnderWay(): boolean | undefined {
  const { data, error } = useLive('bookings')
  const isGood = useConnection() === 'good'
  if (data === undefined && error === null && isGood) return undefined
  return hasTripUnderWay(data ?? [])
}
