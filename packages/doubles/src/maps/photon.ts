import { type MapDouble, type MapResponse, startMapDouble } from './map-double.ts'
import { findObjects, type GridObject, objectsNear, town } from './street-grid.ts'

/** A local Photon. After docs/api-v1.md of github.com/komoot/photon, read in November 2026. */
export function startPhoton(): Promise<MapDouble> {
  return startMapDouble(({ url }) => {
    const query = url.searchParams
    const limit = Number(query.get('limit') ?? 15)
    if (url.pathname === '/api') {
      const q = query.get('q')
      if (!q) return invalid("missing search term 'q': /?q=berlin")
      const box = query.get('bbox')?.split(',').map(Number)
      if (box && !(box.length === 4 && (box[0] as number) < (box[2] as number))) {
        return invalid("Invalid bounding box format. Use 'minLon,minLat,maxLon,maxLat'")
      }
      const countries = query.getAll('countrycode')
      const isElsewhere = countries.length > 0 && !countries.includes(town.countryCode)
      return collection(isElsewhere ? [] : findObjects(q, { limit }))
    }
    if (url.pathname === '/reverse') {
      if (!query.has('lat') || !query.has('lon')) return invalid("missing search term 'lat' and/or 'lon'")
      const [lat, lng] = [Number(query.get('lat')), Number(query.get('lon'))]
      if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return invalid('invalid coordinates')
      return collection(objectsNear({ lat, lng }, limit))
    }
    return { status: 404, body: { message: 'not found' } }
  })
}

const invalid = (message: string): MapResponse => ({ status: 400, body: { message } })

function collection(objects: GridObject[]): MapResponse {
  const features = objects.map(({ index, kind, name, street, number, lat, lng }) => ({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [lng, lat] },
    properties: {
      osm_type: kind === 'street' ? 'W' : 'N',
      osm_id: index,
      osm_key: kind === 'street' ? 'highway' : kind === 'house' ? 'place' : 'amenity',
      osm_value: kind === 'street' ? 'residential' : kind,
      type: kind === 'place' ? 'house' : kind,
      ...(street === undefined ? { name } : { street, housenumber: String(number) }),
      district: town.district,
      city: town.name,
      country: town.country,
      countrycode: town.countryCode,
    },
  }))
  return { body: { type: 'FeatureCollection', features } }
}
