import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'

// The connections of a server that was stopped end a moment after it.
const longestMs = 2_000

/**
 * True when a server works on this database: it would go on with what is in its memory. Only one that does so for
 * `patienceMs` counts.
 */
export async function isServed(pool: Pool, patienceMs = longestMs): Promise<boolean> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const found = await pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and application_name = 'hansom'
        and pid <> pg_backend_pid() limit 1`,
    )
    if (found.rowCount === 0) return false
    if (performance.now() > deadline) return true
    await wait(50)
  }
}
