import type { NearbyCar } from '@hansom/contract/tracking'
import { greatCircleKm } from '@hansom/domain/geo/point'

/** An anonymous car with a key that is stable across updates. */
export interface KeyedCar extends NearbyCar {
  key: number
}

/** Cars of the same type within this distance count as the same car. */
const sameCarKm = 0.4

/**
 * Free cars are anonymous. Gives each car the key of the nearest unclaimed car of the same type in the previous update,
 * or a new key, so that it can move smoothly instead of jumping. Nearest pairs are matched first.
 */
export function matchAnonymousCars(
  before: readonly KeyedCar[],
  now: readonly NearbyCar[],
  nextKey: number,
): KeyedCar[] {
  const pairs = now
    .flatMap((car, index) =>
      before
        .filter((old) => old.car_type_id === car.car_type_id)
        .map((old) => ({ index, key: old.key, km: greatCircleKm(old, car) })),
    )
    .filter(({ km }) => km <= sameCarKm)
    .sort((a, b) => a.km - b.km)
  const keyOf = new Map<number, number>()
  const taken = new Set<number>()
  for (const { index, key } of pairs) {
    if (keyOf.has(index) || taken.has(key)) continue
    keyOf.set(index, key)
    taken.add(key)
  }
  let fresh = nextKey
  return now.map((car, index) => ({ ...car, key: keyOf.get(index) ?? fresh++ }))
}
