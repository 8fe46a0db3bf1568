import type { PlacePoint } from '../bookings/booking.ts'
import { greatCircleKm } from '../geo/point.ts'

/** A place a rider went to, and the number of trips there. */
export interface SavedAddress {
  /** The street address, used when booking a trip to this place. */
  description: string
  /** The owner's name for the place, shown to no one else; null without a name. */
  label: string | null
  lat: number
  lng: number
  count: number
}

/** Two drops within this distance are the same place, km. */
export const sameAddressKm = 0.1

/** The most places a person may add. */
export const maxSavedAddresses = 100

/** The list after a trip to `drop`: increments the nearest place within 0.1 km, or adds a new one. */
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
