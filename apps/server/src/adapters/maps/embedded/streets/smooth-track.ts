import { thin } from '@hansom/domain/fare/track'
import { deviationOf, isAccurate } from '@hansom/domain/geo/accuracy'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { GpsPoint } from '../../port.ts'

/** A position of a car and its standard deviation in meters; `at` in seconds. */
export interface Fix extends LatLng {
  at: number
  sigma: number
}

/** No car is faster, in m/s: a position that requires it is wrong. */
const fastest = 70
/** More positions than one a second add little; devices report slightly more often than they are asked to. */
const leastSeconds = 0.9
/** Of a longer track, only this many positions count, evenly spread. */
const mostFixes = 4_000
/** Smoothed positions that count are at least this many meters apart, or two standard deviations. */
const leastApart = 20

/** How much cars accelerate, brake and turn between two positions, in m/s², as a standard deviation. */
const acceleration = 1.5
/** Speeds at the start are unknown: this variance, in (m/s)², covers any. */
const speedVariance = 400

/** Position and speed on one axis, */
interface Motion {
  x: number
  v: number
}

/** and their covariance. */
interface State extends Motion {
  xx: number
  xv: number
  vv: number
}

/** In order of time, accurate enough, not faster than any car and at most `mostFixes`; smoothed and apart. */
export function usableFixes(points: readonly GpsPoint[]): Fix[] {
  const measured: Fix[] = []
  for (const { lat, lng, at, accuracy } of points.toSorted((a, b) => a.at - b.at)) {
    if (!(Math.abs(lat) <= 85 && Math.abs(lng) <= 180 && isAccurate(accuracy))) continue
    const fix = { lat, lng, at: at / 1000, sigma: deviationOf(accuracy) }
    const last = measured.at(-1)
    const seconds = last ? fix.at - last.at : leastSeconds
    const metres = last ? greatCircleKm(last, fix) * 1000 : 0
    if (seconds >= leastSeconds && metres <= fastest * seconds + 3 * fix.sigma) measured.push(fix)
  }
  // Thinned by distance only after smoothing: before it, the noise would decide which positions remain.
  const smooth = smoothTrack(thin(measured, mostFixes))
  const kept: Fix[] = []
  for (const [index, fix] of smooth.entries()) {
    const last = kept.at(-1)
    const isApart = !last || greatCircleKm(last, fix) * 1000 >= Math.max(leastApart, 2 * fix.sigma)
    if (!isApart && index < smooth.length - 1) continue
    if (!isApart && kept.length > 1) kept.pop()
    kept.push(fix)
  }
  return kept
}

/**
 * Estimates each position from all of them: a Kalman filter for nearly constant velocity and the backward pass of
 * Rauch, Tung and Striebel (1965), for each axis. Noise that is independent between positions becomes much smaller. The
 * noise of receivers also drifts over tens of seconds, which smoothing cannot remove: `sigma` remains that of the device.
 */
function smoothTrack(fixes: readonly Fix[]): Fix[] {
  const [origin] = fixes
  if (!origin) return []
  const metresPerDegree = 111_195
  const shrink = Math.cos((origin.lat * Math.PI) / 180)
  const axis = (value: (fix: Fix) => number) => smoothAxis(fixes, value)
  const north = axis(({ lat }) => (lat - origin.lat) * metresPerDegree)
  const east = axis(({ lng }) => (lng - origin.lng) * metresPerDegree * shrink)
  return fixes.map((fix, at) => {
    const [y, x] = [north[at] as number, east[at] as number]
    return {
      ...fix,
      lat: origin.lat + y / metresPerDegree,
      lng: origin.lng + x / metresPerDegree / shrink,
    }
  })
}

/** The smoothed values. */
function smoothAxis(fixes: readonly Fix[], value: (fix: Fix) => number): number[] {
  const filtered: State[] = []
  const predicted: State[] = []
  fixes.forEach((fix, at) => {
    const variance = fix.sigma ** 2
    const before = filtered[at - 1]
    const guess = before
      ? predict(before, fix.at - (fixes[at - 1] as Fix).at)
      : { x: value(fix), v: 0, xx: variance, xv: 0, vv: speedVariance }
    predicted.push(guess)
    if (!before) return filtered.push(guess)
    const gainX = guess.xx / (guess.xx + variance)
    const gainV = guess.xv / (guess.xx + variance)
    const off = value(fix) - guess.x
    return filtered.push({
      x: guess.x + gainX * off,
      v: guess.v + gainV * off,
      xx: (1 - gainX) * guess.xx,
      xv: (1 - gainX) * guess.xv,
      vv: guess.vv - gainV * guess.xv,
    })
  })
  const smoothed: Motion[] = filtered.slice()
  for (let at = fixes.length - 2; at >= 0; at--) {
    const seconds = (fixes[at + 1] as Fix).at - (fixes[at] as Fix).at
    smoothed[at] = correct(
      filtered[at] as State,
      predicted[at + 1] as State,
      smoothed[at + 1] as Motion,
      seconds,
    )
  }
  return smoothed.map(({ x }) => x)
}

function predict({ x, v, xx, xv, vv }: State, seconds: number): State {
  const q = acceleration ** 2
  return {
    x: x + v * seconds,
    v,
    xx: xx + 2 * seconds * xv + seconds ** 2 * vv + (q * seconds ** 4) / 4,
    xv: xv + seconds * vv + (q * seconds ** 3) / 2,
    vv: vv + q * seconds ** 2,
  }
}

/** Corrects a filtered state by the smoothed state after it. */
function correct(state: State, predicted: State, after: Motion, seconds: number): Motion {
  // The gain is the covariance of the two states times the inverse of the predicted covariance.
  const determinant = predicted.xx * predicted.vv - predicted.xv ** 2
  if (!(determinant > 1e-9)) return state
  const off = { x: after.x - predicted.x, v: after.v - predicted.v }
  const change = (a: number, b: number) =>
    ((a * predicted.vv - b * predicted.xv) * off.x + (b * predicted.xx - a * predicted.xv) * off.v) /
    determinant
  return {
    x: state.x + change(state.xx + seconds * state.xv, state.xv),
    v: state.v + change(state.xv + seconds * state.vv, state.vv),
  }
}
