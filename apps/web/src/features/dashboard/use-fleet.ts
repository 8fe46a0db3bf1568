import { isOnFleetMap } from '@hansom/domain/users/eligibility'
import { useMemo } from 'react'
import { useServerNow } from '../../lib/clock.ts'
import { useLive } from '../../lib/live.ts'
import type { FleetCar } from '../../map/fleet-map-props.ts'

/** How often it is looked who has been silent for too long, ms. */
const lookMs = 30_000

/**
 * The active drivers as they move, by name, without those who are free and have not been heard of for long; undefined until they are
 * known. `error` is the key of a refusal.
 */
export function useFleet(): { cars: readonly FleetCar[] | undefined; error: string | null } {
  const { data, error } = useLive('fleet')
  const now = useServerNow(lookMs)
  const cars = useMemo(
    () =>
      data
        ?.filter((car) => isOnFleetMap(car, now))
        .map(({ uid, queue, ...car }): FleetCar => ({ ...car, id: uid, busy: queue }))
        .sort((a, b) => a.name.localeCompare(b.name)),
    [data, now],
  )
  return { cars, error }
}
