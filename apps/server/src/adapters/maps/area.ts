import type { LatLng } from '@hansom/domain/geo/point'
import { countryFacts } from './embedded/describe-region.ts'
import type { Region } from './port.ts'

/**
 * The service area of a configured box, for a city without an imported map. Its time zone and country are those of its
 * center, its name is `name`, otherwise the last part of the time zone's. Null if the center is in no country.
 */
export function boxRegion(
  bounds: Region['bounds'],
  attribution: string,
  name?: string | null,
): Region | null {
  const [west, south, east, north] = bounds
  const center: LatLng = { lat: (south + north) / 2, lng: (west + east) / 2 }
  const facts = countryFacts(center.lat, center.lng)
  if (facts === null) return null
  const zoneCity = (facts.timezone.split('/').at(-1) ?? '').replaceAll('_', ' ')
  return { id: 'area', name: name ?? zoneCity, ...facts, center, bounds, attribution }
}

export function isInBox([west, south, east, north]: Region['bounds'], { lat, lng }: LatLng): boolean {
  return lat >= south && lat <= north && lng >= west && lng <= east
}

/** Whether two boxes have a point in common. */
export function overlap(one: Region['bounds'], other: Region['bounds']): boolean {
  return one[0] <= other[2] && other[0] <= one[2] && one[1] <= other[3] && other[1] <= one[3]
}
