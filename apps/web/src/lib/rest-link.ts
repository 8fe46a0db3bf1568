import type { ClientLink, ClientOptions } from '@orpc/client'
import { ApiError, parseErrorResponse, toApiError } from './api-error.ts'

/** Whether the page is being closed: requests sent then must outlive it. */
let closing = false
if (typeof window !== 'undefined') {
  // Capture phase, so that it runs before any other listener.
  window.addEventListener('pagehide', () => (closing = true), { capture: true })
  window.addEventListener('pageshow', () => (closing = false), { capture: true })
}

/**
 * Pass a key with calls that create something or move money: a repeat under the same key returns the first response.
 */
export interface CallContext {
  idempotencyKey?: string
}

/** Request timeout, ms: a dead connection does not report an error. */
const timeoutMs = 30_000

interface MinifiedProcedure {
  '~orpc': { route: { method?: string; path?: string } }
}

function routeAt(contract: unknown, path: readonly string[]): { method: string; path: string } {
  let node = contract
  for (const name of path) node = (node as Record<string, unknown> | undefined)?.[name]
  const route = (node as MinifiedProcedure | undefined)?.['~orpc']?.route
  if (!route?.path) throw new Error(`the contract has no ${path.join('.')}`)
  return { method: route.method ?? 'POST', path: route.path }
}

/** Splits an input: named parts go into the path, the rest into the query of a GET or into the body. */
export function toRequest(
  route: { method: string; path: string },
  input: unknown,
): { url: string; body?: string } {
  const rest: Record<string, unknown> = { ...(input as Record<string, unknown> | undefined) }
  let url = route.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const value = rest[name]
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  if (route.method === 'GET') {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, String(value))
    if (query.size > 0) url += `?${query}`
    return { url }
  }
  // An empty input is still sent as a body, unless the path already carries all of it.
  const sendsInput = input !== undefined && url === route.path
  return sendsInput || Object.keys(rest).length > 0 ? { url, body: JSON.stringify(rest) } : { url }
}

/**
 * Sends typed calls to the contract's REST paths. Supports only what our contract uses: JSON objects, with flat inputs
 * for GET. Every error response, and the lack of any response, is thrown as an ApiError.
 */
export class RestLink implements ClientLink<CallContext> {
  #contract: unknown
  constructor(contract: unknown) {
    this.#contract = contract
  }

  async call(path: readonly string[], input: unknown, options: ClientOptions<CallContext>): Promise<unknown> {
    const route = routeAt(this.#contract, path)
    const { url, body } = toRequest(route, input)
    const headers: Record<string, string> = { accept: 'application/json' }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (options.context?.idempotencyKey) headers['idempotency-key'] = options.context.idempotencyKey
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
    try {
      const response = await fetch(url, {
        method: route.method,
        headers,
        ...(body !== undefined && { body }),
        signal,
        keepalive: closing && route.method !== 'GET',
      })
      const answer: unknown = await response.json().catch(() => undefined)
      if (!response.ok) throw parseErrorResponse(answer, response.status)
      if (answer === undefined) throw new ApiError('server_error', response.status)
      return answer
    } catch (error) {
      throw toApiError(error)
    }
  }
}
