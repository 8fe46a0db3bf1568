import { z } from 'zod'
import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/database.ts'
import { deleteInBatches } from '../database/delete-in-batches.ts'
import type { Jobs } from '../jobs/jobs.ts'

/** Retention of the first response of a command, ms. */
export const retentionMs = 48 * 60 * 60_000

/** Defines the hourly job that deletes expired responses. */
export function defineIdempotencyCleanup(jobs: Jobs, database: Pick<Database, 'pool'>, clock: Clock): void {
  jobs.define('idempotency.tidy', { schema: z.object({}), repeat: { everyS: 3600, data: {} } }, async () => {
    await deleteOldResponses(database, clock.now())
  })
}

/** Deletes responses older than the retention at `now`. */
export async function deleteOldResponses({ pool }: Pick<Database, 'pool'>, now: number): Promise<void> {
  await deleteInBatches(pool, 'idempotency_keys', 'at < $1', [now - retentionMs])
}
