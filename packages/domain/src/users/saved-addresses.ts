import type { PlacePoint } from '../bookings/booking.ts'
import { greatCircleKm } from '../geo/point.ts'

/** A place a rider went to, and how often. */
export interface SavedAddress {
  /** Its address: what a booking to it says. */
  description: string
  /** What its owner calls it, shown to nobody else; null without a name. */
  label: string | null
  lat: number
  lng: number
  count: number
}

/** Two drops this near are the same place, km. */
export const sameAddressKm = 0.1

/** How many places a person may keep by hand. */
export const mostSavedAddresses = 100

/** The list after a trip to `drop`: the nearest place within 0.1 km counts one more, otherwise a new one is added. */
export function savedAddressesAfter(list: readonly SavedAddress[], drop: PlacePoint): SavedAddress[] {
  let nearest = -1
  let nearestKm = sameAddressKm
  list.forEach((address, index) => {
    const km = greatCircleKm(address, drop)
    if (km <= nearestKm) {
      nearest = index
      nearestKm = km
    }
  })
  if (nearest < 0)
    return [...list, { description: drop.add, label: null, lat: drop.lat, lng: drop.lng, count: 1 }]
  return list.map((address, index) =>
    index === nearest ? { ...address, count: address.count + 1 } : address,
  )
}
