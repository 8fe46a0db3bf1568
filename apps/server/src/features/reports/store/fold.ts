import type { Pool } from 'pg'
import type { Database } from '../../../platform/database/database.ts'

/** How many changes are taken into the sums in one transaction. */
const portion = 5_000

/**
 * Takes what is new into the sums, portion by portion; returns how many changes that were. Safe at any time and on many
 * servers: they take turns, and what one has begun the others leave to it.
 */
export async function foldReports(pool: Pool): Promise<number> {
  for (let all = 0; ; ) {
    const reply = await pool.query<{ taken: number }>({
      name: 'fold-reports',
      text: 'select fold_reports($1) as taken',
      values: [portion],
    })
    const taken = reply.rows[0]?.taken ?? 0
    all += taken
    if (taken < portion) return all
  }
}

/** Counts everything anew with the days of a time zone (IANA name); nobody who changes a booking waits for it. */
export function rebuildReports(database: Pick<Database, 'withTransaction'>, timezone: string): Promise<void> {
  return database.withTransaction(async ({ client }) => {
    await client.query('set local statement_timeout = 0')
    await client.query('select rebuild_reports($1)', [timezone])
  })
}

/** The zone whose days the sums have. */
export async function zoneOfReports(pool: Pool): Promise<string> {
  const reply = await pool.query<{ timezone: string }>('select timezone from report_state')
  const row = reply.rows[0]
  if (row === undefined) throw new Error('the zone of the reports is not known')
  return row.timezone
}
