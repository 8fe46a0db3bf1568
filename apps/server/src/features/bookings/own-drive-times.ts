import type { LatLng } from '@hansom/domain/geo/point'
import type { DriveTime, Maps } from '../../adapters/maps/port.ts'

/**
 * Driving times from each of `froms` to `to`, in order, from our own streets. Only starts without a route there are
 * requested from an outside service, in one call, because services charge for each start. Null where neither has one.
 */
export async function ownDriveTimes(
  maps: Pick<Maps, 'driveTimes' | 'driveTimeTable'>,
  froms: readonly LatLng[],
  to: LatLng,
): Promise<(DriveTime | null)[]> {
  if (froms.length === 0) return []
  const points = froms.map(({ lat, lng }) => ({ lat, lng }))
  const target = { lat: to.lat, lng: to.lng }
  const times = (await maps.driveTimeTable(points, [target])).map(([time]) => time ?? null)
  const missing = points.flatMap((_, index) => (times[index] ? [] : [index]))
  if (missing.length === 0) return times
  const found = await maps.driveTimes(
    missing.map((index) => points[index] as LatLng),
    target,
  )
  for (const [at, index] of missing.entries()) times[index] = found[at] ?? null
  return times
}
