import { fromCityUnit } from '../geo/distance-unit.ts'
import { greatCircleKm, type LatLng } from '../geo/point.ts'
import type { Settings } from '../settings/settings.ts'

/** The settings that shape dispatch. */
export type DispatchSettings = Pick<Settings, 'driverRadius' | 'convert_to_mile' | 'dispatch'>

/** A driver who may be asked, already found to be able to serve the booking. */
export interface Candidate {
  id: string
  location: LatLng
}

/** Who is asked next, or that everybody was. */
export type WavePlan =
  | { kind: 'ask'; wave: number; radiusKm: number; drivers: string[]; next_at: number }
  | { kind: 'none' }

export interface WaveState {
  pickup: LatLng
  /** Waves asked so far. */
  wave: number
  /** Everybody asked so far, whether or not the request still stands. */
  asked: ReadonlySet<string> | readonly string[]
  excluded: ReadonlySet<string> | readonly string[]
  now: number
}

/** How far the `wave`th wave (from 1) reaches, in km: each reaches half as far again, up to driverRadius. */
export function waveRadiusKm(wave: number, settings: DispatchSettings): number {
  const { driverRadius, dispatch, convert_to_mile } = settings
  const radius = Math.min(driverRadius, dispatch.firstRadius * 1.5 ** (wave - 1))
  return fromCityUnit(radius, convert_to_mile)
}

/** The farthest a driver is asked from, in km. */
export function searchRadiusKm(settings: Pick<Settings, 'driverRadius' | 'convert_to_mile'>): number {
  return fromCityUnit(settings.driverRadius, settings.convert_to_mile)
}

/**
 * Plans the next wave: the nearest drivers not asked before, at most `waveSize`. A wave that would ask nobody is
 * skipped at once; at the full radius waves go on until nobody is left, then the answer is `none`. Candidates
 * may come in any order and from farther away.
 */
export function planWave(
  state: WaveState,
  candidates: readonly Candidate[],
  settings: DispatchSettings,
): WavePlan {
  const asked = new Set(state.asked)
  const excluded = new Set(state.excluded)
  const ranked = rankByDistance(
    state.pickup,
    candidates.filter((driver) => !asked.has(driver.id) && !excluded.has(driver.id)),
  )
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

/** Candidates with their distance from a point, nearest first; equal distances in the order of their ids. */
export function rankByDistance<C extends Candidate>(
  from: LatLng,
  candidates: readonly C[],
): (C & { km: number })[] {
  return candidates
    .map((candidate) => ({ ...candidate, km: greatCircleKm(from, candidate.location) }))
    .sort((a, b) => a.km - b.km || (a.id < b.id ? -1 : 1))
}
