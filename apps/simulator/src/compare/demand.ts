import type { LatLng } from '@hansom/domain/geo/point'

/** The size of a simulated evening. */
export interface CitySize {
  drivers: number
  /** Requests an hour before and after the rush; twice as many during it. */
  requests: number
  hours: number
}

/** A rider who asks for a trip. Times are in seconds from the start. */
export interface Rider {
  id: string
  at: number
  pickup: LatLng
  drop: LatLng
  /** How long the rider waits for a driver to accept, s. */
  patienceS: number
}

/** What happens regardless of the strategy. */
export interface Demand {
  riders: Rider[]
  /** Where the drivers begin. */
  starts: LatLng[]
  /** The same number from 0 to 1 for the same names, so that a driver answers a rider alike in every strategy. */
  luck(...names: string[]): number
}

/** Half the width of the city, km. */
const halfKm = 7
const kmPerDegree = 111.195
const speedKmh = 24
/** Streets are longer than straight lines. */
const detour = 1.3

/** The length of a drive, km. */
export function driveKm(a: LatLng, b: LatLng): number {
  return Math.hypot(a.lat - b.lat, a.lng - b.lng) * kmPerDegree * detour
}

/** The duration of a drive, s. */
export const driveS = (a: LatLng, b: LatLng): number => (driveKm(a, b) / speedKmh) * 3600

/**
 * The riders and drivers of an evening. In its middle third twice as many ask, most of them in the center, and most of
 * them leave it, so that drivers end where few ask.
 */
export function demandOf(seed: number, { drivers, requests, hours }: CitySize): Demand {
  const random = randomFrom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const anywhere = () => point((random() * 2 - 1) * halfKm, (random() * 2 - 1) * halfKm)
  const center = () => point(normal() * 1.2, normal() * 1.2)
  const isRush = (at: number) => at >= hours * 1200 && at < hours * 2400
  const riders: Rider[] = []
  for (let at = 0; ; ) {
    const rate = (isRush(at) ? 2 : 1) * (requests / 3600)
    at += -Math.log(1 - random()) / rate
    if (at >= hours * 3600) break
    const fromCenter = random() < (isRush(at) ? 0.7 : 0.4)
    const toCenter = random() < (isRush(at) ? 0.15 : 0.4)
    riders.push({
      id: `r${riders.length}`,
      at,
      pickup: fromCenter ? center() : anywhere(),
      drop: toCenter ? center() : anywhere(),
      patienceS: 180 - 360 * Math.log(1 - random()),
    })
  }
  return {
    riders,
    starts: Array.from({ length: drivers }, () => (random() < 0.5 ? center() : anywhere())),
    luck: (...names) => luckOf(`${seed} ${names.join(' ')}`),
  }
}

/** On the equator, where a degree is as long in both directions. */
const point = (x: number, y: number): LatLng => ({ lat: y / kmPerDegree, lng: x / kmPerDegree })

function randomFrom(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** From 0 to 1, by the hash FNV-1a with a final mix. */
function luckOf(text: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
