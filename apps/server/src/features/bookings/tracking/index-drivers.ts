import { isEligible } from '@hansom/domain/users/eligibility'
import type { Role } from '@hansom/domain/users/roles'
import type { Pool, PoolClient } from 'pg'
import type { DriverIndex } from '../../../adapters/driver-index/port.ts'

interface DriverRow {
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

const columns = `id, usertype, approved, queue, driver_active_status as active, car_type_id, lat, lng, bearing,
  located_at as at`

/** Fills the live index with where every driver was last seen. */
export async function loadDriverIndex(pool: Pool, index: DriverIndex): Promise<number> {
  const reply = await pool.query<DriverRow>(
    `select ${columns} from users where usertype = 'driver' and lat is not null and located_at is not null`,
  )
  for (const row of reply.rows) put(index, row)
  return reply.rows.length
}

/**
 * Brings one driver's entry in step with the row: whether a request may reach the driver, and of which car type. A
 * newer position in the index stays. Returns the row, null when there is no such driver.
 */
export async function syncDriver(
  pool: Pool | PoolClient,
  index: DriverIndex,
  id: string,
): Promise<DriverRow | null> {
  return (await syncDrivers(pool, index, [id])).get(id) ?? null
}

/** As `syncDriver` for several. */
export async function syncDrivers(
  pool: Pool | PoolClient,
  index: DriverIndex,
  ids: readonly string[],
): Promise<Map<string, DriverRow>> {
  if (ids.length === 0) return new Map()
  const reply = await pool.query<DriverRow>({
    name: 'drivers-for-index',
    text: `select ${columns} from users where id = any($1::uuid[])`,
    values: [ids],
  })
  const drivers = new Map(
    reply.rows.filter(({ usertype }) => usertype === 'driver').map((row) => [row.id, row]),
  )
  for (const id of ids) {
    const row = drivers.get(id)
    if (row === undefined) {
      index.remove(id)
      continue
    }
    const known = await index.get(id)
    put(
      index,
      known && known.at >= (row.at ?? 0)
        ? { ...row, lat: known.lat, lng: known.lng, bearing: known.bearing, at: known.at }
        : row,
    )
  }
  return drivers
}

/** Puts a driver at a position. */
export async function placeDriver(
  pool: Pool,
  index: DriverIndex,
  id: string,
  position: { lat: number; lng: number; bearing: number | null; at: number },
): Promise<void> {
  const known = await index.get(id)
  if (known) {
    if (known.at <= position.at) index.upsert({ ...known, ...position })
    return
  }
  const row = await syncDriver(pool, index, id)
  if (row) put(index, { ...row, ...position })
}

function put(index: DriverIndex, row: DriverRow): void {
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
  index.upsert({ id, lat, lng, at, bearing, car_type_id, eligible })
}
