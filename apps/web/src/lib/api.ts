import contractPaths from 'virtual:contract'
import type { contract } from '@hansom/contract/contract'
import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import { type CallContext, RestLink } from './rest-link.ts'

export type ApiClient = JsonifiedClient<ContractRouterClient<typeof contract, CallContext>>

/** The platform's REST endpoints as typed functions. Every failure is thrown as an `ApiError`. */
export const api: ApiClient = createORPCClient(new RestLink(contractPaths))

/** Query keys, query options and mutation options of every endpoint. */
export const orpc = createTanstackQueryUtils(api)

/** Generates an idempotency key. Use one per confirmed action and reuse it for retries. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
