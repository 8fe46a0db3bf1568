import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'

// The connections of a stopped server close a moment after it.
const longestMs = 2_000

/**
 * True when a server is using this database; it would continue with its in-memory state. Only a server that stays
 * connected for `patienceMs` counts.
 */
export async function hasRunningServer(pool: Pool, patienceMs = longestMs): Promise<boolean> {
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
