import { type MapDouble, type MapRequest, type MapResponse, startMapDouble } from './map-double.ts'
import {
  encodeLine,
  findObjects,
  type GridObject,
  objectNear,
  objectOf,
  type Point,
  routeBetween,
  town,
} from './street-grid.ts'

export const googleKey = 'AIzaDoubleKey0123456789'

/** `{ "error": { code, message, status } }`, as all Google APIs answer. */
const refused = (code: number, status: string, message: string, details?: object[]): MapResponse => ({
  status: code,
  body: { error: { code, message, status, details } },
})
const invalid = (message: string) => refused(400, 'INVALID_ARGUMENT', message)

const types: Record<GridObject['kind'], string[]> = {
  street: ['route', 'geocode'],
  house: ['street_address', 'geocode'],
  place: ['point_of_interest', 'establishment'],
}
const idOf = ({ index }: GridObject) => `ChIJ-grid-${index}`
const addressOf = ({ name }: GridObject) => `${name}, 11100 ${town.name}, ${town.country}`

interface LatLng {
  latitude: number
  longitude: number
}
type Waypoint = { location: { latLng: LatLng } }

/**
 * A local Google Maps Platform. Answers after the reference pages of Places API (New), Geocoding API and Routes API on
 * developers.google.com, read in November 2026.
 */
export async function startGoogleMaps(): Promise<MapDouble & { endedSessions: string[] }> {
  /** Sessions that a place request has ended. */
  const endedSessions: string[] = []

  function autocomplete({ body }: MapRequest): MapResponse {
    const { input, sessionToken, includedRegionCodes, locationRestriction } = body as {
      input?: string
      sessionToken?: string
      includedRegionCodes?: string[]
      locationRestriction?: { rectangle?: { low: LatLng; high: LatLng } }
    }
    if (!input) return invalid('input must be set')
    if (!validSession(sessionToken)) return invalid('Invalid session token')
    const box = locationRestriction?.rectangle
    if (box && !(box.low.latitude <= box.high.latitude && Math.abs(box.low.latitude) <= 90)) {
      return invalid('Invalid rectangle')
    }
    if (includedRegionCodes && !includedRegionCodes.includes(town.countryCode.toLowerCase()))
      return { body: {} }
    const found = findObjects(input, { limit: 5 })
    // Without predictions the answer is an empty object.
    if (found.length === 0) return { body: {} }
    return {
      body: {
        suggestions: found.map((object) => ({
          placePrediction: {
            placeId: idOf(object),
            structuredFormat: {
              mainText: { text: object.name, matches: [{ endOffset: 1 }] },
              secondaryText: { text: `${town.name}, ${town.country}` },
            },
            types: types[object.kind],
          },
        })),
      },
    }
  }

  function placeDetails(id: string, { url }: MapRequest): MapResponse {
    const session = url.searchParams.get('sessionToken') ?? undefined
    if (!validSession(session)) return invalid('Invalid session token')
    if (!id.startsWith('ChIJ')) return invalid('Not a valid Place ID')
    const object = objectOf(Number(id.split('-').at(-1)))
    if (!object) return refused(404, 'NOT_FOUND', 'The Place ID is no longer valid')
    if (session) endedSessions.push(session)
    const { lat, lng, kind } = object
    return {
      body: {
        id,
        formattedAddress: addressOf(object),
        location: { latitude: lat, longitude: lng },
        types: types[kind],
      },
    }
  }

  return Object.assign(
    await startMapDouble((request) => {
      const { pathname, searchParams } = request.url
      if (pathname === '/maps/api/geocode/json') return reverseGeocode(searchParams)
      if (request.headers['x-goog-api-key'] !== googleKey) {
        return refused(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', [
          {
            '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
            reason: 'API_KEY_INVALID',
            domain: 'googleapis.com',
          },
        ])
      }
      if (!request.headers['x-goog-fieldmask']) return invalid('FieldMask is a required parameter.')
      const route = `${request.method} ${pathname}`
      if (route === 'POST /v1/places:autocomplete') return autocomplete(request)
      if (route === 'POST /directions/v2:computeRoutes') return computeRoutes(request)
      if (route === 'POST /distanceMatrix/v2:computeRouteMatrix') return computeRouteMatrix(request)
      const id = /^GET \/v1\/places\/([^/]+)$/.exec(route)?.[1]
      return id ? placeDetails(id, request) : refused(404, 'NOT_FOUND', 'Method not found.')
    }),
    { endedSessions },
  )
}

/** URL-safe base64 of at most 36 characters. */
const validSession = (token: string | undefined) => token === undefined || /^[\w-]{1,36}$/.test(token)

function reverseGeocode(query: URLSearchParams): MapResponse {
  if (query.get('key') !== googleKey) {
    const error_message = 'The provided API key is invalid.'
    return { body: { error_message, results: [], status: 'REQUEST_DENIED' } }
  }
  const [lat = Number.NaN, lng = Number.NaN] = (query.get('latlng') ?? '').split(',').map(Number)
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180))
    return { body: { results: [], status: 'INVALID_REQUEST' } }
  const object = objectNear({ lat, lng })
  if (!object) return { body: { results: [], status: 'ZERO_RESULTS' } }
  const plusCode = {
    place_id: 'GhIJplus',
    formatted_address: '48Q53RVH+5F Montevideo',
    types: ['plus_code'],
    geometry: { location: { lat, lng } },
  }
  const found = {
    place_id: idOf(object),
    formatted_address: addressOf(object),
    types: types[object.kind],
    geometry: { location: { lat: object.lat, lng: object.lng }, location_type: 'ROOFTOP' },
  }
  return { body: { plus_code: {}, results: [plusCode, found], status: 'OK' } }
}

const pointOf = ({ location }: Waypoint): Point => ({
  lat: location.latLng.latitude,
  lng: location.latLng.longitude,
})
const isPoint = ({ lat, lng }: Point) => Math.abs(lat) <= 90 && Math.abs(lng) <= 180
const seconds = (value: number) => `${Math.round(value)}s`

function computeRoutes({ body }: MapRequest): MapResponse {
  const {
    origin,
    destination,
    intermediates = [],
    travelMode,
  } = body as {
    origin: Waypoint
    destination: Waypoint
    intermediates?: Waypoint[]
    travelMode?: string
  }
  if (travelMode !== 'DRIVE') return invalid('travelMode')
  const points = [origin, ...intermediates, destination].map(pointOf)
  if (!points.every(isPoint)) return invalid('Invalid coordinates')
  if (intermediates.length > 25) return invalid('Too many intermediates')
  const legs = points.slice(1).map((to, at) => routeBetween(points[at] as Point, to))
  if (legs.includes(null)) return { body: {} }
  const meters = Math.round(sum(legs.map((leg) => leg?.meters ?? 0)))
  return {
    body: {
      routes: [
        {
          // JSON of protocol buffers leaves out zeros.
          ...(meters === 0 ? {} : { distanceMeters: meters }),
          duration: seconds(sum(legs.map((leg) => leg?.seconds ?? 0))),
          polyline: {
            encodedPolyline: encodeLine(
              legs.flatMap((leg) => leg?.line ?? []),
              5,
            ),
          },
        },
      ],
    },
  }
}

function computeRouteMatrix({ body, headers }: MapRequest): MapResponse {
  const { origins, destinations } = body as {
    origins: { waypoint: Waypoint }[]
    destinations: { waypoint: Waypoint }[]
  }
  if (origins.length * destinations.length > 625) return invalid('Too many elements')
  const hasStatus = String(headers['x-goog-fieldmask']).split(',').includes('status')
  const elements = origins.flatMap((origin, originIndex) =>
    destinations.map((destination, destinationIndex) => {
      const route = routeBetween(pointOf(origin.waypoint), pointOf(destination.waypoint))
      const common = { originIndex, destinationIndex, ...(hasStatus ? { status: {} } : {}) }
      if (!route) return { ...common, condition: 'ROUTE_NOT_FOUND' }
      const distanceMeters = Math.round(route.meters)
      return { ...common, condition: 'ROUTE_EXISTS', distanceMeters, duration: seconds(route.seconds) }
    }),
  )
  // The order of a stream is not that of the request.
  return { body: elements.reverse() }
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
