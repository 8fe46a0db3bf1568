import { greatCircleKm, type LatLng } from '../geo/point.ts'
import type { SparseCosts } from './assign.ts'
import { batchDrivers } from './batch.ts'

/** The same numbers in every run, from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Riders and drivers around two centers of a city, and the driving times from the 20 nearest, s. */
export function randomCity(riders: number, drivers: number, seed: number) {
  const random = randomFrom(seed)
  const place = (): LatLng => {
    const isCenter = random() < 0.4
    const spread = isCenter ? 0.03 : 0.14
    return { lat: -34.88 + (random() - 0.5) * spread, lng: -56.17 + (random() - 0.5) * spread }
  }
  const places = Array.from({ length: drivers }, place)
  const start = new Uint32Array(riders + 1)
  const nearest = Array.from({ length: riders }, () => {
    const pickup = place()
    return places
      .map((at, column) => ({ column, km: greatCircleKm(at, pickup) }))
      .sort((a, b) => a.km - b.km)
      .slice(0, batchDrivers)
      .map(({ column, km }) => ({ column, cost: Math.round(30 + km * (120 + 90 * random())) }))
  })
  for (const [row, list] of nearest.entries()) start[row + 1] = (start[row] as number) + list.length
  const costs: SparseCosts = {
    start,
    column: Uint32Array.from(nearest.flat(), ({ column }) => column),
    cost: Float64Array.from(nearest.flat(), ({ cost }) => cost),
    columns: drivers,
  }
  const unmatched = Float64Array.from({ length: riders }, () => 3600 + Math.round(600 * random()))
  return { costs, unmatched }
}
