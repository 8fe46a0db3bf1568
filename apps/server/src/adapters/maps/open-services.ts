import { mapServiceFacts, type PlaceService, type RouteService } from '@hansom/domain/geo/map-services'
import { withOutsideServices } from './outside.ts'
import type { MapServices, MapServicesStatus, Maps, Region } from './port.ts'
import type { AdapterDeps, PlaceAdapter, RouteAdapter } from './services/adapter.ts'
import { Breaker } from './services/breaker.ts'
import { type CallMeter, createServiceCall } from './services/call.ts'
import { googlePlaces } from './services/google-places.ts'
import { googleRoutes } from './services/google-routes.ts'
import { mapboxPlaces, mapboxRoutes } from './services/mapbox.ts'
import { nominatimPlaces } from './services/nominatim.ts'
import { osrmRoutes } from './services/osrm.ts'
import { photonPlaces } from './services/photon.ts'
import { testPlaces, testRoutes } from './services/test-calls.ts'
import { valhallaRoutes } from './services/valhalla.ts'

/** A service with its key or URL; `url` of Google and Mapbox replaces their own. */
export type PlaceServiceOptions =
  | { service: 'google' | 'mapbox'; key: string; url: string | undefined }
  | { service: 'photon' | 'nominatim'; url: string }
export type RouteServiceOptions =
  | { service: 'google' | 'mapbox'; key: string; url: string | undefined }
  | { service: 'osrm' | 'valhalla'; url: string }

export interface OutsideMapsOptions {
  places: PlaceServiceOptions | null
  routes: RouteServiceOptions | null
  /** The service area; null: that of the embedded map. */
  area: Region | null
}

/** The day's meter, with what an admin sees of it. */
export interface DayMeter extends CallMeter {
  today(): Pick<MapServicesStatus, 'day' | 'calls' | 'total' | 'cap'>
  flush(): Promise<void>
}

export interface OutsideMapsDeps extends OutsideMapsOptions {
  embedded: Maps
  meter: DayMeter
  /** Monotonic, ms. */
  now: () => number
  log: { warn(fields: object, message: string): void }
}

/** Opens the configured services around the embedded map. */
export function openOutsideMaps(deps: OutsideMapsDeps): { maps: Maps; services: MapServices } {
  const { embedded, area, places, routes, meter, now, log } = deps
  const region = area ?? embedded.region
  const calling = (service: PlaceService | RouteService, breaker: Breaker): AdapterDeps => ({
    region,
    call: createServiceCall({ service, breaker, meter, now, log }),
  })
  const billed = [places, routes].flatMap((one) =>
    one && mapServiceFacts[one.service].isBilled ? one.service : [],
  )
  const { cap } = meter.today()
  if (billed.length > 0 && cap.calls === null && cap.microUsd === null) {
    log.warn({ services: billed }, 'every map call costs money and no daily cap is set: set MAP_DAILY_BUDGET')
  }
  const breakers = { places: new Breaker(), routes: new Breaker() }
  const maps = withOutsideServices({
    embedded,
    area,
    log,
    places: places && {
      service: places.service,
      adapter: placeAdapter(places, calling(places.service, breakers.places)),
      isProbeDue: () => breakers.places.state(now()) === 'half_open',
    },
    routes: routes && {
      service: routes.service,
      adapter: routeAdapter(routes, calling(routes.service, breakers.routes)),
      isProbeDue: () => breakers.routes.state(now()) === 'half_open',
    },
  })
  return {
    maps,
    services: {
      status: () => ({
        ...meter.today(),
        places: places && { service: places.service, breaker: breakers.places.state(now()) },
        routes: routes && { service: routes.service, breaker: breakers.routes.state(now()) },
      }),
      test: async (role) => {
        // A breaker of its own: a test calls even while the service is paused.
        if (role === 'places') {
          if (places === null) return []
          return testPlaces(placeAdapter(places, calling(places.service, new Breaker())), region, now)
        }
        if (routes === null) return []
        return testRoutes(routeAdapter(routes, calling(routes.service, new Breaker())), region.center, now)
      },
      flush: () => meter.flush(),
    },
  }
}

function placeAdapter(options: PlaceServiceOptions, deps: AdapterDeps): PlaceAdapter {
  switch (options.service) {
    case 'google':
      return googlePlaces({ ...deps, key: options.key, url: options.url })
    case 'mapbox':
      return mapboxPlaces({ ...deps, token: options.key, url: options.url })
    case 'photon':
      return photonPlaces({ ...deps, url: options.url })
    case 'nominatim':
      return nominatimPlaces({ ...deps, url: options.url })
  }
}

function routeAdapter(options: RouteServiceOptions, deps: AdapterDeps): RouteAdapter {
  switch (options.service) {
    case 'google':
      return googleRoutes({ ...deps, key: options.key, url: options.url })
    case 'mapbox':
      return mapboxRoutes({ ...deps, token: options.key, url: options.url })
    case 'osrm':
      return osrmRoutes({ ...deps, url: options.url })
    case 'valhalla':
      return valhallaRoutes({ ...deps, url: options.url })
  }
}
