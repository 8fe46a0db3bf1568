import type { LatLng } from '@hansom/domain/geo/point'
import tzLookup from '@photostructure/tz-lookup'
import { feature } from '@rapideditor/country-coder'
import type { Region } from './port.ts'

/**
 * The service area of a configured box, for a city without an imported map. Its time zone and country are those of its
 * center, its name is the last part of the time zone's. Null if the center is in no country.
 */
export function boxRegion(bounds: Region['bounds'], attribution: string): Region | null {
  const [west, south, east, north] = bounds
  const center: LatLng = { lat: (south + north) / 2, lng: (west + east) / 2 }
  const country = feature([center.lng, center.lat])?.properties
  const countryCode = country?.iso1A2 ?? country?.country
  if (countryCode === undefined) return null
  const timezone = tzLookup(center.lat, center.lng)
  const name = (timezone.split('/').at(-1) ?? timezone).replaceAll('_', ' ')
  return { name, countryCode, timezone, center, bounds, attribution }
}

export function isInBox([west, south, east, north]: Region['bounds'], { lat, lng }: LatLng): boolean {
  return lat >= south && lat <= north && lng >= west && lng <= east
}
