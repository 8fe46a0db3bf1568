import { fromCityUnit } from '../geo/distance-unit.ts'
import { greatCircleKm, type LatLng } from '../geo/point.ts'
import type { Settings } from '../settings/settings.ts'

/** The settings that shape dispatch. */
export type DispatchSettings = Pick<Settings, 'driverRadius' | 'convert_to_mile'> & {
  dispatch: Omit<Settings['dispatch'], 'alarmAfter'>
}

/** An eligible driver who may be asked. `arrivalS` is the driving time to the pickup in seconds. */
export interface Candidate {
  id: string
  location: LatLng
  arrivalS: number
}

/** The drivers to ask next, or none when all have been asked. */
export type WavePlan =
  | { kind: 'ask'; wave: number; radiusKm: number; drivers: string[]; next_at: number }
  | { kind: 'none' }

export interface WaveState {
  pickup: LatLng
  /** Number of waves so far. */
  wave: number
  /** All drivers asked so far, whether or not the request is still active. */
  asked: ReadonlySet<string> | readonly string[]
  excluded: ReadonlySet<string> | readonly string[]
  now: number
}

/** Radius of the `wave`th wave (from 1), in km: each reaches half as far again, up to driverRadius. */
export function waveRadiusKm(wave: number, settings: DispatchSettings): number {
  const { driverRadius, dispatch, convert_to_mile } = settings
  const radius = Math.min(driverRadius, dispatch.firstRadius * 1.5 ** (wave - 1))
  return fromCityUnit(radius, convert_to_mile)
}

/** The maximum distance to a driver who is asked, in km. */
export function searchRadiusKm(settings: Pick<Settings, 'driverRadius' | 'convert_to_mile'>): number {
  return fromCityUnit(settings.driverRadius, settings.convert_to_mile)
}

/**
 * Plans the next wave: the soonest drivers within its radius who were not asked before, at most `waveSize`. The radius is
 * a great-circle distance, the order is by driving time. A wave without drivers is skipped immediately; at the full
 * radius waves continue until no driver is left, then the result is `none`. Candidates may be unsorted and farther away.
 */
export function planWave(
  state: WaveState,
  candidates: readonly Candidate[],
  settings: DispatchSettings,
): WavePlan {
  const asked = new Set(state.asked)
  const excluded = new Set(state.excluded)
  const ranked = candidates
    .filter((driver) => !asked.has(driver.id) && !excluded.has(driver.id))
    .map((driver) => ({ ...driver, km: greatCircleKm(state.pickup, driver.location) }))
    .sort((a, b) => a.arrivalS - b.arrivalS || a.km - b.km || (a.id < b.id ? -1 : 1))
  const farthest = searchRadiusKm(settings)
  for (let wave = state.wave + 1; ; wave++) {
    const radiusKm = waveRadiusKm(wave, settings)
    const drivers = ranked
      .filter((driver) => driver.km <= radiusKm)
      .slice(0, settings.dispatch.waveSize)
      .map((driver) => driver.id)
    if (drivers.length > 0) {
      return {
        kind: 'ask',
        wave,
        radiusKm,
        drivers,
        next_at: state.now + settings.dispatch.waveSeconds * 1000,
      }
    }
    if (radiusKm >= farthest || !(settings.dispatch.firstRadius > 0)) return { kind: 'none' }
  }
}
