import type { LatLng } from '../geo/point.ts'
import { assign } from './assign.ts'
import {
  type Candidate,
  type Considered,
  considered,
  costS,
  mayAwaitDriver,
  type StrategyFigures,
} from './strategies.ts'

/** Drivers compared for each rider of a batch: the nearest. */
export const batchDrivers = 20
/** What leaving a rider without a driver costs before ageing, s: this much more than the longest drive. */
const unmatchedS = 3600

/** A rider who waits for a driver in a batch. */
export interface BatchRider {
  booking: string
  pickup: LatLng
  /** How long the rider has waited, s. */
  waitedS: number
  figures: StrategyFigures
  /** The nearest drivers. */
  candidates: readonly Candidate[]
}

/** The driver to ask for a booking; `wait` for the next batch; or none when no driver could be asked now or soon. */
export type BatchMatch = { booking: string; considered(): Considered } & (
  | { kind: 'ask'; driver: string }
  | { kind: 'wait' | 'none'; driver: null }
)

/**
 * Matches riders with drivers so that the sum of the costs is least; each driver gets one rider. A rider who has waited
 * longer outweighs a longer drive, so that someone who always lies far from the drivers is served, too. A rider whose
 * best driver is still on a trip waits for the next batch.
 */
export function matchBatch(riders: readonly BatchRider[]): BatchMatch[] {
  const columnOf = new Map<string, number>()
  const pairs = riders.map(({ candidates, figures, waitedS }) => {
    const maySoon = mayAwaitDriver(waitedS, figures)
    return candidates.filter(({ excluded, freeS = 0 }) => excluded === undefined && (freeS === 0 || maySoon))
  })
  const start = new Uint32Array(riders.length + 1)
  for (const [row, list] of pairs.entries()) {
    start[row + 1] = (start[row] as number) + list.length
    for (const { id } of list) if (!columnOf.has(id)) columnOf.set(id, columnOf.size)
  }
  const all = pairs.flatMap((list, row) =>
    list.map((driver) => ({ driver, figures: (riders[row] as BatchRider).figures })),
  )
  const cost = Float64Array.from(all, ({ driver, figures }) => costS(driver, figures))
  const unmatched = cost.reduce((most, each) => Math.max(most, each), 0) + unmatchedS
  const columns = assign(
    {
      start,
      column: Uint32Array.from(all, ({ driver }) => columnOf.get(driver.id) as number),
      cost,
      columns: columnOf.size,
    },
    Float64Array.from(riders, ({ waitedS, figures }) => unmatched + (figures.ageing * waitedS) / 60),
  )
  const drivers = [...columnOf.keys()]
  const matched = new Set([...columns].flatMap((column) => (column < 0 ? [] : [drivers[column] as string])))
  return riders.map(({ booking, pickup, candidates }, row): BatchMatch => {
    const driver = drivers[columns[row] as number] ?? null
    const isReady = candidates.some(({ id, freeS = 0 }) => id === driver && freeS === 0)
    const mayServe =
      pairs[row]?.length !== 0 || candidates.some(({ excluded }) => excluded === 'other_request')
    const record = {
      booking,
      considered: () =>
        considered(pickup, candidates, ({ id, excluded, freeS = 0 }) => {
          if (excluded) return excluded
          if (freeS > 0) return 'not_free_yet'
          if (id === driver) return 'offered'
          return matched.has(id) ? 'other_rider' : 'sooner_first'
        }),
    }
    if (driver !== null && isReady) return { ...record, kind: 'ask', driver }
    return { ...record, kind: mayServe ? 'wait' : 'none', driver: null }
  })
}
