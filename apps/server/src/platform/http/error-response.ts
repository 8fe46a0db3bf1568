import type { ErrorBody } from '@hansom/contract/shapes'
import { type ErrorKey, errorStatus, type FieldError, Refusal } from '@hansom/domain/error-keys'
import { ValidationError } from '@orpc/contract'
import { ORPCError } from '@orpc/server'
import { lostConnection } from '../database/postgres-errors.ts'
import type { Log } from '../log/log.ts'
import { fieldErrors } from './field-errors.ts'

/** An error response: the status, and the body that all errors share. */
export interface ErrorResponse {
  status: number
  body: ErrorBody
}

/** Retry delay sent with `unavailable`, s. */
export const retryAfterS = 1

/**
 * Maps a thrown value to a response. A lost database becomes `unavailable` with a retry time. A Refusal keeps its key,
 * and its cause, if any, is logged. Rejected input becomes invalid_input with its fields. Anything else is logged with
 * the request id and becomes server_error without details.
 */
export function errorResponse(error: unknown, requestId: string, log: Log): ErrorResponse {
  if (lostConnection(error) !== undefined) {
    log.warn({ err: error, requestId }, 'request failed: database connection lost')
    return answer('unavailable', requestId)
  }
  if (error instanceof Refusal) {
    if (error.cause !== undefined)
      log.error({ err: error.cause, requestId, key: error.key }, 'request failed')
    return answer(error.key, requestId, error.fields, error.data)
  }
  if (error instanceof ORPCError) {
    if (error.cause instanceof ValidationError && error.status === 400) {
      return answer('invalid_input', requestId, fieldErrors(error.cause.issues))
    }
    if (error.status === 400) return answer('invalid_input', requestId)
    log.error({ err: error.cause ?? error, requestId, issues: issuesOf(error) }, 'route failed')
    return answer('server_error', requestId)
  }
  const framework = frameworkKey(error)
  if (framework !== null) return answer(framework, requestId)
  log.error({ err: error, requestId }, 'request failed')
  return answer('server_error', requestId)
}

function answer(
  key: ErrorKey,
  requestId: string,
  fields: readonly FieldError[] = [],
  given?: Readonly<Record<string, unknown>>,
): ErrorResponse {
  const data = key === 'unavailable' ? { retryAfterS, ...given } : given
  return {
    status: errorStatus[key],
    body: {
      error: key,
      ...(fields.length > 0 ? { fields: [...fields] } : {}),
      ...(data === undefined ? {} : { data: { ...data } }),
      requestId,
    },
  }
}

// Issues of a response that violates its schema: paths and messages only, never values.
function issuesOf(error: ORPCError<string, unknown>) {
  if (!(error.cause instanceof ValidationError)) return undefined
  return error.cause.issues.map((issue) => ({
    path: issue.path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
    message: issue.message,
  }))
}

/** Maps Fastify's errors: a body that is unreadable, too large or of another type. */
function frameworkKey(error: unknown): ErrorKey | null {
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  if (typeof status !== 'number' || status < 400 || status >= 500) return null
  const keys: Record<number, ErrorKey> = {
    404: 'not_found',
    405: 'method_not_allowed',
    413: 'too_large',
    415: 'unsupported_media',
    429: 'too_many_requests',
  }
  return keys[status] ?? 'invalid_input'
}
