import type { MapCallKind, MapService } from '@hansom/domain/geo/map-services'

/**
 * List prices of a billed unit in micro US dollars, first volume tier, without free monthly allowances.
 *
 * Google: https://developers.google.com/maps/billing-and-pricing/pricing (Autocomplete Requests, Place Details
 * Essentials, Geocoding, Compute Routes Essentials, Compute Route Matrix Essentials per element).
 * Mapbox: https://www.mapbox.com/pricing (Temporary and Permanent Geocoding, Directions, Matrix per element).
 * Both checked in November 2026 against stored copies. The other services run on the operator's own servers.
 */
const microUsd: Partial<Record<MapService, Record<MapCallKind, number>>> = {
  google: { search: 2_830, place: 5_000, address: 5_000, route: 5_000, driveTimes: 5_000 },
  mapbox: { search: 750, place: 5_000, address: 5_000, route: 2_000, driveTimes: 2_000 },
}

/** Micro US dollars of one billed unit; 0 for a service that bills nothing. */
export function priceOf(service: MapService, kind: MapCallKind): number {
  return microUsd[service]?.[kind] ?? 0
}
