import type { TrackLength } from '@hansom/domain/fare/track'
import type { Pool } from 'pg'
import type { Streets } from '../apps/server/src/adapters/maps/embedded/streets/route.ts'
import {
  driftingTrack,
  drivenTrack,
  randomFrom,
} from '../apps/server/src/adapters/maps/embedded/streets/test-drives.ts'
import type { GpsPoint, Route } from '../apps/server/src/adapters/maps/port.ts'
import { filterPositions } from '../apps/server/src/features/bookings/tracking/filter-positions.ts'
import { createTripTracks } from '../apps/server/src/features/bookings/tracking/trip-tracks.ts'
import { silentLog } from '../apps/server/src/platform/log/log.ts'
import { against, type Line, rounded } from './limits.ts'

const kinds = [
  { kind: 'position every 2 to 5 s', trackOf: drivenTrack },
  { kind: 'position every second, stops, drift', trackOf: driftingTrack },
]
/** Of the error's median, %, for each standard deviation of the noise, m. */
const limits: [sigma: number, limit: number][] = [
  [15, 2],
  [40, 5],
]

/**
 * The distance of driven routes as the product measures it when a trip ends: positions filtered as they are reported,
 * matched to streets, and compared with the track. Without gaps, so nothing is asked of an outside service.
 */
export async function distanceLines(
  streets: Streets,
  routes: readonly Route[],
  name: string,
): Promise<Line[]> {
  const lines: Line[] = []
  for (const { kind, trackOf } of kinds)
    for (const [sigma, limit] of limits) {
      const random = randomFrom(sigma)
      const tracks = routes.map((route) => trackOf(route, sigma, random))
      const began = performance.now()
      const lengths: TrackLength[] = []
      for (const track of tracks) lengths.push(await lengthOf(streets, track))
      const ms = performance.now() - began
      const positions = tracks.reduce((sum, track) => sum + track.length, 0)
      const errors = lengths
        .map(({ distance }, at) => Math.abs(distance / (routes[at] as Route).distanceKm - 1) * 100)
        .toSorted((a, b) => a - b)
      const share = (part: number) => errors[Math.floor(errors.length * part)] ?? Number.NaN
      const matched = lengths.filter((length) => length.distance_source === 'matched').length
      const detail = `half within ${rounded(share(0.5))} %, ${matched} of ${routes.length} matched, ${Math.round((ms / positions) * 1000)} ms for 1,000 positions`
      const job = `distance at ${sigma} m of noise in ${name}, ${kind}: ${detail}`
      lines.push(against(job, '% off, nine in ten', share(0.9), limit))
    }
  return lines
}

async function lengthOf(streets: Streets, track: readonly GpsPoint[]): Promise<TrackLength> {
  const until = track.at(-1)?.at ?? 0
  const { kept } = filterPositions({ last: null, doubted: null }, track, until)
  const rows = kept.map((point) => ({ ...point, status: 'STARTED' }))
  const maps = {
    match: (points: GpsPoint[]) => streets.match(points),
    driveTimeTable: async () => [],
    driveTimes: async () => [],
  }
  const tracks = createTripTracks({ query: async () => ({ rows }) } as unknown as Pool, maps, silentLog())
  const length = await tracks.measurer()('', until, null)
  if (!length) throw new Error('no distance')
  return length
}
