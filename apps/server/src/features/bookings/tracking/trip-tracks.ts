import {
  breaksToRoute,
  finishTrack,
  gapsToRoute,
  matchedLength,
  planTrack,
  type TrackGap,
  type TrackLength,
  type TrackPoint,
  withRoutedBreaks,
} from '@hansom/domain/fare/track'
import { greatCircleKm, type LatLng } from '@hansom/domain/geo/point'
import { encodePolyline } from '@hansom/domain/geo/polyline'
import type { Pool } from 'pg'
import type { Maps } from '../../../adapters/maps/port.ts'
import type { Log } from '../../../platform/log/log.ts'
import { ownDriveTimes } from '../own-drive-times.ts'

/** A stored point of a trip. */
export type StoredPoint = TrackPoint

/** Where and when (epoch ms) a trip ended. */
export interface TripEnd extends LatLng {
  at: number
}

/**
 * Length of a trip that ended at `until`, at `end` if that is known, along the streets that its positions fit, or else
 * between the positions, with gaps filled by routed distances; null without a track.
 */
export type MeasureTrip = (booking: string, until: number, end: LatLng | null) => Promise<TrackLength | null>

/** The points of trips in the database, from which fares are calculated. */
export interface TripTracks {
  /**
   * Stores points of a running trip; they are durable when this resolves. Points already stored remain unchanged.
   * Returns the number of new ones.
   */
  store(booking: string, points: readonly TrackPoint[]): Promise<number>
  /** For one command: its retries reuse the length while the positions are the same. */
  measurer(): MeasureTrip
  /** The last stored point up to a time. */
  lastUntil(booking: string, time: number): Promise<StoredPoint | null>
  /** The stored points of a driver who waits at the pickup. */
  whileWaiting(booking: string): Promise<(LatLng & { at: number })[]>
  /** The stored points of a running trip from a time on, oldest first. */
  since(booking: string, time: number): Promise<(LatLng & { at: number })[]>
  /** The route driven since the start, up to where and when the trip ended if it has. */
  path(booking: string, end: TripEnd | null): Promise<{ polyline: string; distanceKm: number }>
  latest(booking: string): Promise<StoredPoint | null>
}

export function createTripTracks(
  pool: Pool,
  maps: Pick<Maps, 'driveTimes' | 'driveTimeTable' | 'match'>,
  log: Pick<Log, 'warn'>,
): TripTracks {
  const countedPoints = async (booking: string, until = Number.MAX_SAFE_INTEGER) =>
    (
      await pool.query<StoredPoint>({
        name: 'trip-points',
        text: `select at, status, lat, lng, accuracy from tracking
          where booking_id = $1 and status in ('STARTED', 'REACHED') and at <= $2 order by at`,
        values: [booking, until],
      })
    ).rows

  const routed = (gaps: readonly (TrackGap | null)[]) =>
    Promise.all(
      gaps.map(async (gap) => {
        const [time] = gap ? await ownDriveTimes(maps, [gap.from], gap.to) : []
        return time?.distanceKm ?? null
      }),
    )

  const measureTrack = async (points: readonly TrackPoint[], booking: string): Promise<TrackLength> => {
    const plan = planTrack(points)
    const matched = await maps.match(plan.points).catch((err: unknown) => {
      log.warn(
        { err, booking },
        'failed to match a trip to streets, using the distance between its positions',
      )
      return null
    })
    const match = matched && withRoutedBreaks(matched, await routed(breaksToRoute(matched)))
    if (match) {
      // Routes across the gaps of the track are only needed where the match is not reliable without them.
      const length = matchedLength(finishTrack(plan, []), match)
      if (length.distance_source === 'matched') return length
    }
    const track = finishTrack(plan, await routed(gapsToRoute(plan)))
    return match ? matchedLength(track, match) : track
  }

  return {
    async store(booking, points) {
      if (points.length === 0) return 0
      const reply = await pool.query({
        name: 'store-trip-points',
        text: `insert into tracking (booking_id, at, status, lat, lng, accuracy)
          select $1, p.at, p.status, p.lat, p.lng, round(p.accuracy)
          from unnest($2::bigint[], $3::text[], $4::float8[], $5::float8[], $6::float8[])
            as p(at, status, lat, lng, accuracy)
          on conflict (booking_id, at) do nothing`,
        values: [
          booking,
          points.map((point) => point.at),
          points.map((point) => point.status),
          points.map((point) => point.lat),
          points.map((point) => point.lng),
          points.map((point) => point.accuracy ?? null),
        ],
      })
      return reply.rowCount ?? 0
    },

    measurer() {
      let known: { key: string; length: Promise<TrackLength> } | null = null
      return async (booking, until, end) => {
        const stored = await countedPoints(booking, until)
        if (stored.length === 0) return null
        const key = [booking, until, stored.length, end?.lat, end?.lng].join()
        if (known?.key !== key) {
          const points = end ? [...stored, { ...end, at: until, status: 'REACHED' }] : stored
          known = { key, length: measureTrack(points, booking) }
        }
        return known.length
      }
    },

    async path(booking, end) {
      const line = await pool.query<{ polyline: string; distanceKm: number }>({
        name: 'trip-line',
        text: 'select polyline, distance_km as "distanceKm" from trip_lines where booking_id = $1',
        values: [booking],
      })
      if (line.rows[0]) return line.rows[0]
      const { points, distanceKm } = drivenRoute(await countedPoints(booking, end?.at), end)
      return { polyline: encodePolyline(points), distanceKm }
    },

    async whileWaiting(booking) {
      const { rows } = await pool.query<LatLng & { at: number }>(
        `select lat, lng, at from tracking where booking_id = $1 and status in ('ACCEPTED', 'ARRIVED') order by at`,
        [booking],
      )
      return rows
    },

    async since(booking, time) {
      const { rows } = await pool.query<LatLng & { at: number }>(
        `select lat, lng, at from tracking where booking_id = $1 and status = 'STARTED' and at >= $2 order by at`,
        [booking, time],
      )
      return rows
    },

    async lastUntil(booking, time) {
      const reply = await pool.query<StoredPoint>(
        `select at, status, lat, lng from tracking
          where booking_id = $1 and at <= $2 order by at desc limit 1`,
        [booking, time],
      )
      return reply.rows[0] ?? null
    },

    async latest(booking) {
      const reply = await pool.query<StoredPoint>(
        `select at, status, lat, lng from (
            select at, status, lat, lng from tracking where booking_id = $1
            union all
            select last_at, last_status, last_lat, last_lng from trip_lines where booking_id = $1) point
          order by at desc limit 1`,
        [booking],
      )
      return reply.rows[0] ?? null
    },
  }
}

/** True for a point that counts for the fare. */
export const isCounted = ({ status }: TrackPoint) => status === 'STARTED' || status === 'REACHED'

/** The route along counted points, up to where and when the trip ended if it has, and its length. */
export function drivenRoute(
  counted: readonly TrackPoint[],
  end: TripEnd | null,
): { points: readonly LatLng[]; distanceKm: number } {
  const isDriven = end !== null && counted.length > 0
  const { points } = planTrack(isDriven ? [...counted, { ...end, status: 'REACHED' }] : counted)
  let distanceKm = 0
  points.forEach((point, index) => {
    const before = points[index - 1]
    if (before) distanceKm += greatCircleKm(before, point)
  })
  return { points, distanceKm }
}
