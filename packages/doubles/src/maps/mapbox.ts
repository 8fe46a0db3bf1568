import { type MapDouble, type MapResponse, startMapDouble } from './map-double.ts'
import { answerOsrm } from './osrm.ts'
import { findObjects, type GridObject, objectNear, town } from './street-grid.ts'

export const mapboxToken = 'pk.double-token'

/** A local Mapbox: Geocoding v6, Directions and Matrix. After docs.mapbox.com/api, read in November 2026. */
export function startMapbox(): Promise<MapDouble> {
  return startMapDouble((request) => {
    const { pathname, searchParams: query } = request.url
    if (query.get('access_token') !== mapboxToken) {
      return { status: 401, body: { message: 'Not Authorized - Invalid Token', error_code: 'INVALID_TOKEN' } }
    }
    if (pathname === '/search/geocode/v6/forward') return forward(query)
    if (pathname === '/search/geocode/v6/reverse') return reverse(query)
    const paths = { route: '/directions/v5/mapbox/driving/', table: '/directions-matrix/v1/mapbox/driving/' }
    return (
      answerOsrm(request, paths, { badRequest: 422, mostPoints: 25 }) ?? {
        status: 404,
        body: { message: 'Not Found' },
      }
    )
  })
}

const invalid = (message: string): MapResponse => ({ status: 400, body: { message } })

function forward(query: URLSearchParams): MapResponse {
  const q = query.get('q') ?? ''
  const limit = Number(query.get('limit') ?? 5)
  if (q === '' || q.length > 256) return invalid('Query too long or missing')
  if (!(limit >= 1 && limit <= 10)) return invalid('"limit" must be between 1 and 10')
  const box = query.get('bbox')?.split(',').map(Number)
  if (box && !(box.length === 4 && (box[0] as number) < (box[2] as number))) return invalid('Invalid bbox')
  const countries = query.get('country')?.split(',')
  const found = countries && !countries.includes(town.countryCode.toLowerCase()) ? [] : search(q, limit)
  return collection(found, query)
}

/** A complete address also contains the town and the country. */
function search(q: string, limit: number): GridObject[] {
  const [name = ''] = q.split(',')
  return findObjects(name, { limit })
}

function reverse(query: URLSearchParams): MapResponse {
  const [lng, lat] = [Number(query.get('longitude')), Number(query.get('latitude'))]
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return invalid('Invalid coordinates')
  const object = objectNear({ lat, lng })
  return collection(object ? [object] : [], query)
}

function collection(found: GridObject[], query: URLSearchParams): MapResponse {
  const features = found.map((object) => {
    const { name, lat, lng, kind, index } = object
    const place_formatted = `11100 ${town.name}, ${town.country}`
    return {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [lng, lat] },
      properties: {
        mapbox_id: `dXJuOm1ieGFkcjpn${index}`,
        feature_type: kind === 'house' ? 'address' : kind === 'street' ? 'street' : 'neighborhood',
        name,
        full_address: `${name}, ${place_formatted}`,
        place_formatted,
        coordinates: { longitude: lng, latitude: lat },
      },
    }
  })
  const attribution =
    query.get('permanent') === 'true'
      ? 'NOTICE: © 2026 Mapbox and its suppliers. All rights reserved.'
      : 'NOTICE: © 2026 Mapbox and its suppliers. Temporary results may not be stored.'
  return { body: { type: 'FeatureCollection', features, attribution } }
}
