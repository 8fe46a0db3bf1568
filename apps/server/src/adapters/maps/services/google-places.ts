import type { LatLng } from '@hansom/domain/geo/point'
import { z } from 'zod'
import type { Place } from '../port.ts'
import {
  type AdapterDeps,
  endpoint,
  latitude,
  longitude,
  type PlaceAdapter,
  splitAddress,
} from './adapter.ts'
import { MapServiceError } from './call.ts'
import { failureOfProblem } from './google-problem.ts'

const text = z.object({ text: z.string() })
const predictions = z.object({
  suggestions: z
    .array(
      z.object({
        placePrediction: z
          .object({
            placeId: z.string(),
            structuredFormat: z.object({ mainText: text, secondaryText: text.optional() }),
            types: z.array(z.string()).default([]),
          })
          .optional(),
      }),
    )
    .default([]),
})
const details = z.object({
  id: z.string(),
  formattedAddress: z.string(),
  location: z.object({ latitude, longitude }),
  types: z.array(z.string()).default([]),
})
const geocoded = z.object({
  status: z.string(),
  results: z.array(
    z.object({
      place_id: z.string(),
      formatted_address: z.string(),
      types: z.array(z.string()),
      geometry: z.object({ location: z.object({ lat: latitude, lng: longitude }) }),
    }),
  ),
})

/** The API accepts no more. */
const mostCountries = 15

/** Failures of the Geocoding API, which it reports with status 200. */
const statusFailures = {
  OVER_DAILY_LIMIT: 'denied',
  OVER_QUERY_LIMIT: 'rate_limited',
  REQUEST_DENIED: 'denied',
  UNKNOWN_ERROR: 'server_error',
} as const

/**
 * Places API (New) and Geocoding API.
 * https://developers.google.com/maps/documentation/places/web-service/place-autocomplete
 * https://developers.google.com/maps/documentation/places/web-service/place-details
 * https://developers.google.com/maps/documentation/geocoding/requests-reverse-geocoding
 *
 * A search returns no positions. The fields of `place` are all of the cheapest price class, which has no names: the
 * address is its label.
 */
export function googlePlaces({ call, region, key, url }: AdapterDeps & { key: string }): PlaceAdapter {
  const placesUrl = url ?? 'https://places.googleapis.com'
  const geocodingUrl = url ?? 'https://maps.googleapis.com'
  const [west, south, east, north] = region.bounds
  const rectangle = {
    low: { latitude: south, longitude: west },
    high: { latitude: north, longitude: east },
  }
  const headers = (...fields: string[]) => ({ 'x-goog-api-key': key, 'x-goog-fieldmask': fields.join(',') })

  return {
    search: async (input, { near, limit, session, countries }) => {
      const { answer } = await call({
        kind: 'search',
        url: endpoint(placesUrl, '/v1/places:autocomplete'),
        headers: headers(
          'suggestions.placePrediction.placeId',
          'suggestions.placePrediction.structuredFormat',
          'suggestions.placePrediction.types',
        ),
        body: {
          input,
          sessionToken: session,
          includedRegionCodes: countries.slice(0, mostCountries).map((code) => code.toLowerCase()),
          locationRestriction: { rectangle },
          origin: near && { latitude: near.lat, longitude: near.lng },
        },
        shape: predictions,
        failureOfProblem,
      })
      if (answer === null) throw new MapServiceError('google', 'rejected')
      return answer.suggestions.slice(0, limit).flatMap(({ placePrediction: one }) => {
        if (one === undefined) return []
        const { mainText, secondaryText } = one.structuredFormat
        const detail = secondaryText?.text ?? ''
        return [{ id: one.placeId, label: mainText.text, detail, kind: kindOf(one.types) }]
      })
    },
    place: async (id, session) => {
      if (!/^[\w-]{1,400}$/.test(id)) return null
      const { answer } = await call({
        kind: 'place',
        url: endpoint(placesUrl, `/v1/places/${id}`, { sessionToken: session }),
        headers: headers('id', 'formattedAddress', 'location', 'types'),
        shape: details,
        failureOfProblem,
      })
      // An unknown id is 404, one in another format 400.
      if (answer === null) return null
      const { latitude: lat, longitude: lng } = answer.location
      const { formattedAddress, types } = answer
      return { id, ...splitAddress(formattedAddress), kind: kindOf(types), lat, lng }
    },
    address: async ({ lat, lng }: LatLng) => {
      const { answer } = await call({
        kind: 'address',
        url: endpoint(geocodingUrl, '/maps/api/geocode/json', { latlng: `${lat},${lng}`, key }),
        shape: geocoded,
        failureOfProblem,
        failureOf: ({ status }) => statusFailures[status as keyof typeof statusFailures] ?? null,
      })
      if (answer === null || answer.status === 'INVALID_REQUEST') {
        throw new MapServiceError('google', 'rejected')
      }
      const named = answer.results.filter(({ types }) => !types.includes('plus_code'))
      const best = named.find(({ types }) => kindOf(types) === 'address') ?? named[0]
      if (best === undefined) return null
      const { place_id: id, formatted_address, types, geometry } = best
      return { id, ...splitAddress(formatted_address), kind: kindOf(types), ...geometry.location }
    },
  }
}

function kindOf(types: readonly string[]): Place['kind'] {
  if (types.some((type) => ['street_address', 'premise', 'subpremise'].includes(type))) return 'address'
  return types.includes('route') ? 'street' : 'place'
}
