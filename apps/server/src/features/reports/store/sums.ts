import type { Pool } from 'pg'
import type { Database } from '../../../platform/database/database.ts'

/** Maximum number of changes folded in one transaction. */
const batchSize = 5_000

/**
 * Folds new changes into the sums in batches; returns their number. Safe to run at any time on several servers: they
 * take turns.
 */
export async function foldReports(pool: Pool): Promise<number> {
  for (let all = 0; ; ) {
    const reply = await pool.query<{ taken: number }>({
      name: 'fold-reports',
      text: 'select fold_reports($1) as taken',
      values: [batchSize],
    })
    const taken = reply.rows[0]?.taken ?? 0
    all += taken
    if (taken < batchSize) return all
  }
}

/** Recalculates everything for a time zone (IANA name), without blocking changes to bookings. */
export function rebuildReports(database: Pick<Database, 'withTransaction'>, timezone: string): Promise<void> {
  return database.withTransaction(async ({ client }) => {
    await client.query('set local statement_timeout = 0')
    await client.query('select rebuild_reports($1)', [timezone])
  })
}

/** The version of the figures that `rebuild_reports` counts; sums of an older one are rebuilt. */
export const figuresVersion = 3

/** The time zone and the version of the sums. */
export async function stateOfReports(pool: Pool): Promise<{ timezone: string; figures: number }> {
  const reply = await pool.query<{ timezone: string; figures: number }>(
    'select timezone, figures from report_state',
  )
  const row = reply.rows[0]
  if (row === undefined) throw new Error('report time zone is not set')
  return row
}
