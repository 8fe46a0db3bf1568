import { maxWaypoints } from '@hansom/contract/functions'
import type { Place, Suggestion } from '@hansom/contract/places'
import { Refusal } from '@hansom/domain/error-keys'
import type { LatLng } from '@hansom/domain/geo/point'
import { servedCountries } from '@hansom/domain/settings/region-settings'
import type { Maps, Route, SearchOptions } from '../../adapters/maps/port.ts'
import type { Log } from '../../platform/log/log.ts'
import type { SettingsService } from '../settings/service.ts'

export interface PlacesDeps {
  maps: Maps
  settings: SettingsService
  log: Log
}

export interface PlacesService {
  /**
   * Best match first, within the country the settings restrict to. Throws country_not_mapped if that is not the map's,
   * google_places_error when the map service fails.
   */
  search(query: string, options: SearchOptions): Promise<Suggestion[]>
  /** Returns null for an unknown id. Throws google_places_error. */
  place(id: string, session?: string): Promise<Place | null>
  /** Throws outside_region outside the map, google_places_error. */
  address(point: LatLng): Promise<Place>
  /**
   * Returns the fastest route by car. Throws outside_region for an unreachable point, 'No Route Found' when no route
   * exists, invalid_input for more than `mostRoutePoints`, google_places_error.
   */
  route(points: LatLng[]): Promise<Route>
}

/** Both ends and the stops between them. */
export const mostRoutePoints = maxWaypoints + 2

export function createPlacesService({ maps, settings, log }: PlacesDeps): PlacesService {
  const orRefusal = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer
    } catch (error) {
      log.error({ err: error }, 'map service failed')
      throw new Refusal('google_places_error')
    }
  }
  return {
    search: async (query, options) => {
      const { restrictCountry } = await settings.current()
      if (restrictCountry && !servedCountries(maps.region).includes(restrictCountry))
        throw new Refusal('country_not_mapped')
      const country = restrictCountry || options.country
      return orRefusal(maps.search(query, { ...options, country: country || undefined }))
    },
    place: (id, session) => orRefusal(maps.place(id, { session })),
    address: async (point) => {
      const place = maps.covers(point) ? await orRefusal(maps.address(point)) : null
      if (place === null) throw new Refusal('outside_region')
      return place
    },
    route: async (points) => {
      if (points.length > mostRoutePoints) {
        throw new Refusal('invalid_input', { fields: [{ field: 'points', error: 'too_long' }] })
      }
      const outside = points.findIndex((point) => !maps.covers(point))
      if (outside >= 0) throw new Refusal('outside_region', { data: { point: outside } })
      const route = await orRefusal(maps.route(points))
      if (route === null) throw new Refusal('No Route Found')
      return route
    },
  }
}
