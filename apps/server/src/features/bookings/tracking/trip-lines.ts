import { simplifyPath } from '@hansom/domain/geo/path'
import type { LatLng } from '@hansom/domain/geo/point'
import { encodePolyline } from '@hansom/domain/geo/polyline'
import type { PoolClient } from 'pg'
import type { Database } from '../../../platform/database/database.ts'
import { drivenRoute, isCounted, type StoredPoint } from './trip-tracks.ts'

/** Maximum distance of a simplified line from its points, m: less than receiver scatter. */
const toleranceM = 5

interface Trip {
  id: string
  endedAt: number | null
  drop: LatLng
}

/**
 * Creates simplified lines for the next `count` trips, in order of their IDs after `after`, that have points in a
 * partition of `tracking`. Existing lines are kept. Returns the last ID, or null when no trip is left.
 */
export function storeTripLines(
  database: Pick<Database, 'withTransaction'>,
  partition: string,
  after: string | null,
  count = 100,
): Promise<string | null> {
  return database.withTransaction(async ({ client }) => {
    const ids = await nextIds(client, partition, after, count)
    await storeLines(client, ids)
    return ids.at(-1) ?? null
  })
}

async function storeLines(client: PoolClient, ids: readonly string[]): Promise<void> {
  const wanted = await lockTripsWithoutLine(client, ids)
  const points = await pointsOf(
    client,
    wanted.map(({ id }) => id),
  )
  const lines = wanted.flatMap(({ id, endedAt, drop }) => {
    const all = points.get(id) ?? []
    const last = all.at(-1)
    if (!last) return []
    const counted = all.filter((point) => isCounted(point) && (endedAt === null || point.at <= endedAt))
    const route = drivenRoute(
      counted,
      endedAt === null ? null : { lat: drop.lat, lng: drop.lng, at: endedAt },
    )
    return [
      { id, last, polyline: encodePolyline(simplifyPath(route.points, toleranceM)), km: route.distanceKm },
    ]
  })
  await client.query(
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
}

/**
 * Steps from trip to trip along the index instead of reading every point of the month. A trip may have been deleted
 * meanwhile.
 */
async function nextIds(
  client: PoolClient,
  partition: string,
  after: string | null,
  count: number,
): Promise<string[]> {
  const reply = await client.query<{ id: string }>(
    `with recursive ids as (
        (select booking_id from ${partition} where $1::uuid is null or booking_id > $1 order by booking_id limit 1)
        union all
        select (select p.booking_id from ${partition} p where p.booking_id > ids.booking_id order by p.booking_id limit 1)
          from ids where ids.booking_id is not null)
      select booking_id as id from ids where booking_id is not null limit $2`,
    [after, count],
  )
  return reply.rows.map(({ id }) => id)
}

/** Locked because erasing an account deletes points and lines of its trips. */
async function lockTripsWithoutLine(client: PoolClient, ids: readonly string[]): Promise<Trip[]> {
  const reply = await client.query<Trip>(
    `select id, trip_end_time as "endedAt", drop from bookings b
      where id = any($1::uuid[]) and not exists (select from trip_lines l where l.booking_id = b.id)
      order by id for key share`,
    [ids],
  )
  return reply.rows
}

async function pointsOf(client: PoolClient, trips: readonly string[]): Promise<Map<string, StoredPoint[]>> {
  const reply = await client.query<StoredPoint & { booking_id: string }>(
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
