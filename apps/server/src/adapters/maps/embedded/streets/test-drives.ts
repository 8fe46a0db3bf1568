import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { GpsPoint, Route } from '../../port.ts'

/** The same numbers in every run, from 0 to 1. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * The positions that a device reports on a route: one every two to five seconds at the route's average speed, with
 * normally distributed noise of `sigma` meters in both directions, independent of each other.
 */
export function drivenTrack(
  { polyline, distanceKm, durationS }: Route,
  sigma: number,
  random: () => number,
): GpsPoint[] {
  const kmPerS = distanceKm / durationS
  const points: GpsPoint[] = []
  for (let second = 0; second < durationS; second += 2 + 3 * random())
    points.push({
      ...noisy(pointAt(polyline, second * kmPerS), sigma, random),
      at: second * 1000,
      accuracy: sigma * Math.SQRT2,
    })
  const end = polyline.at(-1) as LatLng
  points.push({ ...noisy(end, sigma, random), at: durationS * 1000, accuracy: sigma * Math.SQRT2 })
  return points
}

/**
 * The positions that a device reports every second in a city: the car stops for 20 to 60 seconds every 300 to 900 m. The
 * noise of `sigma` meters in each direction drifts, as that of receivers does: its correlation falls to 1/e in 20 seconds
 * (a process of Gauss and Markov).
 */
export function driftingTrack(
  { polyline, distanceKm, durationS }: Route,
  sigma: number,
  random: () => number,
): GpsPoint[] {
  const points: GpsPoint[] = []
  const kept = Math.exp(-1 / 20)
  let noise = normalPair(random)
  let km = 0
  let second = 0
  const report = () => {
    const fresh = normalPair(random)
    noise = noise.map((value, axis) => kept * value + Math.sqrt(1 - kept ** 2) * (fresh[axis] as number))
    const [north = 0, east = 0] = noise
    const place = moved(pointAt(polyline, km), north * sigma, east * sigma)
    points.push({ ...place, at: second * 1000, accuracy: sigma * Math.SQRT2 })
    second++
  }
  const untilStop = () => 0.3 + 0.6 * random()
  for (let stopAt = untilStop(); km < distanceKm; km += distanceKm / durationS) {
    report()
    if (km < stopAt) continue
    for (let left = 20 + 40 * random(); left > 0; left--) report()
    stopAt = km + untilStop()
  }
  km = distanceKm
  report()
  return points
}

function pointAt(line: readonly LatLng[], km: number): LatLng {
  let left = km
  for (let at = 1; at < line.length; at++) {
    const [from, to] = [line[at - 1] as LatLng, line[at] as LatLng]
    const length = greatCircleKm(from, to)
    if (left <= length && length > 0) {
      const share = left / length
      return { lat: from.lat + share * (to.lat - from.lat), lng: from.lng + share * (to.lng - from.lng) }
    }
    left -= length
  }
  return line.at(-1) as LatLng
}

function noisy(point: LatLng, sigma: number, random: () => number): LatLng {
  const [north = 0, east = 0] = normalPair(random)
  return moved(point, north * sigma, east * sigma)
}

function moved({ lat, lng }: LatLng, north: number, east: number): LatLng {
  const metresPerDegree = 111_195
  return {
    lat: lat + north / metresPerDegree,
    lng: lng + east / (metresPerDegree * Math.cos((lat * Math.PI) / 180)),
  }
}

/** Two independent numbers of the standard normal distribution (Box and Muller, 1958). */
function normalPair(random: () => number): number[] {
  const radius = Math.sqrt(-2 * Math.log(1 - random()))
  const angle = 2 * Math.PI * random()
  return [radius * Math.cos(angle), radius * Math.sin(angle)]
}
