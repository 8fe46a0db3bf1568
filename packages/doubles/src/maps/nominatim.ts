import { type MapDouble, type MapResponse, startMapDouble } from './map-double.ts'
import { findObjects, type GridObject, objectNear, objectOf, town } from './street-grid.ts'

/** A local Nominatim with its format `jsonv2`. After nominatim.org/release-docs/latest/api, read in November 2026. */
export function startNominatim(): Promise<MapDouble> {
  return startMapDouble(({ url, headers }) => {
    const query = url.searchParams
    if (!headers['user-agent']) return { status: 403, body: 'a user agent is required' }
    if (query.get('format') !== 'jsonv2') return invalid('format')
    if (url.pathname === '/search') {
      const box = query.get('viewbox')?.split(',').map(Number)
      if (box && !(box.length === 4 && (box[0] as number) < (box[2] as number))) return invalid('viewbox')
      const countries = query.get('countrycodes')?.split(',')
      if (countries && !countries.includes(town.countryCode.toLowerCase())) return { body: [] }
      const limit = Math.min(40, Number(query.get('limit') ?? 10))
      return { body: findObjects(query.get('q') ?? '', { limit, exact: true }).map(placeOf) }
    }
    if (url.pathname === '/lookup') {
      const ids = (query.get('osm_ids') ?? '').split(',')
      const found = ids.flatMap((id) => {
        const object = objectOf(Number(id.slice(1)))
        return object && id.startsWith(object.kind === 'street' ? 'W' : 'N') ? [placeOf(object)] : []
      })
      return { body: found }
    }
    if (url.pathname === '/reverse') {
      const [lat, lng] = [Number(query.get('lat')), Number(query.get('lon'))]
      if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return invalid('lat, lon')
      const object = objectNear({ lat, lng })
      return { body: object ? placeOf(object) : { error: 'Unable to geocode' } }
    }
    return { status: 404, body: { error: 'not found' } }
  })
}

const invalid = (parameter: string): MapResponse => ({
  status: 400,
  body: { error: { code: 400, message: `Parameter '${parameter}' is invalid.` } },
})

function placeOf({ index, kind, name, street, number, lat, lng }: GridObject) {
  return {
    place_id: 1000 + index,
    licence: 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright',
    osm_type: kind === 'street' ? 'way' : 'node',
    osm_id: index,
    // Numbers are texts here.
    lat: String(lat),
    lon: String(lng),
    category: kind === 'street' ? 'highway' : kind === 'house' ? 'place' : 'amenity',
    type: kind === 'street' ? 'residential' : kind,
    name: kind === 'house' ? '' : name,
    display_name: `${kind === 'house' ? `${number}, ${street}` : name}, ${town.district}, ${town.name}, ${town.country}`,
    address: {
      ...(street === undefined ? { road: name } : { road: street, house_number: String(number) }),
      suburb: town.district,
      city: town.name,
      country: town.country,
      country_code: town.countryCode.toLowerCase(),
    },
  }
}
