import type { ErrorBody } from '@hansom/contract/shapes'
import type { ErrorKey } from '@hansom/domain/error-keys'

/**
 * Errors of the client itself: no response of the server, or a link opened in a different browser than the one that requested
 * it.
 */
export type ClientErrorKey = ErrorKey | 'Fetch Call Error' | 'link_other_browser'

/** An error response, or the lack of any response. `key` is translated under `error.<key>`. */
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

/** Whether a retry may succeed: no response, no session, rate limited, or a server error. Any other error is final. */
export function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 0 || error.status === 401 || error.status === 429 || error.status >= 500
}

/** True for an error response of the server; false when none arrived, and for any other error. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status > 0
}

/**
 * Parses an error response. Without the server's body, 502 to 504 come from what stands before a server that is away; any other
 * is a `server_error`.
 */
export function parseErrorResponse(body: unknown, status: number): ApiError {
  if (typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string') {
    const refusal = body as ErrorBody
    return new ApiError(refusal.error, status, refusal)
  }
  return new ApiError(status >= 502 && status <= 504 ? 'Fetch Call Error' : 'server_error', status)
}

/** Converts anything thrown into an ApiError; aborts are returned unchanged. */
export function toApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  if (error instanceof Error && error.name === 'AbortError') return error
  return new ApiError('Fetch Call Error', 0)
}
