import type { Pool } from 'pg'

/**
 * Deletes the rows that match a condition, `batch` per statement, so a backlog of any size stays within the statement
 * timeout and completed batches stay deleted. Returns the number of deleted rows. `table` and `condition` are SQL;
 * partitioned tables are not supported.
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
