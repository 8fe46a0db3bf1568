import { setImmediate } from 'node:timers/promises'
import { liveTopics } from '@hansom/contract/live'
import type { BoundingBox } from '@hansom/domain/geo/path'
import { isEligible } from '@hansom/domain/users/eligibility'
import type { Role } from '@hansom/domain/users/roles'
import type { Pool, PoolClient } from 'pg'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import { channelName } from '../../../platform/live/channels.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import type { UsersService } from '../../users/service.ts'
import { userChanged } from '../../users/user-changed.ts'
import { bookingChanged, type LivePublisher, readBookingChange } from '../booking-changed-event.ts'
import type { FleetPublisher } from '../live/fleet.ts'
import { isAhead } from './filter-positions.ts'

/** A driver's row as the index needs it. */
export interface DriverRow {
  id: string
  usertype: Role
  approved: boolean
  queue: boolean
  active: boolean
  car_type_id: string | null
  lat: number | null
  lng: number | null
  bearing: number | null
  at: number | null
}

/** What has changed about drivers: rows of those there are, and the ids of all that were looked up. */
export interface DriverChange {
  ids: readonly string[]
  rows: readonly DriverRow[]
}

/** The driver database, index and clock. */
interface IndexDeps {
  pool: Pool | PoolClient
  index: DriverIndex
  clock: Pick<Clock, 'now' | 'elapsed'>
}

/** Drivers put into the index without a pause. */
const putAtOnce = 1_000

const columns = `id, usertype, approved, queue, driver_active_status as active, car_type_id, lat, lng, bearing,
  located_at as at`

const wholeWorld = { south: -90, west: -180, north: 90, east: 180 }

/**
 * Fills the live index with the last position of every driver; newer ones that it has are kept. Drivers that searches find but
 * who have no row any more are removed. Returns the number of rows.
 */
export async function loadDriverIndex(deps: IndexDeps): Promise<number> {
  const { rows } = await deps.pool.query<DriverRow>(
    `select ${columns} from user_facts where usertype = 'driver' and lat is not null and located_at is not null`,
  )
  const known = await deps.index.sample(wholeWorld, Number.MAX_SAFE_INTEGER)
  await putDrivers(deps, { ids: [...new Set([...rows, ...known].map(({ id }) => id))], rows })
  return rows.length
}

/** Puts the drivers whose last stored position is in a box into the index; newer positions that it has are kept. */
export async function loadDriversIn(
  deps: IndexDeps,
  { south, west, north, east }: BoundingBox,
): Promise<void> {
  const { rows } = await deps.pool.query<DriverRow>({
    name: 'drivers-in-box',
    text: `select ${columns} from user_facts where usertype = 'driver' and located_at is not null
      and lat between $1 and $2
      and (lng between $3 and $4 or lng - 360 between $3 and $4 or lng + 360 between $3 and $4)`,
    values: [south, north, west, east],
  })
  await putDrivers(deps, { ids: rows.map(({ id }) => id), rows })
}

/**
 * Syncs one driver's index entry with the row: eligibility and car type. A newer position in the index is kept. Returns
 * the row, or null if there is no such driver.
 */
export async function syncDriver(deps: IndexDeps, id: string): Promise<DriverRow | null> {
  return (await syncDrivers(deps, [id])).get(id) ?? null
}

/** Like `syncDriver` for several drivers. */
async function syncDrivers(deps: IndexDeps, ids: readonly string[]): Promise<Map<string, DriverRow>> {
  const rows = await readDrivers(deps.pool, ids)
  await putDrivers(deps, { ids, rows })
  return new Map(rows.map((row) => [row.id, row]))
}

/** The rows of those of these users who are drivers. */
async function readDrivers(pool: Pool | PoolClient, ids: readonly string[]): Promise<DriverRow[]> {
  if (ids.length === 0) return []
  const reply = await pool.query<DriverRow>({
    name: 'drivers-for-index',
    text: `select ${columns} from user_facts where id = any($1::uuid[]) and usertype = 'driver'`,
    values: [ids],
  })
  return reply.rows
}

/** Puts rows into the index, with the newer of each driver's positions; removes those of `ids` that have no row. */
export async function putDrivers(deps: Omit<IndexDeps, 'pool'>, { ids, rows }: DriverChange): Promise<void> {
  const byId = new Map(rows.map((row) => [row.id, row]))
  let done = 0
  for (const id of ids) {
    // Other work goes on while a large city is read.
    if (++done % putAtOnce === 0) await setImmediate()
    const row = byId.get(id)
    const known = row && (await deps.index.get(id))
    if (row === undefined) deps.index.remove(id)
    else if (known && known.at >= (row.at ?? 0)) {
      const { lat, lng, bearing, at } = known
      put(deps, { ...row, lat, lng, bearing, at }, known.heardAt)
    } else put(deps, row)
  }
}

/**
 * Records a driver's position, received just now. An older position leaves the known one in place but counts as
 * contact.
 */
export async function placeDriver(
  deps: IndexDeps,
  id: string,
  position: { lat: number; lng: number; bearing: number | null; at: number },
): Promise<void> {
  const { index, clock } = deps
  const known = await index.get(id)
  const heardAt = clock.elapsed()
  if (known) {
    const isOlder = position.at < known.at && !isAhead(known.at, clock.now())
    index.upsert(isOlder ? { ...known, heardAt } : { ...known, ...position, heardAt })
    return
  }
  const row = await syncDriver(deps, id)
  if (row) put(deps, { ...row, ...position }, heardAt)
}

/** Without `heardAt` the position is known only from the row, and its age is taken from the server clock. */
function put({ index, clock }: Omit<IndexDeps, 'pool'>, row: DriverRow, heardAt?: number): void {
  const { id, lat, lng, at, bearing, car_type_id } = row
  if (lat === null || lng === null || at === null) return
  const eligible = isEligible({
    id,
    usertype: row.usertype,
    approved: row.approved,
    queue: row.queue,
    driverActiveStatus: row.active,
    location: { lat, lng },
    carType: car_type_id,
  })
  index.upsert({
    id,
    lat,
    lng,
    at,
    heardAt: heardAt ?? clock.elapsed() - Math.max(0, clock.now() - at),
    bearing,
    car_type_id,
    eligible,
  })
}

interface UserChangesDeps {
  /** Told of changed rows. */
  drivers: { changed(change: DriverChange): Promise<void> }
  hub: LivePublisher
  fleet: Pick<FleetPublisher, 'changed' | 'left'>
  outbox: Outbox
  users: Pick<UsersService, 'meOfMany'>
}

/** Publishes changes of users to themselves, and syncs the driver index and the admin map. */
export function publishUserChanges({ drivers, hub, fleet, outbox, users }: UserChangesDeps): void {
  /** With `mayHaveDriven`, the users may have been drivers until now and are removed from the index and the map. */
  const publishUsers = async (ids: readonly string[], tx: Transaction, mayHaveDriven = false) => {
    const people = await users.meOfMany([...new Set(ids)], tx.db)
    const drive = [...new Set(ids.filter((id) => mayHaveDriven || people.get(id)?.usertype === 'driver'))]
    if (drive.length > 0) await drivers.changed({ ids: drive, rows: await readDrivers(tx.client, drive) })
    await fleet.changed(drive, tx.client)
    for (const [user, me] of people) hub.publish(channelName(liveTopics.user, user), me)
  }

  outbox.onBatch(bookingChanged, (events, tx) =>
    publishUsers(
      events.flatMap(({ payload }) => readBookingChange(payload).users),
      tx,
    ),
  )

  outbox.on(userChanged, async ({ payload }, tx) => {
    const { user, rights, left } = payload as { user: string; rights: boolean; left?: string | null }
    await publishUsers([user], tx, rights)
    if (left) fleet.left(user, left)
    if (rights) hub.reauthorize(user)
  })
}
