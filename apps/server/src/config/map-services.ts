import type { MapService, PlaceService, RouteService } from '@hansom/domain/geo/map-services'
import type { Environment } from './environment.ts'

type Keyed = { service: 'google' | 'mapbox'; key: string; url: string | undefined }

/** Outside map services; the embedded map answers what has none. */
export interface MapServicesConfig {
  places: Keyed | { service: Exclude<PlaceService, Keyed['service']>; url: string } | null
  routes: Keyed | { service: Exclude<RouteService, Keyed['service']>; url: string } | null
  /** The service area, [west, south, east, north] in degrees; null: the embedded map's. */
  area: [number, number, number, number] | null
  /** What users read as the city of `area`; null: the name of its time zone. */
  areaName: string | null
  /** Most calls and micro US dollars of a day; null: no cap. */
  cap: { calls: number | null; cost: number | null }
}

/** The variable that a service needs, and the optional one that replaces its URL. */
const variables: Record<MapService, { needed: keyof Environment; optional?: keyof Environment }> = {
  google: { needed: 'GOOGLE_MAPS_KEY', optional: 'GOOGLE_MAPS_URL' },
  mapbox: { needed: 'MAPBOX_TOKEN', optional: 'MAPBOX_URL' },
  photon: { needed: 'PHOTON_URL' },
  nominatim: { needed: 'NOMINATIM_URL' },
  osrm: { needed: 'OSRM_URL' },
  valhalla: { needed: 'VALHALLA_URL' },
}

/** Demonstration servers, whose terms do not allow a production service. */
const demonstrations = [
  'photon.komoot.io',
  'nominatim.openstreetmap.org',
  'router.project-osrm.org',
  'routing.openstreetmap.de',
  'valhalla1.openstreetmap.de',
]

/** The configured services, and every problem with them. */
export function readMapServices(values: Environment): { services: MapServicesConfig; problems: string[] } {
  const { PLACES_SERVICE, ROUTES_SERVICE, MAP_AREA, MAP_AREA_NAME, MAP_DAILY_BUDGET, MAP_DAILY_CALLS } =
    values
  const problems: string[] = []
  for (const [variable, service] of [
    ['PLACES_SERVICE', PLACES_SERVICE],
    ['ROUTES_SERVICE', ROUTES_SERVICE],
  ] as const) {
    if (service && values[variables[service].needed] === undefined)
      problems.push(`${variable} is ${service}, but ${variables[service].needed} is not set`)
  }
  for (const [service, { needed, optional }] of Object.entries(variables)) {
    for (const name of [needed, optional]) {
      if (!name || values[name] === undefined) continue
      if (service !== PLACES_SERVICE && service !== ROUTES_SERVICE)
        problems.push(`${name} is set, but neither PLACES_SERVICE nor ROUTES_SERVICE is ${service}`)
      else if (name.endsWith('_URL') && demonstrations.includes(new URL(String(values[name])).hostname))
        problems.push(`${name} is a demonstration server, which may not be used for this: run your own`)
    }
  }
  for (const name of ['MAP_AREA', 'MAP_DAILY_BUDGET', 'MAP_DAILY_CALLS'] as const) {
    if (values[name] !== undefined && !PLACES_SERVICE && !ROUTES_SERVICE)
      problems.push(`${name} is set, but neither PLACES_SERVICE nor ROUTES_SERVICE is`)
  }
  if (MAP_AREA_NAME !== undefined && !MAP_AREA) problems.push('MAP_AREA_NAME is set, but MAP_AREA is not')
  return {
    problems,
    services: {
      places: PLACES_SERVICE ? optionsOf(values, PLACES_SERVICE) : null,
      routes: ROUTES_SERVICE ? optionsOf(values, ROUTES_SERVICE) : null,
      area: MAP_AREA ?? null,
      areaName: MAP_AREA_NAME ?? null,
      cap: {
        calls: MAP_DAILY_CALLS ?? null,
        cost: MAP_DAILY_BUDGET === undefined ? null : Math.round(MAP_DAILY_BUDGET * 1e6),
      },
    },
  }
}

function optionsOf<Service extends MapService>(values: Environment, service: Service) {
  const { needed, optional } = variables[service]
  const [value, url] = [needed, optional].map((name) => {
    const set = name && values[name]
    return set === undefined ? undefined : String(set)
  })
  // A trailing slash would be doubled.
  const bare = (text: string | undefined) => text?.replace(/\/+$/, '')
  return (
    service === 'google' || service === 'mapbox'
      ? { service, key: value ?? '', url: bare(url) }
      : { service, url: bare(value) ?? '' }
  ) as Keyed | { service: Exclude<Service, Keyed['service']>; url: string }
}
