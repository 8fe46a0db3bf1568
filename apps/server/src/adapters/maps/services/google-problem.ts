import type { MapFailure } from '@hansom/domain/geo/map-services'
import { z } from 'zod'

const problemShape = z.object({
  error: z.object({ details: z.array(z.looseObject({ reason: z.string().optional() })) }),
})

/**
 * Google APIs answer an unknown or expired key with status 400, like unusable input; only the reason in the details
 * differs. https://docs.cloud.google.com/apis/design/errors (ErrorInfo), reasons: google/api/error_reason.proto
 */
export function failureOfProblem(problem: unknown): MapFailure | null {
  const details = problemShape.safeParse(problem).data?.error.details ?? []
  return details.some(({ reason }) => reason === 'API_KEY_INVALID') ? 'denied' : null
}
