import { pathKm, pointAlong } from '@hansom/domain/geo/path'
import type { LatLng } from '@hansom/domain/geo/point'
import type { StreetRoute } from '../city/streets.ts'

/** Position of a car on a route. `speed` is km/h, `bearing` degrees from north. */
export interface RoutePose extends LatLng {
  bearing: number
  speed: number
  arrived: boolean
}

/** Follows a route from `startedAt` (epoch ms of the city's clock) at its average speed times `pace`. */
export function followRoute(route: StreetRoute, startedAt: number, pace: number): (now: number) => RoutePose {
  const length = pathKm(route.path)
  const kmPerS = (length / route.seconds) * pace
  return (now) => {
    const km = Math.max(0, (now - startedAt) / 1000) * kmPerS
    const arrived = km >= length
    const { lat, lng, bearing } = pointAlong(route.path, km)
    return { lat, lng, bearing: bearing % 360, speed: arrived ? 0 : kmPerS * 3600, arrived }
  }
}
