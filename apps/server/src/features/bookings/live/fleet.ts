import { type FleetCar, type FleetChange, type FleetMove, liveTopics } from '@hansom/contract/live'
import { can } from '@hansom/domain/access/permissions'
import type { Pool, PoolClient } from 'pg'
import { Refusal } from '@hansom/domain/error-keys'
import type { Viewer } from '../../../platform/http/request-context.ts'
import { channelName, type TopicSource } from '../../../platform/live/topics.ts'
import { adminAudience, audienceOf } from './audience.ts'
import type { LivePublisher } from './publish.ts'

/** A position that was written, of a driver who is on the map. */
export interface WrittenMove extends FleetMove {
  fleetadmin: string | null
  /** The driver's first: nobody has the car yet. */
  isFirst: boolean
}

interface CarRow extends FleetCar {
  fleetadmin: string | null
  shown: boolean
}

const columns = `u.id as uid, trim(concat(u.first_name, ' ', u.last_name)) as name,
  u.vehicle_number as "vehicleNumber", c.name as "carType", c.image as "carImage", u.queue, u.lat, u.lng, u.bearing,
  u.located_at as at, u.fleetadmin`
const tables = 'users u left join car_types c on c.id = u.car_type_id'

/** Whose car is on the office's map, for rows of users under the name u. */
export const shownDriver = `u.usertype = 'driver' and u.approved and u.driver_active_status and u.lat is not null`

const channelOf = (audience: string) => channelName(liveTopics.fleet, audience)

/**
 * A frame that a slow client missed is not sent again. Every so many frames one has all that moved since the one like
 * it before, so that a car that stopped just then is put right.
 */
const framesUntilAll = 5

/** Tells the office where its drivers are: all of them for admins, the own ones for a fleet admin. */
export class FleetNews {
  private readonly hub: Pick<LivePublisher, 'publish' | 'publishVolatile'>
  private readonly pool: Pool
  private recent = new Map<string, Map<string, FleetMove>>()
  private frames = 0

  constructor(hub: Pick<LivePublisher, 'publish' | 'publishVolatile'>, pool: Pool) {
    this.hub = hub
    this.pool = pool
  }

  /** Drivers whose records have changed: they come, go, or are shown otherwise. */
  async changed(drivers: readonly string[], client: Pool | PoolClient = this.pool): Promise<void> {
    if (drivers.length === 0) return
    const reply = await client.query<CarRow>({
      name: 'fleet-cars',
      text: `select ${columns}, coalesce(${shownDriver}, false) as shown from ${tables} where u.id = any($1::uuid[])`,
      values: [drivers],
    })
    for (const { fleetadmin, shown, ...car } of reply.rows) {
      for (const audience of audiencesOf(fleetadmin)) {
        if (shown) this.hub.publish(channelOf(audience), { put: car } satisfies FleetChange)
        else this.remove(audience, car.uid)
      }
    }
  }

  /** A driver who has left a fleet is on that fleet admin's map no more. */
  left(driver: string, fleetadmin: string): void {
    this.remove(fleetadmin, driver)
  }

  /** Positions that were just written, of all drivers together: one frame for each audience. */
  async moved(moves: readonly WrittenMove[]): Promise<void> {
    await this.changed(moves.filter(({ isFirst }) => isFirst).map(({ uid }) => uid))
    this.frames++
    const isAll = this.frames % framesUntilAll === 0
    const now = new Map<string, Map<string, FleetMove>>()
    for (const { fleetadmin, isFirst: _isFirst, ...written } of moves) {
      // A metre: ten thousand cars are told every two seconds.
      const move = { ...written, lat: rounded(written.lat), lng: rounded(written.lng) }
      for (const audience of audiencesOf(fleetadmin)) {
        for (const kept of [now, this.recent]) {
          const cars = kept.get(audience) ?? new Map<string, FleetMove>()
          kept.set(audience, cars.set(move.uid, move))
        }
      }
    }
    for (const [audience, cars] of isAll ? this.recent : now) {
      const frame: FleetChange = { moved: [...cars.values()] }
      this.hub.publishVolatile(channelOf(audience), frame)
    }
    if (isAll) this.recent = new Map()
  }

  private remove(audience: string, driver: string): void {
    this.recent.get(audience)?.delete(driver)
    this.hub.publish(channelOf(audience), { remove: driver } satisfies FleetChange)
  }
}

const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5

const audiencesOf = (fleetadmin: string | null) =>
  fleetadmin === null ? [adminAudience] : [adminAudience, fleetadmin]

/** The topic of the office's map. */
export function fleetSource(pool: Pool): TopicSource<FleetCar[]> {
  const mayFollow = (viewer: Viewer | null): viewer is Viewer =>
    viewer?.approved === true && can({ id: viewer.uid, usertype: viewer.role }, 'topic.fleet')
  return {
    async authorize(viewer) {
      return mayFollow(viewer) ? { channel: channelOf(audienceOf(viewer)) } : null
    },
    async snapshot(viewer) {
      if (!mayFollow(viewer)) throw new Refusal('not_found')
      const isAdmin = viewer.role === 'admin'
      const reply = await pool.query<CarRow>({
        name: isAdmin ? 'fleet-of-all' : 'fleet-of-one',
        text: `select ${columns} from ${tables} where ${shownDriver}
          and ${isAdmin ? '$1::uuid is not null' : 'u.fleetadmin = $1'}`,
        values: [viewer.uid],
      })
      return reply.rows.map(({ fleetadmin: _fleetadmin, ...car }) => car)
    },
  }
}
