import type { contract } from '@hansom/contract/contract'
import type { ClientLink, ClientOptions } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { ApiError, parseErrorResponse, toApiError } from './api-error.ts'
import type { Endpoint } from './session.ts'

/**
 * Pass a key with calls that create something or move money: a repeat under the same key returns the first response.
 */
export interface CallContext {
  idempotencyKey?: string
}

/** The platform's REST endpoints as typed functions. Every failure is thrown as an `ApiError`. */
export type ApiClient = JsonifiedClient<ContractRouterClient<typeof contract, CallContext>>

export interface RestLinkOptions extends Endpoint {
  /** True while the page is being closed: commands sent then must outlive it. */
  isClosing?: () => boolean
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
    if (query.size > 0) url += `?${query.toString()}`
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
  readonly #contract: unknown
  readonly #options: RestLinkOptions

  /** `contract` may be minified: only methods and paths are used. */
  constructor(contract: unknown, options: RestLinkOptions = {}) {
    this.#contract = contract
    this.#options = options
  }

  async call(path: readonly string[], input: unknown, options: ClientOptions<CallContext>): Promise<unknown> {
    const route = routeAt(this.#contract, path)
    const { url = '', fetch = globalThis.fetch, isClosing } = this.#options
    const request = toRequest(route, input)
    const headers: Record<string, string> = { accept: 'application/json' }
    if (request.body !== undefined) headers['content-type'] = 'application/json'
    if (options.context?.idempotencyKey) headers['idempotency-key'] = options.context.idempotencyKey
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
    try {
      const response = await fetch(url + request.url, {
        method: route.method,
        headers,
        ...(request.body !== undefined && { body: request.body }),
        signal,
        keepalive: route.method !== 'GET' && isClosing?.() === true,
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
