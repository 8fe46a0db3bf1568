import { simplifyPath } from '@hansom/domain/geo/simplify'
import { encodePolyline } from '@hansom/domain/geo/polyline'
import type { LatLng } from '@hansom/domain/geo/point'
import type { Pool } from 'pg'
import { drivenWay, isCounted, type StoredPoint } from './trip-tracks.ts'

/** How far a simplified line may lie from the points it is made of, m: less than the scatter of a receiver. */
const toleranceM = 5

interface Trip {
  id: string
  endedAt: number | null
  drop: LatLng
  isKept: boolean
}

/**
 * Makes one simplified line of each of the next `count` trips that have points in a partition of `tracking`, in the order
 * of their ids after `after`. Trips that have a line already keep it. Returns the last id; null when no trip is left.
 */
export async function keepTripLines(
  pool: Pool,
  partition: string,
  after: string | null,
  count = 100,
): Promise<string | null> {
  const trips = await nextTrips(pool, partition, after, count)
  const wanted = trips.filter((trip) => !trip.isKept)
  const points = await pointsOf(
    pool,
    wanted.map(({ id }) => id),
  )
  const lines = wanted.flatMap(({ id, endedAt, drop }) => {
    const all = points.get(id) ?? []
    const last = all.at(-1)
    if (!last) return []
    const counted = all.filter((point) => isCounted(point) && (endedAt === null || point.at <= endedAt))
    const way = drivenWay(counted, endedAt === null ? null : { lat: drop.lat, lng: drop.lng, at: endedAt })
    return [{ id, last, polyline: encodePolyline(simplifyPath(way.points, toleranceM)), km: way.distanceKm }]
  })
  await pool.query(
    `insert into trip_lines (booking_id, polyline, distance_km, last_at, last_status, last_lat, last_lng)
      select * from unnest($1::uuid[], $2::text[], $3::float8[], $4::bigint[], $5::text[], $6::float8[], $7::float8[])
      on conflict do nothing`,
    [
      lines.map(({ id }) => id),
      lines.map(({ polyline }) => polyline),
      lines.map(({ km }) => km),
      lines.map(({ last }) => last.at),
      lines.map(({ last }) => last.status),
      lines.map(({ last }) => last.lat),
      lines.map(({ last }) => last.lng),
    ],
  )
  return trips.at(-1)?.id ?? null
}

/** Steps from trip to trip along the index, instead of reading every point of the month. */
async function nextTrips(
  pool: Pool,
  partition: string,
  after: string | null,
  count: number,
): Promise<Trip[]> {
  const reply = await pool.query<Trip>(
    `with recursive ids as (
        (select booking_id from ${partition} where $1::uuid is null or booking_id > $1 order by booking_id limit 1)
        union all
        select (select p.booking_id from ${partition} p where p.booking_id > ids.booking_id order by p.booking_id limit 1)
          from ids where ids.booking_id is not null),
      next as (select booking_id from ids where booking_id is not null limit $2)
      select b.id, b.trip_end_time as "endedAt", b.drop,
        exists (select from trip_lines l where l.booking_id = b.id) as "isKept"
      from next join bookings b on b.id = next.booking_id order by b.id`,
    [after, count],
  )
  return reply.rows
}

async function pointsOf(pool: Pool, trips: readonly string[]): Promise<Map<string, StoredPoint[]>> {
  const reply = await pool.query<StoredPoint & { booking_id: string }>(
    'select booking_id, at, status, lat, lng from tracking where booking_id = any($1::uuid[]) order by booking_id, at',
    [trips],
  )
  const found = new Map<string, StoredPoint[]>()
  for (const { booking_id, ...point } of reply.rows) {
    const known = found.get(booking_id)
    if (known) known.push(point)
    else found.set(booking_id, [point])
  }
  return found
}
