import { encodePolyline } from '@hansom/domain/geo/polyline'
import type { Os } from '../../platform/http/implement.ts'
import type { PlacesService } from './service.ts'

export function placesRoutes(os: Os, places: PlacesService) {
  return {
    search: os.places.search.handler(({ input }) => {
      const { q, lat, lng, limit } = input
      const near = lat === undefined || lng === undefined ? undefined : { lat, lng }
      return places.search(q, { near, limit })
    }),
    address: os.places.address.handler(({ input }) => places.address(input)),
    route: os.places.route.handler(async ({ input }) => {
      const { distanceKm, durationS, polyline } = await places.route(input.points)
      return { distanceKm, durationS, polyline: encodePolyline(polyline) }
    }),
  }
}
