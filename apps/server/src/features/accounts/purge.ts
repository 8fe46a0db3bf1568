import { z } from 'zod'
import type { Jobs } from '../../platform/jobs/jobs.ts'

/** Deletes expired rows every 15 minutes. */
export function purgeExpired(jobs: Jobs, purges: readonly (() => Promise<void>)[]): void {
  const definition = { schema: z.object({}), repeat: { everyS: 900, data: {} } }
  jobs.define('identity.purge', definition, async () => {
    for (const purge of purges) await purge()
  })
}
