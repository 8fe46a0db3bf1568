import type { ErrorBody } from '@hansom/contract/shapes'
import { type ErrorKey, errorStatus, type FieldError, Refusal } from '@hansom/domain/error-keys'
import { ValidationError } from '@orpc/contract'
import { ORPCError } from '@orpc/server'
import { lostConnection } from '../database/postgres-errors.ts'
import type { Log } from '../log/log.ts'

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

/** The fields of a schema issue used here; zod provides all of them. */
interface Issue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
  readonly code?: string
  readonly origin?: string
  readonly input?: unknown
  readonly keys?: readonly string[]
  /** The reason that the contract gives for its own rules. */
  readonly params?: { readonly error?: FieldError['error'] }
  readonly errors?: readonly (readonly Issue[])[]
}

const fieldLimit = 20

/** Converts schema issues to the rejected fields and their reasons, at most twenty. */
export function fieldErrors(issues: readonly object[]): FieldError[] {
  return issues.flatMap((issue) => fromIssue(issue as Issue, [])).slice(0, fieldLimit)
}

function fromIssue(issue: Issue, above: string[]): FieldError[] {
  const path = [
    ...above,
    ...(issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)),
  ]
  if (issue.code === 'unrecognized_keys') {
    return (issue.keys ?? []).map((key) => ({ field: dotted([...path, key]), error: 'unknown_field' }))
  }
  const firstChoice = issue.code === 'invalid_union' ? issue.errors?.[0] : undefined
  if (firstChoice !== undefined && firstChoice.length > 0) {
    return firstChoice.flatMap((inner) => fromIssue(inner, path))
  }
  return [{ field: dotted(path), error: reason(issue) }]
}

// Keys are untrusted input.
const dotted = (path: string[]) => path.map((part) => part.slice(0, 60)).join('.')

function reason(issue: Issue): FieldError['error'] {
  const counted = issue.origin === 'string' || issue.origin === 'array'
  switch (issue.code) {
    case 'too_small':
      return counted ? 'too_short' : 'out_of_range'
    case 'too_big':
      return counted ? 'too_long' : 'out_of_range'
    case 'invalid_value':
      return 'not_in_list'
    case 'custom':
      return issue.params?.error ?? 'wrong_type'
    case 'invalid_type':
      return /received undefined/.test(issue.message) ? 'required' : 'wrong_type'
    default:
      return 'wrong_type'
  }
}
