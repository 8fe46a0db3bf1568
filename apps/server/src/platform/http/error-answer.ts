import type { ErrorBody } from '@hansom/contract/shapes'
import { type ErrorKey, errorStatus, type FieldError, Refusal } from '@hansom/domain/error-keys'
import { ValidationError } from '@orpc/contract'
import { ORPCError } from '@orpc/server'
import { lostConnection } from '../database/postgres-errors.ts'
import type { Log } from '../log/log.ts'
import { fieldErrors } from './field-errors.ts'

/** A refusal as it goes out: its status, and the one body every refusal has. */
export interface ErrorAnswer {
  status: number
  body: ErrorBody
}

/** When to ask again after an answer that the service is unavailable, s. */
export const retryAfterS = 1

/**
 * What a thrown value is answered with. A lost database is unavailable, with the time to ask again. Refusals keep their key, and what caused one is logged; a refused input is invalid_input with its fields;
 * everything else is logged with the request's id and answered as server_error, without a word of what happened.
 */
export function errorAnswer(error: unknown, requestId: string, log: Log): ErrorAnswer {
  if (lostConnection(error) !== undefined) {
    log.warn({ err: error, requestId }, 'a request met a lost database')
    return answer('unavailable', requestId)
  }
  if (error instanceof Refusal) {
    if (error.cause !== undefined)
      log.error({ err: error.cause, requestId, key: error.key }, 'a request failed')
    return answer(error.key, requestId, error.fields, error.data)
  }
  if (error instanceof ORPCError) {
    if (error.cause instanceof ValidationError && error.status === 400) {
      return answer('invalid_input', requestId, fieldErrors(error.cause.issues))
    }
    if (error.status === 400) return answer('invalid_input', requestId)
    log.error({ err: error.cause ?? error, requestId, issues: issuesOf(error) }, 'a route failed')
    return answer('server_error', requestId)
  }
  const framework = frameworkKey(error)
  if (framework !== null) return answer(framework, requestId)
  log.error({ err: error, requestId }, 'a request failed')
  return answer('server_error', requestId)
}

function answer(
  key: ErrorKey,
  requestId: string,
  fields: readonly FieldError[] = [],
  given?: Readonly<Record<string, unknown>>,
): ErrorAnswer {
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

// A reply that does not fit its schema: where it does not, never the values.
function issuesOf(error: ORPCError<string, unknown>) {
  if (!(error.cause instanceof ValidationError)) return undefined
  return error.cause.issues.map((issue) => ({
    path: issue.path?.map((part) => String(typeof part === 'object' ? part.key : part)).join('.'),
    message: issue.message,
  }))
}

/** Fastify's own refusals: a body it cannot read, too large, of another type. */
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
