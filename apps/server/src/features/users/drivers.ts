import { Refusal } from '@hansom/domain/error-keys'
import type { Transaction } from '../../platform/database/transaction.ts'

/** A driver's position; `at` is epoch ms. */
export interface DriverPosition {
  driver: string
  lat: number
  lng: number
  bearing: number | null
  at: number
}

/** A position that was written. */
export interface WrittenPosition {
  uid: string
  lat: number
  lng: number
  bearing: number | null
  at: number
  fleetadmin: string | null
  /** The driver's first position, or the first after a long silence. */
  isFirst: boolean
  /** As in the view user_facts. */
  isOnMap: boolean
}

/**
 * Writes positions that are newer than the stored ones, or than a stored one after `latest`, which was written before the
 * clock was set back. Locked rows are skipped. A driver without a position since `silentSince` was silent.
 */
export async function writePositions(
  { client }: Pick<Transaction, 'client'>,
  positions: readonly DriverPosition[],
  { latest, silentSince }: { latest: number; silentSince: number },
): Promise<{ written: WrittenPosition[]; locked: Set<string> }> {
  const reply = await client.query<WrittenPosition & { isLocked: boolean }>({
    name: 'write-positions',
    text: `with p as materialized (
        select * from unnest($1::uuid[], $2::float8[], $3::float8[], $4::float8[], $5::bigint[])
          as p(id, lat, lng, bearing, at)),
      mine as materialized (
        select u.id, u.located_at is null or (not u.queue and u.located_at <= $7) as is_first from users u join p on p.id = u.id
          for no key update of u skip locked),
      written as (
        update users u set lat = p.lat, lng = p.lng, bearing = p.bearing, located_at = p.at
          from p join mine on mine.id = p.id
          where u.id = p.id and (u.located_at is null or u.located_at < p.at or u.located_at > $6)
          returning u.id as uid, u.lat, u.lng, u.bearing, u.located_at as at, u.fleetadmin, mine.is_first as "isFirst",
            u.usertype = 'driver' and u.approved and u.driver_active_status as "isOnMap", false as "isLocked")
      select * from written
      union all
      select u.id, null, null, null, null, null, null, null, true from users u join p on p.id = u.id
        where not exists (select from mine where mine.id = u.id)`,
    values: [
      positions.map(({ driver }) => driver),
      positions.map(({ lat }) => lat),
      positions.map(({ lng }) => lng),
      positions.map(({ bearing }) => bearing),
      positions.map(({ at }) => at),
      latest,
      silentSince,
    ],
  })
  const written = reply.rows.flatMap(({ isLocked, ...row }) => (isLocked ? [] : row))
  return { written, locked: new Set(reply.rows.flatMap(({ isLocked, uid }) => (isLocked ? uid : []))) }
}

/** Sets a driver online or offline. Throws not_found, require_approval, and open_booking during a trip. */
export async function setDriverOnline(
  { client }: Pick<Transaction, 'client'>,
  driver: string,
  online: boolean,
): Promise<void> {
  const reply = await client.query<{ queue: boolean; approved: boolean }>(
    `select queue, approved from users where id = $1 and usertype = 'driver' for no key update`,
    [driver],
  )
  const row = reply.rows[0]
  if (!row) throw new Refusal('not_found')
  if (online && !row.approved) throw new Refusal('require_approval')
  if (!online && row.queue) throw new Refusal('open_booking')
  await client.query(
    'update users set driver_active_status = $2, version = version + 1 where id = $1 and driver_active_status <> $2',
    [driver, online],
  )
}
