import { z } from 'zod'
import { base } from './base.ts'
import { instant } from './shapes.ts'

/** Work of one name that failed until it was given up: events that are parked, jobs after their last try. */
export const failedWork = z.object({
  kind: z.enum(['event', 'job']),
  name: z.string(),
  count: z.int(),
  /** When the first of them failed, and the last one. */
  since: instant,
  latest: instant,
  /** What the last one failed with. */
  error: z.string(),
})
export type FailedWork = z.infer<typeof failedWork>

/** All of a name that had failed when the list was read (`until` is its `latest`). */
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
  /** It is not done. Throws not_found when none is left. */
  discard: base
    .route({ method: 'POST', path: '/api/v1/failed-work/discard', tags: ['failed work'] })
    .input(chosen)
    .output(outcome),
}
