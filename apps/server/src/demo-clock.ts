import { type Clock, scaledClock } from './platform/clock/clock.ts'
import type { Database } from './platform/database/database.ts'

/**
 * Creates the demo's clock. A demo whose time ran fast is ahead of real time when it stops; it resumes from there, so
 * that no stored event is in the future. Positions count too, since an older position never replaces a newer one.
 */
export async function demoClock(database: Database, speed: number): Promise<Clock> {
  const { rows } = await database.pool.query<{ last: number | null }>(
    `select greatest(
       (select max(at) from booking_event_times),
       (select max(at) from ledger_records),
       (select max(located_at) from user_facts)
     ) as last`,
  )
  return scaledClock(speed, Number(rows[0]?.last ?? 0))
}
