import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { Maps } from '../../adapters/maps/port.ts'
import { type PlannedRoute, planRoute } from '../bookings/create-booking.ts'
import { seededRandom } from './history-plan.ts'

/** Destinations of the demo's people, with addresses as locals write them. */
const places: readonly PlacePoint[] = [
  { lat: -34.9065, lng: -56.1996, add: 'Plaza Independencia, Ciudad Vieja' },
  { lat: -34.9063, lng: -56.2113, add: 'Mercado del Puerto, Ciudad Vieja' },
  { lat: -34.8938, lng: -56.1663, add: 'Terminal Tres Cruces' },
  { lat: -34.9137, lng: -56.1675, add: 'Parque Rodó' },
  { lat: -34.9236, lng: -56.1586, add: 'Punta Carretas Shopping' },
  { lat: -34.9093, lng: -56.1503, add: 'Avenida Brasil, Pocitos' },
  { lat: -34.9036, lng: -56.1364, add: 'Montevideo Shopping, Buceo' },
  { lat: -34.8945, lng: -56.1527, add: 'Estadio Centenario' },
  { lat: -34.8913, lng: -56.1873, add: 'Palacio Legislativo' },
  { lat: -34.8607, lng: -56.2036, add: 'Prado' },
  { lat: -34.8835, lng: -56.0587, add: 'Arocena, Carrasco' },
  { lat: -34.8935, lng: -56.1055, add: 'Malvín' },
  { lat: -34.8851, lng: -56.1478, add: 'La Blanqueada' },
  { lat: -34.8735, lng: -56.1472, add: 'Hospital Español, La Unión' },
]

/** A past route with its two ends. */
export interface PastRoute extends PlannedRoute {
  pickup: PlacePoint
  drop: PlacePoint
}

const nearbyCount = 60
const nearDegrees = 0.016

/** Plans street routes between well-known places and addresses near them; always the same ones. */
export async function planRoutes(maps: Maps, count: number): Promise<PastRoute[]> {
  const chance = seededRandom(77)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T
  const known = [...places]
  for (let number = 0; number < nearbyCount; number += 1) {
    const { lat, lng } = pick(places)
    const offset = () => (chance() - 0.5) * nearDegrees
    const address = await maps.address({ lat: lat + offset(), lng: lng + offset() })
    if (address !== null) {
      known.push({
        lat: address.lat,
        lng: address.lng,
        add: [address.label, address.detail].filter(Boolean).join(', '),
      })
    }
  }
  const routes: PastRoute[] = []
  for (let tries = 0; routes.length < count && tries < 4 * count; tries += 1) {
    const [pickup, drop] = [pick(known), pick(known)]
    const route = pickup === drop ? null : await planRoute(maps, pickup, drop)
    if (route !== null && route.distanceKm > 0.7) routes.push({ ...route, pickup, drop })
  }
  return routes
}
