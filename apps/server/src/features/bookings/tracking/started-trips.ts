import type { Delivery } from '@hansom/domain/deliveries/delivery'
import type { LatLng } from '@hansom/domain/geo/point'
import { decodePolyline } from '@hansom/domain/geo/polyline'
import { type SafetyPoint, trackWindowMs, type WatchedTrip } from '@hansom/domain/safety/checks'
import type { Pool } from 'pg'

/** A started trip with its recent track, for the safety checks. */
export interface StartedTrip extends WatchedTrip {
  booking: string
  driver: string
}

interface Row {
  booking: string
  driver: string
  started_at: number
  pickup: LatLng
  drop: LatLng
  route: string
  delivery: Delivery | null
  route_at: number | null
  heard_at: number | null
  track: [at: number, lat: number, lng: number, accuracy: number | null][]
}

/** Trips read by one statement. */
export const tripsAtOnce = 200

/**
 * At most `tripsAtOnce` started trips by id, after the id `after`. Their points are read by the index of points, only those
 * of the last minutes.
 */
export async function readStartedTrips(
  pool: Pool,
  now: number,
  after: string | null,
): Promise<StartedTrip[]> {
  const { rows } = await pool.query<Row>({
    name: 'started-trips',
    text: `select b.id as booking, b.driver, b.trip_start_time as started_at, b.pickup, b.drop, b.route,
        (select f.delivery from delivery_facts f where f.booking_id = b.id) as delivery,
        (select max(e.at) from booking_events e
          where e.booking_id = b.id and e.at >= b.trip_start_time and e.command = 'change') as route_at,
        (select max(t.at) from tracking t where t.booking_id = b.id and t.at >= b.trip_start_time) as heard_at,
        (select coalesce(json_agg(json_build_array(t.at, t.lat, t.lng, t.accuracy) order by t.at), '[]')
          from tracking t where t.booking_id = b.id and t.at >= $1) as track
      from bookings b
      where b.status = 'STARTED' and b.driver is not null and b.trip_start_time is not null and ($2::uuid is null or b.id > $2)
      order by b.id limit ${tripsAtOnce}`,
    values: [now - trackWindowMs, after],
  })
  return rows.map(toTrip)
}

function toTrip({
  booking,
  driver,
  started_at,
  pickup,
  drop,
  route,
  delivery,
  route_at,
  heard_at,
  track,
}: Row): StartedTrip {
  const stops = delivery?.stops ?? []
  // The way back to the sender is not part of the planned route.
  const isReturning = stops.some(({ kind }) => kind === 'return')
  return {
    booking,
    driver,
    startedAt: started_at,
    track: track.map(([at, lat, lng, accuracy]): SafetyPoint => ({ at, lat, lng, accuracy })),
    heardAt: heard_at,
    places: [pickup, drop, ...stops.map(({ place }) => place)],
    route: route === '' || isReturning ? null : decodePolyline(route),
    routeAt: route_at,
  }
}

/**
 * When the newest position of each of these trips was taken under way; without those that have none. The place that the end of a
 * trip stores is no sign of the phone.
 */
export async function readHeardAt(pool: Pool, bookings: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ booking: string; at: number }>(
    `select booking_id as booking, max(at) as at from tracking
      where booking_id = any($1::uuid[]) and status = 'STARTED' group by booking_id`,
    [bookings],
  )
  return new Map(rows.map(({ booking, at }) => [booking, at]))
}
