import { hasTripUnderWay } from '@hansom/domain/bookings/under-way'
import { useConnection, useLive } from '../../lib/live.ts'

/**
 * Whether one of the person's own trips is under way; undefined until that is heard. Nobody is kept waiting for a line
 * that is lost, or for an answer that was refused: no trip is known of then.
 */
export function useTripUnderWay(): boolean | undefined {
  const { data, error } = useLive('bookings')
  const isGood = useConnection() === 'good'
  if (data === undefined && error === null && isGood) return undefined
  return hasTripUnderWay(data ?? [])
}
