import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import type { DriveTime, Maps } from '../../../adapters/maps/port.ts'

/** Typical city speed in a straight line, km/h, where no route is known. */
const straightKmh = 20

/** Distance and duration of a driver's route to a pickup, km and s. Zero if the driver's location is unknown. */
export async function arrivalAtPickup(
  maps: Maps,
  from: LatLng | null | undefined,
  pickup: LatLng,
): Promise<{ pickupKm: number; pickupS: number }> {
  if (!from) return { pickupKm: 0, pickupS: 0 }
  const [time] = await maps.driveTimes([{ lat: from.lat, lng: from.lng }], pickup)
  return arrivalOf(time ?? null, from, pickup)
}

/** From the driving time, or from the straight line if it is null. */
export function arrivalOf(
  time: DriveTime | null,
  from: LatLng,
  pickup: LatLng,
): { pickupKm: number; pickupS: number } {
  if (time) return { pickupKm: time.distanceKm, pickupS: time.durationS }
  const km = greatCircleKm(from, pickup)
  return { pickupKm: km, pickupS: (km / straightKmh) * 3600 }
}
