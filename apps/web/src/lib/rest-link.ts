import type { ClientLink, ClientOptions } from '@orpc/client'
import { ApiError, readRefusal, toApiError } from './api-error.ts'

/** Whether the page is going: what is sent then has to outlive it. */
let leaving = false
if (typeof window !== 'undefined') {
  // Before any part of the page hears of it.
  window.addEventListener('pagehide', () => (leaving = true), { capture: true })
  window.addEventListener('pageshow', () => (leaving = false), { capture: true })
}

/** Given with a call that creates something or moves money: a repeat under the same key answers as the first did. */
export interface CallContext {
  idempotencyKey?: string
}

/** A call that got no answer for so long is given up, ms: on a line that died nobody says so. */
const answerMs = 30_000

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

/** Where an input goes: named parts of the path first, the rest into the query of a GET or into the body. */
export function toRequest(
  route: { method: string; path: string },
  input: unknown,
): { url: string; body?: string } {
  const rest: Record<string, unknown> = { ...(input as Record<string, unknown> | undefined) }
  let url = route.path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
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
  // An input without anything is an input, unless the path has told it all.
  const asked = input !== undefined && url === route.path
  return asked || Object.keys(rest).length > 0 ? { url, body: JSON.stringify(rest) } : { url }
}

/**
 * Carries typed calls over the contract's REST paths. Only what our contract uses: JSON objects whose GET inputs are
 * flat. Every refusal, and no answer at all, is thrown as an ApiError.
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
    const patience = AbortSignal.timeout(answerMs)
    const signal = options.signal ? AbortSignal.any([options.signal, patience]) : patience
    try {
      const response = await fetch(url, {
        method: route.method,
        headers,
        body,
        signal,
        keepalive: leaving && route.method !== 'GET',
      })
      const answer: unknown = await response.json().catch(() => undefined)
      if (!response.ok) throw readRefusal(answer, response.status)
      if (answer === undefined) throw new ApiError('server_error', response.status)
      return answer
    } catch (error) {
      throw toApiError(error)
    }
  }
}
