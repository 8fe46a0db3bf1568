import { fromCityUnit } from '../geo/distance-unit.ts'
import { greatCircleKm, type LatLng } from '../geo/point.ts'
import type { Settings } from '../settings/settings.ts'
import {
  type Candidate,
  type Considered,
  considered,
  costS,
  type DecisionReason,
  mayAwaitDriver,
  type StrategyFigures,
} from './strategies.ts'

/** The settings that shape dispatch. */
export type DispatchSettings = Pick<Settings, 'driverRadius' | 'convert_to_mile'> & {
  dispatch: StrategyFigures
}

/** The drivers to ask next; `wait` when a driver about to finish is the best; or none when all have been asked. */
export type WavePlan = { considered(): Considered } & (
  | { kind: 'ask'; wave: number; radiusKm: number; drivers: string[]; next_at: number }
  /** `awaited`: the driver about to finish, or null when the drivers left are asked for other trips. */
  | { kind: 'wait'; until: number; awaited: string | null }
  | { kind: 'none' }
)

export interface WaveState {
  pickup: LatLng
  /** Number of waves so far. */
  wave: number
  /** All drivers asked so far, whether or not the request is still active. */
  asked: ReadonlySet<string> | readonly string[]
  excluded: ReadonlySet<string> | readonly string[]
  now: number
  /** How long the rider has waited for a driver, s. */
  waitedS?: number
}

/** Most drivers of a broadcast: more would only read that the trip is taken. */
export const mostBroadcast = 100
/** Pause before the drivers are looked at again, s. */
const retryS = 5

/** Radius of the `wave`th wave (from 1), in km: each reaches half as far again, up to driverRadius. */
export function waveRadiusKm(wave: number, settings: DispatchSettings): number {
  const { driverRadius, dispatch, convert_to_mile } = settings
  if (dispatch.strategy !== 'waves') return searchRadiusKm(settings)
  const radius = Math.min(driverRadius, dispatch.firstRadius * 1.5 ** (wave - 1))
  return fromCityUnit(radius, convert_to_mile)
}

/** The maximum distance to a driver who is asked, in km. */
export function searchRadiusKm(settings: Pick<Settings, 'driverRadius' | 'convert_to_mile'>): number {
  return fromCityUnit(settings.driverRadius, settings.convert_to_mile)
}

/** The most drivers that are asked at once. */
export function waveLimit({ strategy, waveSize }: StrategyFigures): number {
  if (strategy === 'broadcast') return mostBroadcast
  return strategy === 'waves' ? waveSize : 1
}

/**
 * Plans the next wave: the drivers with the least cost within its radius who were not asked before, as many as the
 * strategy asks at once. The radius is a great-circle distance, the order is by driving time. A wave without drivers is
 * skipped immediately; at the full radius waves continue until no driver is left, then the result is `none`. Drivers who
 * are about to finish a trip are not asked but awaited: where one driver is asked at a time, if none is there sooner,
 * otherwise if no one else is left. Candidates may be unsorted and farther away.
 */
export function planWave(
  state: WaveState,
  candidates: readonly Candidate[],
  settings: DispatchSettings,
): WavePlan {
  const { dispatch } = settings
  const asked = new Set(state.asked)
  const excluded = new Set(state.excluded)
  const farthest = searchRadiusKm(settings)
  const isOut = ({ id, excluded: reason }: Candidate) =>
    reason !== undefined || asked.has(id) || excluded.has(id)
  const ranked = candidates
    .filter((driver) => !isOut(driver))
    .map((driver) => ({
      ...driver,
      km: greatCircleKm(state.pickup, driver.location),
      cost: costS(driver, dispatch),
    }))
    .filter(({ km }) => km <= farthest)
    .sort((a, b) => a.cost - b.cost || a.km - b.km || (a.id < b.id ? -1 : 1))
  const [ready, soon] = [ranked.filter(isFree), ranked.filter((driver) => !isFree(driver))]
  const explain = (drivers: readonly string[], radiusKm: number) => () =>
    considered(state.pickup, candidates, (driver, km): DecisionReason => {
      if (driver.excluded) return driver.excluded
      if (excluded.has(driver.id)) return 'declined'
      if (asked.has(driver.id)) return 'asked_before'
      if (drivers.includes(driver.id)) return 'offered'
      if (km > radiusKm) return 'beyond_radius'
      return isFree(driver) ? 'sooner_first' : 'not_free_yet'
    })

  // The requests that keep them from being asked here expire soon.
  const isAskedElsewhere = candidates.some(
    ({ id, excluded: reason, location }) =>
      reason === 'other_request' &&
      !asked.has(id) &&
      !excluded.has(id) &&
      greatCircleKm(state.pickup, location) <= farthest,
  )
  const pause = (pauseS: number, awaited: string | null): WavePlan => ({
    kind: 'wait',
    until: state.now + Math.min(pauseS, retryS) * 1000,
    awaited,
    considered: explain([], farthest),
  })
  const best = soon[0]
  const mayWait = best !== undefined && mayAwaitDriver(state.waitedS ?? 0, dispatch)
  const isAwaited = dispatch.strategy === 'nearest' && (ready[0]?.cost ?? Infinity) > (best?.cost ?? Infinity)
  if (mayWait && (ready.length === 0 || isAwaited)) return pause(best.freeS ?? 0, best.id)
  if (ready.length === 0 && isAskedElsewhere) return pause(retryS, null)
  for (let wave = state.wave + 1; ; wave++) {
    const radiusKm = waveRadiusKm(wave, settings)
    const drivers = ready
      .filter((driver) => driver.km <= radiusKm)
      .slice(0, waveLimit(dispatch))
      .map((driver) => driver.id)
    if (drivers.length > 0) {
      const next_at = state.now + dispatch.waveSeconds * 1000
      return { kind: 'ask', wave, radiusKm, drivers, next_at, considered: explain(drivers, radiusKm) }
    }
    if (radiusKm >= farthest || !(dispatch.firstRadius > 0))
      return { kind: 'none', considered: explain([], farthest) }
  }
}

const isFree = ({ freeS = 0 }: Candidate) => freeS === 0
