import { z } from 'zod'
import { base } from './base.ts'
import { instant } from './shapes.ts'

/** Failed work of one name: parked events, and jobs whose last retry failed. */
export const failedWork = z.object({
  kind: z.enum(['event', 'job']),
  name: z.string(),
  count: z.int(),
  /** When the first and the last of them failed. */
  since: instant,
  latest: instant,
  /** The last error. */
  error: z.string(),
})
export type FailedWork = z.infer<typeof failedWork>

/** All failed work of a name when the list was read (`until` is its `latest`). */
const chosen = z.strictObject({
  kind: failedWork.shape.kind,
  name: z.string().min(1).max(200),
  until: instant,
})
const outcome = z.object({ count: z.int() })

export const failedWorkContract = {
  list: base
    .route({ method: 'GET', path: '/api/v1/failed-work', tags: ['failed work'] })
    .output(z.object({ items: z.array(failedWork) })),
  /** Throws not_found when none is left. */
  retry: base
    .route({ method: 'POST', path: '/api/v1/failed-work/retry', tags: ['failed work'] })
    .input(chosen)
    .output(outcome),
  /** Drops the work without doing it. Throws not_found when none is left. */
  discard: base
    .route({ method: 'POST', path: '/api/v1/failed-work/discard', tags: ['failed work'] })
    .input(chosen)
    .output(outcome),
}
