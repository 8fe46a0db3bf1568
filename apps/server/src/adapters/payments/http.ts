import { timingSafeEqual } from 'node:crypto'
import { readLimited } from '../read-limited.ts'
import { PaymentError } from './port.ts'

export interface ProviderRequest {
  method?: 'GET' | 'POST' | 'PUT'
  headers?: Record<string, string>
  /** Objects are sent as JSON, URLSearchParams as a form, strings unchanged. */
  body?: Record<string, unknown> | URLSearchParams | string
  timeoutMs?: number
}

export interface ProviderResponse {
  status: number
  text: string
  /** The body parsed as JSON; undefined if it is not JSON. */
  json: unknown
}

const longestAnswer = 2_000_000

/**
 * Sends one request to a provider. Throws PaymentError if it fails, times out (15 s) or returns 5xx or 429; every other
 * status is a response. The URL may contain secrets: errors name only its host.
 */
export async function callProvider(url: string, question: ProviderRequest = {}): Promise<ProviderResponse> {
  const { method = 'GET', headers = {}, body, timeoutMs = 15_000 } = question
  const host = new URL(url).host
  let status: number
  let text: string | null
  try {
    const response = await fetch(url, {
      method,
      headers: { accept: 'application/json', ...typeOf(body), ...headers },
      ...(body === undefined ? {} : { body: serialize(body) }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
    status = response.status
    text = await readLimited(response, longestAnswer)
  } catch (cause) {
    throw new PaymentError(`${host} did not respond`, { permanent: false, cause: nameOf(cause) })
  }
  if (status >= 500 || status === 429 || text === null) {
    throw new PaymentError(`${host} returned ${status}`, { permanent: false })
  }
  return { status, text, json: parseJson(text) }
}

function typeOf(body: ProviderRequest['body']): Record<string, string> {
  if (body === undefined || typeof body === 'string') return {}
  return {
    'content-type':
      body instanceof URLSearchParams ? 'application/x-www-form-urlencoded' : 'application/json',
  }
}

function serialize(body: NonNullable<ProviderRequest['body']>): string {
  if (typeof body === 'string') return body
  return body instanceof URLSearchParams ? body.toString() : JSON.stringify(body)
}

/** Only the error's name: its message may contain the complete URL. */
function nameOf(cause: unknown): string {
  return cause instanceof Error ? cause.name : 'unknown'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Compares in constant time. */
export function timingSafeEqualText(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const running = new Map<string, Promise<unknown>>()

/** Runs the work after all earlier work with the same key in this process; different keys run concurrently. */
export function serializeByKey<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const before = running.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  running.set(key, mine)
  const clear = () => {
    if (running.get(key) === mine) running.delete(key)
  }
  mine.then(clear, clear)
  return mine
}
