import { packFleet } from '@hansom/contract/fleet-state'
import {
  type FleetCar,
  type FleetChange,
  type FleetMove,
  type FleetMoveRow,
  type FleetState,
  liveTopics,
} from '@hansom/contract/live'
import { can } from '@hansom/domain/access/permissions'
import { Refusal } from '@hansom/domain/error-keys'
import { fleetFreshMs, isOnFleetMap, maxFleetCars } from '@hansom/domain/users/eligibility'
import type { Pool, PoolClient } from 'pg'
import type { SessionActor } from '../../../platform/http/implement.ts'
import { channelName } from '../../../platform/live/channels.ts'
import type { TopicSource } from '../../../platform/live/topics.ts'
import { adminAudience, audienceOf, type LivePublisher } from '../booking-changed-event.ts'

/** A written position of a driver who is on the map. */
export interface WrittenMove extends FleetMove {
  fleetadmin: string | null
  /** The driver's first position, or the first after a long silence: maps do not show the car yet. */
  isFirst: boolean
}

interface CarRow extends FleetCar {
  fleetadmin: string | null
  shown: boolean
}

/** Rounded to about a meter and a degree: a map shows no more, and it keeps ten thousand cars small. */
const place = `round(u.lat::numeric, 5)::float8 as lat, round(u.lng::numeric, 5)::float8 as lng, round(u.bearing) as bearing`
const columns = `u.id as uid, trim(concat(u.first_name, ' ', u.last_name)) as name, u.vehicle_number as "vehicleNumber",
  c.name as "carType", c.image as "carImage", u.queue, ${place}, u.located_at as at, u.fleetadmin`
const tables = 'user_facts u left join car_type_facts c on c.id = u.car_type_id'

const channelOf = (audience: string) => channelName(liveTopics.fleet, audience)

/**
 * Frames that a slow client misses are not sent again. Every 5th frame carries all moves since the last full frame, so
 * a dropped frame cannot leave a stopped car in the wrong place.
 */
const framesUntilAll = 5
/** Maximum number of moves in a frame; the oldest go first. */
export const movesPerFrame = 2_000
/** A stationary car is published again after this time, ms, to show that it is still there. */
const repeatAfterMs = 30_000

/** Publishes driver positions to the admin map: all drivers for admins, their own for a fleet admin. */
export class FleetPublisher {
  private readonly hub: Pick<LivePublisher, 'publish' | 'publishVolatile'>
  private readonly pool: Pool
  private readonly now: () => number
  /** By audience: moves to publish, and moves published since the last full frame. */
  private readonly waiting = new Map<string, Map<string, FleetMove>>()
  private recent = new Map<string, Map<string, FleetMove>>()
  /** The last published move by driver. */
  private readonly lastPublished = new Map<string, FleetMove>()
  private frames = 0

  constructor(hub: Pick<LivePublisher, 'publish' | 'publishVolatile'>, pool: Pool, now: () => number) {
    this.hub = hub
    this.pool = pool
    this.now = now
  }

  /** Publishes drivers whose records have changed: added, removed, or shown differently. */
  async changed(drivers: readonly string[], client: Pool | PoolClient = this.pool): Promise<void> {
    if (drivers.length === 0) return
    const reply = await client.query<CarRow>({
      name: 'fleet-cars',
      text: `select ${columns}, u.is_on_map as shown from ${tables} where u.id = any($1::uuid[])`,
      values: [drivers],
    })
    for (const { fleetadmin, shown, ...car } of reply.rows) {
      for (const audience of audiencesOf(fleetadmin)) {
        if (shown && isOnFleetMap(car, this.now()))
          this.hub.publish(channelOf(audience), { put: car } satisfies FleetChange)
        else this.remove(audience, car.uid)
      }
    }
  }

  /** Removes a driver who has left a fleet from that fleet admin's map. */
  left(driver: string, fleetadmin: string): void {
    this.remove(fleetadmin, driver)
  }

  /** Publishes positions just written, of all drivers together: one frame per audience. */
  async moved(moves: readonly WrittenMove[]): Promise<void> {
    await this.changed(moves.filter(({ isFirst }) => isFirst).map(({ uid }) => uid))
    this.frames++
    const isAll = this.frames % framesUntilAll === 0
    if (isAll) this.repeatRecent()
    for (const { fleetadmin, isFirst: _isFirst, ...written } of moves) {
      const bearing = written.bearing === null ? null : Math.round(written.bearing)
      const move = { ...written, lat: rounded(written.lat), lng: rounded(written.lng), bearing }
      if (isUnchanged(this.lastPublished.get(move.uid), move)) continue
      this.lastPublished.set(move.uid, move)
      for (const audience of audiencesOf(fleetadmin)) mapAt(this.waiting, audience).set(move.uid, move)
    }
    for (const [audience, cars] of this.waiting) {
      const moved = [...cars.values()].slice(0, movesPerFrame)
      for (const move of moved) {
        cars.delete(move.uid)
        if (!isAll) mapAt(this.recent, audience).set(move.uid, move)
      }
      if (cars.size === 0) this.waiting.delete(audience)
      const rows = moved.map(({ uid, lat, lng, bearing, at }): FleetMoveRow => [uid, lat, lng, bearing, at])
      this.hub.publishVolatile(channelOf(audience), { moved: rows } satisfies FleetChange)
    }
  }

  private repeatRecent(): void {
    for (const [audience, cars] of this.recent) {
      const waiting = mapAt(this.waiting, audience)
      for (const [driver, move] of cars) if (!waiting.has(driver)) waiting.set(driver, move)
    }
    this.recent = new Map()
  }

  private remove(audience: string, driver: string): void {
    for (const moves of [this.recent, this.waiting]) moves.get(audience)?.delete(driver)
    this.lastPublished.delete(driver)
    this.hub.publish(channelOf(audience), { remove: driver } satisfies FleetChange)
  }
}

/** True if the car is where the last published move put it, and that move is recent. */
function isUnchanged(last: FleetMove | undefined, move: FleetMove): boolean {
  if (last === undefined || move.at - last.at >= repeatAfterMs || move.at < last.at) return false
  return last.lat === move.lat && last.lng === move.lng && last.bearing === move.bearing
}

function mapAt(maps: Map<string, Map<string, FleetMove>>, audience: string): Map<string, FleetMove> {
  const known = maps.get(audience) ?? new Map<string, FleetMove>()
  maps.set(audience, known)
  return known
}

const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5

const audiencesOf = (fleetadmin: string | null) =>
  fleetadmin === null ? [adminAudience] : [adminAudience, fleetadmin]

/** The topic of the admin map. */
export function fleetSource(pool: Pool, now: () => number): TopicSource<FleetState> {
  const mayFollow = (actor: SessionActor | null): actor is SessionActor =>
    actor?.approved === true && can(actor, 'topic.fleet')
  return {
    isShared: true,
    async authorize(actor) {
      return mayFollow(actor) ? { channel: channelOf(audienceOf(actor)) } : null
    },
    async snapshot(actor) {
      if (!mayFollow(actor)) throw new Refusal('not_found')
      const isAdmin = actor.role === 'admin'
      const reply = await pool.query<CarRow>({
        name: isAdmin ? 'fleet-of-all' : 'fleet-of-one',
        text: `select ${columns} from ${tables} where u.is_on_map and (u.queue or u.located_at > $2)
          and ${isAdmin ? '$1::uuid is not null' : 'u.fleetadmin = $1'} order by u.located_at desc limit ${maxFleetCars}`,
        values: [actor.id, now() - fleetFreshMs],
      })
      return packFleet(reply.rows)
    },
  }
}
