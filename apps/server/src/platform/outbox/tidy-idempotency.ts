import { z } from 'zod'
import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/database.ts'
import { deleteInBatches } from '../database/delete-in-batches.ts'
import type { Jobs } from '../jobs/jobs.ts'

/** How long the first answer of a command is kept for a repetition, ms. */
export const keptForMs = 48 * 60 * 60_000

/** Defines the job that forgets, once an hour, answers that nobody will ask for again. */
export function defineIdempotencyTidying(jobs: Jobs, database: Pick<Database, 'pool'>, clock: Clock): void {
  jobs.define('idempotency.tidy', { schema: z.object({}), repeat: { everyS: 3600, data: {} } }, async () => {
    await forgetOldAnswers(database, clock.now())
  })
}

/** Removes what was kept before `now` less the time it is kept for. */
export async function forgetOldAnswers({ pool }: Pick<Database, 'pool'>, now: number): Promise<void> {
  await deleteInBatches(pool, 'idempotency_keys', 'at < $1', [now - keptForMs])
}
