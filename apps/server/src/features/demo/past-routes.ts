import type { PlacePoint } from '@hansom/domain/bookings/booking'
import type { DeliveryPlan } from '@hansom/domain/deliveries/new-delivery'
import type { LatLng } from '@hansom/domain/geo/point'
import type { Settings } from '@hansom/domain/settings/settings'
import type { Maps } from '../../adapters/maps/port.ts'
import { planDelivery } from '../bookings/plan-delivery.ts'
import { type PlannedRoute, planRoute } from '../bookings/plan-route.ts'
import { seededRandom } from './history-plan.ts'

/** A past route with its two ends. */
export interface PastRoute extends PlannedRoute {
  pickup: PlacePoint
  drop: PlacePoint
  /** The drops of a delivery, in visiting order, and their plan from time 0; null in the taxi category. */
  delivery: { drops: readonly PlacePoint[]; plan: DeliveryPlan } | null
}

const knownCount = 74
/** Half the width of the busy area in degrees, as in the simulated city; less in a small region. */
const mostSpread = 0.055

/**
 * Plans street routes between addresses in the area of `maps`, most of them near its center; always the same ones. They
 * are made with our own map, because a service would bill hundreds of calls; none where it does not cover the area.
 */
export async function planRoutes(
  { region, covers }: Pick<Maps, 'region' | 'covers'>,
  own: Maps,
  count: number,
  category: Settings['category'],
): Promise<PastRoute[]> {
  const isKnown = (point: LatLng) => covers(point) && own.covers(point)
  const chance = seededRandom(77)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T
  const { center, bounds } = region
  const [west, south, east, north] = bounds
  const spread = Math.min(mostSpread, (east - west) / 2, (north - south) / 2)
  const known: PlacePoint[] = []
  for (let tries = 0; known.length < knownCount && tries < 8 * knownCount; tries += 1) {
    const lean = chance() ** 1.5
    const offset = () => (2 * chance() - 1) * spread * lean
    const point = { lat: center.lat + offset(), lng: center.lng + offset() }
    const address = isKnown(point) ? await own.address(point) : null
    if (address === null || !isKnown(address)) continue
    const { lat, lng, label, detail } = address
    known.push({ lat, lng, add: [label, detail].filter(Boolean).join(', ') })
  }
  const routes: PastRoute[] = []
  for (let tries = 0; routes.length < count && tries < 4 * count; tries += 1) {
    const [pickup, drop] = [pick(known), pick(known)]
    if (pickup === drop) continue
    const found =
      category === 'taxi'
        ? await tripRoute(own, pickup, drop)
        : await deliveryRoute(own, pickup, [
            drop,
            ...Array.from({ length: moreDrops(chance()) }, () => pick(known)),
          ])
    if (found !== null && found.distanceKm > 0.7) routes.push(found)
  }
  return routes
}

async function tripRoute(own: Maps, pickup: PlacePoint, drop: PlacePoint): Promise<PastRoute | null> {
  const route = await planRoute(own, pickup, drop)
  return route && { ...route, pickup, drop, delivery: null }
}

/** Most deliveries have one drop, some two to four. */
const moreDrops = (luck: number) => (luck < 0.7 ? 0 : 1 + Math.floor((luck - 0.7) * 10))

async function deliveryRoute(
  own: Maps,
  pickup: PlacePoint,
  wanted: readonly PlacePoint[],
): Promise<PastRoute | null> {
  const places = [...new Set(wanted)].filter((place) => place !== pickup)
  const drops = places.map((place) => ({ place }))
  const planned = await planDelivery(own, { pickup, drops, order: 'best', leaveAt: 0, serviceS: 180 })
  if ('unreachable' in planned) return null
  const visited = planned.plan.order.map((position) => places[position] as PlacePoint)
  const plan = { ...planned.plan, order: visited.map((_, index) => index) }
  return { ...planned.route, pickup, drop: visited.at(-1) as PlacePoint, delivery: { drops: visited, plan } }
}
