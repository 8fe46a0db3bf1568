import { readLimited } from '../read-limited.ts'
import { PushError } from './port.ts'

export interface PushRequest {
  headers: Record<string, string>
  body: string | Uint8Array<ArrayBuffer> | URLSearchParams
  timeoutMs: number
}

export interface PushResponse {
  status: number
  /** The response body as JSON; undefined if it is not JSON. */
  json: unknown
}

const longestResponse = 100_000

/** The longest pause that a service may ask for, ms. */
const longestPauseMs = 24 * 3_600_000

/**
 * Posts to a push service. Throws a temporary PushError if it does not respond, and for 408, 429 and 5xx. The URL may be
 * secret, so errors do not name it.
 */
export async function postToService(url: string, request: PushRequest): Promise<PushResponse> {
  const { headers, body, timeoutMs } = request
  let response: Response
  let text: string
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    text = (await readLimited(response, longestResponse)) ?? ''
  } catch (error) {
    const why = error instanceof Error && error.name === 'TimeoutError' ? 'timed out' : 'is unreachable'
    throw new PushError(`the push service ${why}`, 'temporary')
  }
  const { status } = response
  if (status === 408 || status === 429 || status >= 500) {
    throw new PushError(
      `the push service returned ${status}`,
      'temporary',
      pauseOf(response.headers.get('retry-after')),
    )
  }
  return { status, json: parseJson(text) }
}

/** Milliseconds of a Retry-After header: seconds, or a date (RFC 9110, section 10.2.3). */
function pauseOf(header: string | null): number | null {
  if (header === null) return null
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.min(longestPauseMs, Math.max(0, ms)) : null
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
