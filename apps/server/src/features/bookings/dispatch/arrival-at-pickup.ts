import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { DriveTime, Maps } from '../../../adapters/maps/port.ts'

/** Where no way is known: a city's usual speed as the crow flies, km/h. */
const straightKmh = 20

/** How far and how long a driver drives to a pickup: km and s. Zero where it is not known where the driver is. */
export async function arrivalAtPickup(
  maps: Maps,
  from: LatLng | null | undefined,
  pickup: LatLng,
): Promise<{ pickupKm: number; pickupS: number }> {
  if (!from) return { pickupKm: 0, pickupS: 0 }
  const [time] = await maps.driveTimes([{ lat: from.lat, lng: from.lng }], pickup)
  return arrivalOf(time ?? null, from, pickup)
}

/** From a known driving time, or without one by the straight line. */
export function arrivalOf(
  time: DriveTime | null,
  from: LatLng,
  pickup: LatLng,
): { pickupKm: number; pickupS: number } {
  if (time) return { pickupKm: time.distanceKm, pickupS: time.durationS }
  const km = greatCircleKm(from, pickup)
  return { pickupKm: km, pickupS: (km / straightKmh) * 3600 }
}
