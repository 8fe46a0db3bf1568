import { z } from 'zod'
import type { Place } from '../port.ts'
import { type AdapterDeps, endpoint, latitude, longitude, type PlaceAdapter, type Query } from './adapter.ts'
import { MapServiceError } from './call.ts'

const features = z.object({
  features: z.array(
    z.object({
      geometry: z.object({ coordinates: z.tuple([longitude, latitude]) }),
      properties: z.object({
        // Absent or different for objects that the server has from other data.
        osm_type: z.enum(['N', 'W', 'R']).optional().catch(undefined),
        osm_id: z.int().optional().catch(undefined),
        osm_key: z.string().optional(),
        name: z.string().optional(),
        street: z.string().optional(),
        housenumber: z.string().optional(),
        district: z.string().optional(),
        city: z.string().optional(),
      }),
    }),
  ),
})
type Feature = z.infer<typeof features>['features'][number]

/** Candidates when an object is looked up by its position, and for an address, since some have no id or name. */
const lookupLimit = 20
const addressLimit = 5
const idFormat = /^([NWR]\d{1,15})@(-?\d{1,2}(?:\.\d{1,7})?),(-?\d{1,3}(?:\.\d{1,7})?)$/

/**
 * Photon, a search server for OpenStreetMap data. https://github.com/komoot/photon/blob/master/docs/api-v1.md
 *
 * It has no lookup by id, so an id contains the position, and a reverse search there finds the object again.
 */
export function photonPlaces({ call, region, url }: AdapterDeps & { url: string }): PlaceAdapter {
  const request = async (kind: 'search' | 'place' | 'address', path: string, query: Query) => {
    const { answer } = await call({ kind, url: endpoint(url, path, query), shape: features })
    if (answer === null) throw new MapServiceError('photon', 'rejected')
    return answer.features.flatMap(placeOf)
  }

  return {
    search: (q, { near, limit, countries }) =>
      request('search', '/api', {
        q,
        lat: near?.lat,
        lon: near?.lng,
        limit,
        bbox: region.bounds.join(','),
        countrycode: countries,
      }),
    place: async (id) => {
      const [, object, lat, lon] = idFormat.exec(id) ?? []
      if (object === undefined) return null
      const near = await request('place', '/reverse', { lat, lon, limit: lookupLimit })
      return near.find((place) => place.id.startsWith(`${object}@`)) ?? null
    },
    address: async ({ lat, lng }) => {
      const near = await request('address', '/reverse', { lat, lon: lng, limit: addressLimit })
      return near[0] ?? null
    },
  }
}

/** Nothing for an object without an OpenStreetMap id, or without a name and address. */
function placeOf({ properties, geometry }: Feature): Place[] {
  const { osm_type, osm_id, osm_key, name, street, housenumber, district, city } = properties
  const [lng, lat] = geometry.coordinates
  const address = street && [street, housenumber].filter(Boolean).join(' ')
  const label = name ?? address
  if (label === undefined || osm_type === undefined || osm_id === undefined) return []
  const detail = [name === undefined ? undefined : address, district, city].filter(Boolean).join(', ')
  const kind = osm_key === 'highway' ? 'street' : name === undefined ? 'address' : 'place'
  return [{ id: `${osm_type}${osm_id}@${rounded(lat)},${rounded(lng)}`, label, detail, kind, lat, lng }]
}

const rounded = (degrees: number) => Number(degrees.toFixed(7))
