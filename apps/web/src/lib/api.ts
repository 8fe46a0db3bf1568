import type { contract } from '@hansom/contract/contract'
import { createORPCClient, onError } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import contractPaths from 'virtual:contract'
import { readRefusal, toApiError } from './api-error.ts'

/** Given with a call that creates something or moves money: a repeat under the same key answers as the first did. */
export interface CallContext {
  idempotencyKey?: string
}

export type ApiClient = JsonifiedClient<ContractRouterClient<typeof contract, CallContext>>

const link = new OpenAPILink<CallContext>(contractPaths, {
  url: () => location.origin,
  headers: ({ context }) => (context.idempotencyKey ? { 'idempotency-key': context.idempotencyKey } : {}),
  customErrorResponseBodyDecoder: (body, response) => readRefusal(body, response.status) as never,
  interceptors: [
    onError((error) => {
      throw toApiError(error)
    }),
  ],
})

/** The platform's REST routes as typed functions. Every refusal is thrown as an `ApiError`. */
export const api: ApiClient = createORPCClient(link)

/** Query keys, query options and mutation options of every route. */
export const orpc = createTanstackQueryUtils(api)

/** A fresh idempotency key: one per confirmed intention, kept for its retries. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
