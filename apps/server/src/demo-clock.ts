import { type Clock, scaledClock } from './platform/clock/clock.ts'
import type { Database } from './platform/database/database.ts'

/**
 * The demo's clock. A demo whose time ran faster than ours is ahead of it when it stops: it goes on from there, so
 * that nothing that happened lies in the future. Where a car was seen counts too: an older place never replaces it.
 */
export async function demoClock(database: Database, speed: number): Promise<Clock> {
  const { rows } = await database.pool.query<{ last: number | null }>(
    `select greatest(
       (select max(at) from booking_events),
       (select max(at) from ledger_entries),
       (select max(located_at) from users)
     ) as last`,
  )
  return scaledClock(speed, Number(rows[0]?.last ?? 0))
}
