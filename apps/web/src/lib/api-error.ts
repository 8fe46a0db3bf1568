import type { ErrorBody } from '@hansom/contract/shapes'
import type { ErrorKey } from '@hansom/domain/error-keys'

/** The client's own: no answer came at all; a link was opened in another browser than the one it was asked for in. */
export type ClientErrorKey = ErrorKey | 'Fetch Call Error' | 'link_other_browser'

/** A refusal by the server, or its absence. `key` is translated under `error.<key>`. */
export class ApiError extends Error {
  readonly key: ClientErrorKey
  readonly status: number
  readonly fields: readonly { field: string; error: string }[]
  readonly data: Readonly<Record<string, unknown>>
  readonly requestId: string | undefined

  constructor(key: ClientErrorKey, status: number, details: Partial<ErrorBody> = {}) {
    super(key)
    this.name = 'ApiError'
    this.key = key
    this.status = status
    this.fields = details.fields ?? []
    this.data = details.data ?? {}
    this.requestId = details.requestId
  }
}

/**
 * The same may be granted later: no answer came, nobody is signed in just now, too much was asked at once, or the
 * server is in trouble. Anything else was an answer.
 */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500
}

/** Reads the body of a refusal; a body of another shape becomes `server_error`, or `unavailable` for 502 to 504. */
export function readRefusal(body: unknown, status: number): ApiError {
  if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string') {
    const refusal = body as ErrorBody
    return new ApiError(refusal.error, status, refusal)
  }
  return new ApiError(status >= 502 && status <= 504 ? 'unavailable' : 'server_error', status)
}

/** Turns whatever was thrown into an ApiError; an abort stays what it is. */
export function toApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  if (error instanceof DOMException && error.name === 'AbortError') return error
  return new ApiError('Fetch Call Error', 0)
}
