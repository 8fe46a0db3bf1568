import { isRefusal } from '@hansom/client/api-error'
import type { ApiClient } from '@hansom/client/rest-link'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import { between } from './random.ts'

/** A route along the streets: its points, length in km and driving time in s. */
export interface StreetRoute {
  path: LatLng[]
  km: number
  seconds: number
}

/** The area of trips in the simulated city: most end near the center, some further out. */
export interface City {
  center: LatLng
  /** Half the width of the busy area, degrees. */
  spread: number
}

const tries = 8

/** Returns an address on a street near a random point of the city; null when none was found in a few tries. */
export async function randomAddress(api: ApiClient, city: City): Promise<PlacePoint | null> {
  for (let attempt = 0; attempt < tries; attempt++) {
    const lean = Math.random() ** 1.5
    const lat = city.center.lat + between(-1, 1) * city.spread * lean
    const lng = city.center.lng + between(-1, 1) * city.spread * lean
    try {
      const place = await api.places.address({ lat, lng })
      return { lat: place.lat, lng: place.lng, add: [place.label, place.detail].filter(Boolean).join(', ') }
    } catch (error) {
      if (!isRefusal(error)) throw error
    }
  }
  return null
}

/** Returns the route between two points; null when none exists. */
export async function routeBetween(api: ApiClient, from: LatLng, to: LatLng): Promise<StreetRoute | null> {
  try {
    const found = await api.places.route({ points: [pointOf(from), pointOf(to)] })
    const path = decodePolyline(found.polyline)
    return path.length > 1 ? { path, km: found.distanceKm, seconds: Math.max(1, found.durationS) } : null
  } catch (error) {
    if (isRefusal(error)) return null
    throw error
  }
}

const startsHereKm = 0.15

/** Returns the route that priced the booking if the car is at its start; null otherwise. */
export function pricedRoute(
  booking: { route: string; estimateDistance: number; estimateTime: number },
  place: LatLng,
): StreetRoute | null {
  const path = decodePolyline(booking.route)
  const start = path[0]
  if (!start || path.length < 2 || greatCircleKm(start, place) > startsHereKm) return null
  return { path, km: booking.estimateDistance, seconds: Math.max(1, booking.estimateTime) }
}

const pointOf = ({ lat, lng }: LatLng): LatLng => ({ lat, lng })
