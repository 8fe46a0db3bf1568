import { servedCountries } from '@hansom/domain/settings/region-settings'
import { z } from 'zod'
import type { Place } from '../port.ts'
import {
  type AdapterDeps,
  endpoint,
  latitude,
  longitude,
  type PlaceAdapter,
  type Query,
  type RouteAdapter,
} from './adapter.ts'
import { MapServiceError } from './call.ts'
import { osrmRoutes } from './osrm.ts'

const mapboxUrl = 'https://api.mapbox.com'

const features = z.object({
  features: z.array(
    z.object({
      properties: z.object({
        mapbox_id: z.string(),
        feature_type: z.string(),
        name: z.string(),
        full_address: z.string().optional(),
        place_formatted: z.string().default(''),
        coordinates: z.object({ longitude, latitude }),
      }),
    }),
  ),
})
type Found = z.infer<typeof features>['features'][number]['properties']

const mostResults = 10

/**
 * Mapbox Geocoding API v6. https://docs.mapbox.com/api/search/geocoding/
 *
 * Results of the default, temporary mode may be shown but not stored. A search uses it and passes on no positions;
 * `place` and `address`, whose results a booking stores, use the permanent mode.
 */
export function mapboxPlaces({
  call,
  region,
  token,
  url = mapboxUrl,
}: AdapterDeps & { token: string }): PlaceAdapter {
  const forward = async (kind: 'search' | 'place', q: string, countries: string[], more: Query) => {
    const { answer } = await call({
      kind,
      url: endpoint(url, '/search/geocode/v6/forward', {
        q,
        access_token: token,
        bbox: region.bounds.join(','),
        country: countries.join(',').toLowerCase(),
        ...more,
      }),
      shape: features,
    })
    if (answer === null) throw new MapServiceError('mapbox', 'rejected')
    return answer.features.map(({ properties }) => properties)
  }

  return {
    search: async (query, { near, limit, countries }) => {
      const proximity = near && `${near.lng},${near.lat}`
      const most = Math.min(limit, mostResults)
      const found = await forward('search', query, countries, {
        proximity,
        limit: most,
        autocomplete: 'true',
      })
      return found.map((one) => {
        const { id, label, detail, kind } = placeOf(one)
        return { id, label, detail, kind }
      })
    },
    // The API has no lookup by id: searches for the address in the id and takes the result with the same Mapbox id.
    place: async (id) => {
      const [mapboxId = '', encoded = ''] = id.split('.')
      const address = Buffer.from(encoded, 'base64url').toString('utf8')
      if (mapboxId === '' || address === '') return null
      const found = await forward('place', address, servedCountries(region), {
        limit: mostResults,
        autocomplete: 'false',
        permanent: 'true',
      })
      const same = found.find((one) => one.mapbox_id === mapboxId)
      return same ? { ...placeOf(same), id } : null
    },
    address: async ({ lat, lng }) => {
      const { answer } = await call({
        kind: 'address',
        url: endpoint(url, '/search/geocode/v6/reverse', {
          longitude: lng,
          latitude: lat,
          access_token: token,
          permanent: 'true',
        }),
        shape: features,
      })
      if (answer === null) throw new MapServiceError('mapbox', 'rejected')
      const [best] = answer.features
      return best ? placeOf(best.properties) : null
    },
  }
}

function placeOf({
  mapbox_id,
  feature_type,
  name,
  full_address,
  place_formatted,
  coordinates,
}: Found): Place {
  const address = full_address ?? [name, place_formatted].filter(Boolean).join(', ')
  return {
    id: `${mapbox_id}.${Buffer.from(address).toString('base64url')}`,
    label: name,
    detail: place_formatted,
    kind: feature_type === 'address' ? 'address' : feature_type === 'street' ? 'street' : 'place',
    lat: coordinates.latitude,
    lng: coordinates.longitude,
  }
}

/**
 * Mapbox Directions and Matrix APIs, which answer as OSRM does.
 * https://docs.mapbox.com/api/navigation/directions/ https://docs.mapbox.com/api/navigation/matrix/
 */
export function mapboxRoutes({
  token,
  url = mapboxUrl,
  ...deps
}: AdapterDeps & { token: string }): RouteAdapter {
  return osrmRoutes({
    ...deps,
    service: 'mapbox',
    url,
    routePath: '/directions/v5/mapbox/driving/',
    tablePath: '/directions-matrix/v1/mapbox/driving/',
    query: { access_token: token },
    mostPoints: 25,
    mostStarts: 24,
  })
}
