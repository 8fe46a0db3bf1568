/** Outside services that can find places, and those that can plan routes. */
export const placeServices = ['google', 'mapbox', 'photon', 'nominatim'] as const
export const routeServices = ['google', 'mapbox', 'osrm', 'valhalla'] as const

export type PlaceService = (typeof placeServices)[number]
export type RouteService = (typeof routeServices)[number]
export type MapService = PlaceService | RouteService

/** Kinds of calls to outside services, as they are counted and priced. */
export const mapCallKinds = ['search', 'place', 'address', 'route', 'driveTimes'] as const
export type MapCallKind = (typeof mapCallKinds)[number]

/** Reasons why an outside service gave no answer. */
export const mapFailures = [
  'timeout',
  'network',
  'denied',
  'rate_limited',
  'server_error',
  'bad_answer',
  'rejected',
  'breaker_open',
  'cap_reached',
] as const
export type MapFailure = (typeof mapFailures)[number]

interface ServiceFacts {
  /** As shown to users. */
  name: string
  /** Must be shown beside its results. Sources: docs/maps.md. */
  attribution: string
  /** Whether its terms allow a device to remember a chosen place. */
  mayRemember: boolean
  /** Whether its terms allow a device to show the results of an earlier search again. */
  mayReuse: boolean
  /** Whether each call costs money. */
  isBilled: boolean
}

const openData = {
  attribution: '© OpenStreetMap contributors',
  mayRemember: true,
  mayReuse: true,
  isBilled: false,
}

export const mapServiceFacts: Readonly<Record<MapService, ServiceFacts>> = {
  google: {
    name: 'Google Maps Platform',
    attribution: 'Google Maps',
    mayRemember: false,
    mayReuse: false,
    isBilled: true,
  },
  mapbox: {
    name: 'Mapbox',
    attribution: '© Mapbox © OpenStreetMap',
    mayRemember: true,
    mayReuse: false,
    isBilled: true,
  },
  photon: { name: 'Photon', ...openData },
  nominatim: { name: 'Nominatim', ...openData },
  osrm: { name: 'OSRM', ...openData },
  valhalla: { name: 'Valhalla', ...openData },
}
