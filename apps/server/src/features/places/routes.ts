import { maxWaypoints } from '@hansom/contract/functions'
import { Refusal } from '@hansom/domain/error-keys'
import type { LatLng } from '@hansom/domain/geo/point'
import { encodePolyline } from '@hansom/domain/geo/polyline'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { PlacesService } from './service.ts'

export function placesRoutes(os: Os, places: PlacesService) {
  return {
    search: os.places.search.handler(({ input }) => {
      const { q, lat, lng, limit, session } = input
      const near = lat === undefined || lng === undefined ? undefined : { lat, lng }
      return places.search(q, { near, limit, session })
    }),
    place: os.places.place.handler(async ({ input }) => {
      const place = await places.place(input.id, input.session)
      if (place === null) throw new Refusal('not_found')
      return place
    }),
    address: os.places.address.handler(({ input }) => places.address(input)),
    route: os.places.route.handler(async ({ input }) => {
      const { distanceKm, durationS, polyline } = await places.route(input.points)
      return { distanceKm, durationS, polyline: encodePolyline(polyline) }
    }),
  }
}

/**
 * The map functions at their specified paths. Each needs a session. A refusal is an `error` in the response body, with
 * its key's status, as on every route.
 */
export function functionsRoutes(os: Os, places: PlacesService) {
  const { functions } = os
  return {
    getAddress: functions.getAddress.use(signedIn).handler(async ({ input }) => {
      const { label, detail } = await places.address(toPoint(input.latlng, 'latlng'))
      return { success: true as const, address: detail === '' ? label : `${label}, ${detail}` }
    }),
    getDriveTime: functions.getDriveTime
      .use(signedIn)
      .handler(({ input }) =>
        driveTime(places, [toPoint(input.start, 'start'), toPoint(input.dest, 'dest')]),
      ),
    getMultiLocTime: functions.getMultiLocTime.use(signedIn).handler(({ input }) => {
      const between = waypointTexts(input.waypoints).map((text) => toPoint(text, 'waypoints'))
      return driveTime(places, [toPoint(input.start, 'start'), ...between, toPoint(input.dest, 'dest')])
    }),
    autocomplete: functions.autocomplete.use(signedIn).handler(async ({ input }) => {
      const found = await places.search(input.searchKeyword, { country: input.country })
      return {
        searchResults: found.map(({ id, label, detail }) => ({
          place_id: id,
          description: detail === '' ? label : `${label}, ${detail}`,
        })),
      }
    }),
    getCoords: functions.getCoords.use(signedIn).handler(async ({ input }) => {
      const place = await places.place(input.place_id)
      if (place === null) throw new Refusal('place_to_coords_error')
      return { coords: { lat: place.lat, lng: place.lng } }
    }),
    getRoute: functions.getRoute.use(signedIn).handler(async ({ input }) => {
      const route = await routeOr(places, [toPoint(input.start, 'start'), toPoint(input.dest, 'dest')])
      const line = route.polyline.map(({ lat, lng }) => ({ latitude: lat, longitude: lng }))
      return {
        distance: Math.round(route.distanceKm * 1000),
        duration: Math.round(route.durationS),
        polylinePoints: line,
        coords: line,
      }
    }),
  }
}

async function driveTime(places: PlacesService, points: LatLng[]) {
  const { distanceKm, durationS } = await routeOr(places, points)
  return { distance_in_km: distanceKm, time_in_secs: durationS }
}

/** These functions have a single error for any missing route. */
async function routeOr(places: PlacesService, points: LatLng[]) {
  try {
    return await places.route(points)
  } catch (error) {
    throw error instanceof Refusal && error.key !== 'invalid_input' ? new Refusal('No Route Found') : error
  }
}

/** Throws invalid_input for more waypoints than allowed. */
function waypointTexts(waypoints: string | string[] | undefined): string[] {
  if (waypoints === undefined || waypoints === '') return []
  const texts = typeof waypoints === 'string' ? waypoints.split('|', maxWaypoints + 1) : waypoints
  if (texts.length > maxWaypoints) {
    throw new Refusal('invalid_input', { fields: [{ field: 'waypoints', error: 'too_long' }] })
  }
  return texts
}

/** Parses "lat,lng". Throws invalid_input naming `field` for an invalid point. */
function toPoint(text: string, field: string): LatLng {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const [lat, lng] = numbers
  const isPoint =
    numbers.length === 2 &&
    lat !== undefined &&
    lng !== undefined &&
    Math.abs(lat) <= 90 &&
    Math.abs(lng) <= 180
  if (!isPoint) throw new Refusal('invalid_input', { fields: [{ field, error: 'wrong_type' }] })
  return { lat, lng }
}
