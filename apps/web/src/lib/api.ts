import contractPaths from 'virtual:contract'
import { type ApiClient, RestLink } from '@hansom/client/rest-link'
import { createORPCClient } from '@orpc/client'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'

let closing = false
if (typeof window !== 'undefined') {
  // Capture phase, so that it runs before any other listener.
  window.addEventListener('pagehide', () => (closing = true), { capture: true })
  window.addEventListener('pageshow', () => (closing = false), { capture: true })
}

/** The platform's REST endpoints as typed functions. Every failure is thrown as an `ApiError`. */
export const api: ApiClient = createORPCClient(new RestLink(contractPaths, { isClosing: () => closing }))

/** Query keys, query options and mutation options of every endpoint. */
export const orpc = createTanstackQueryUtils(api)
