import type { contract } from '@hansom/contract/contract'
import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import contractPaths from 'virtual:contract'
import { type CallContext, RestLink } from './rest-link.ts'

export type ApiClient = JsonifiedClient<ContractRouterClient<typeof contract, CallContext>>

/** The platform's REST routes as typed functions. Every refusal is thrown as an `ApiError`. */
export const api: ApiClient = createORPCClient(new RestLink(contractPaths))

/** Query keys, query options and mutation options of every route. */
export const orpc = createTanstackQueryUtils(api)

/** A fresh idempotency key: one per confirmed intention, kept for its retries. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
