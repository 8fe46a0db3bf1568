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

function noisy({ lat, lng }: LatLng, sigma: number, random: () => number): LatLng {
  // Box and Muller (1958).
  const radius = Math.sqrt(-2 * Math.log(1 - random())) * sigma
  const angle = 2 * Math.PI * random()
  const metresPerDegree = 111_195
  return {
    lat: lat + (radius * Math.cos(angle)) / metresPerDegree,
    lng: lng + (radius * Math.sin(angle)) / (metresPerDegree * Math.cos((lat * Math.PI) / 180)),
  }
}
