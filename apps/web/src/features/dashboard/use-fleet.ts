import { useMemo } from 'react'
import { useLive } from '../../lib/live.ts'
import type { FleetCar } from '../../map/fleet-map-props.ts'

/** The active drivers as they move, by name; undefined until they are known. `error` is the key of a refusal. */
export function useFleet(): { cars: readonly FleetCar[] | undefined; error: string | null } {
  const { data, error } = useLive('fleet')
  const cars = useMemo(
    () =>
      data
        ?.map(({ uid, queue, ...car }): FleetCar => ({ ...car, id: uid, busy: queue }))
        .sort((a, b) => a.name.localeCompare(b.name)),
    [data],
  )
  return { cars, error }
}
