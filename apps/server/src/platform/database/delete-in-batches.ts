import type { Pool } from 'pg'

/**
 * Deletes the rows of a table that meet a condition, some thousands in a statement: a backlog of any size goes without
 * running into the statement timeout, and what is done stays done. Returns how many rows went. `table` and `condition` are
 * SQL; no partitioned table.
 */
export async function deleteInBatches(
  pool: Pool,
  table: string,
  condition: string,
  values: readonly unknown[],
  batch = 2_000,
): Promise<number> {
  let deleted = 0
  for (;;) {
    const reply = await pool.query(
      `delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${batch}))`,
      [...values],
    )
    deleted += reply.rowCount ?? 0
    if ((reply.rowCount ?? 0) < batch) return deleted
  }
}
