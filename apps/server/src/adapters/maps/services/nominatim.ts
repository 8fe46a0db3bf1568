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

const fromText = z.string().transform(Number)
const found = z.object({
  osm_type: z.enum(['node', 'way', 'relation']).optional(),
  osm_id: z.int().optional(),
  lat: fromText.pipe(latitude),
  lon: fromText.pipe(longitude),
  category: z.string(),
  name: z.string().nullish(),
  display_name: z.string(),
  address: z.record(z.string(), z.string()),
})
const list = z.array(found)
const one = z.union([found, z.object({ error: z.unknown() })])

const format = { format: 'jsonv2', addressdetails: 1 }
/** Buildings. https://nominatim.org/release-docs/latest/api/Reverse/ */
const houseZoom = 18

/**
 * Nominatim, a search server for OpenStreetMap data. https://nominatim.org/release-docs/latest/api/Overview/
 *
 * It finds complete names only: no misspelt and no unfinished ones.
 */
export function nominatimPlaces({ call, region, url }: AdapterDeps & { url: string }): PlaceAdapter {
  return {
    search: async (q, { limit, countries }) => {
      const { answer } = await call({
        kind: 'search',
        url: endpoint(url, '/search', {
          q,
          ...format,
          limit,
          viewbox: region.bounds.join(','),
          bounded: 1,
          countrycodes: countries.join(',').toLowerCase(),
        }),
        shape: list,
      })
      if (answer === null) throw new MapServiceError('nominatim', 'rejected')
      // House numbers of one interpolated line have its id.
      const places = new Map(answer.flatMap(placeOf).map((place) => [place.id, place]))
      return [...places.values()]
    },
    place: async (id) => {
      if (!/^[NWR]\d{1,15}$/.test(id)) return null
      const { answer } = await call({
        kind: 'place',
        url: endpoint(url, '/lookup', { osm_ids: id, ...format }),
        shape: list,
      })
      return answer?.flatMap(placeOf)[0] ?? null
    },
    address: async ({ lat, lng }) => {
      const { answer } = await call({
        kind: 'address',
        url: endpoint(url, '/reverse', { lat, lon: lng, zoom: houseZoom, ...format }),
        shape: one,
      })
      if (answer === null) throw new MapServiceError('nominatim', 'rejected')
      return 'error' in answer ? null : (placeOf(answer)[0] ?? null)
    },
  }
}

/** Nothing for results without an object, such as postcodes. */
function placeOf({
  osm_type,
  osm_id,
  lat,
  lon,
  category,
  name,
  display_name,
  address,
}: z.infer<typeof found>): Place[] {
  if (osm_type === undefined || osm_id === undefined) return []
  const { road, house_number, suburb, city, town, village } = address
  const isAddress = road !== undefined && house_number !== undefined && !name
  const label = isAddress ? `${road} ${house_number}` : name || splitAddress(display_name).label
  return [
    {
      id: `${osm_type.slice(0, 1).toUpperCase()}${osm_id}`,
      label,
      detail: [suburb, city ?? town ?? village].filter(Boolean).join(', '),
      kind: category === 'highway' ? 'street' : isAddress ? 'address' : 'place',
      lat,
      lng: lon,
    },
  ]
}
