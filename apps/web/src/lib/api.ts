import contractPaths from 'virtual:contract'
import { ApiError } from '@hansom/client/api-error'
import { type ApiClient, RestLink } from '@hansom/client/rest-link'
import { createORPCClient } from '@orpc/client'
import { createTanstackQueryUtils } from '@orpc/tanstack-query'
import { queryClient } from './query-client.ts'

let closing = false
if (typeof window !== 'undefined') {
  // Capture phase, so that it runs before any other listener.
  window.addEventListener('pagehide', () => (closing = true), { capture: true })
  window.addEventListener('pageshow', () => (closing = false), { capture: true })
}

/** The platform's REST endpoints as typed functions. Every failure is thrown as an `ApiError`. */
const link = new RestLink(contractPaths, { isClosing: () => closing })
export const api: ApiClient = createORPCClient({
  call: (...call: Parameters<typeof link.call>) => ownAnswer(link.call(...call)),
})

/** For calls that end the user's own session: their answers count, too, when the page has learned of the end before. */
export const endingApi: ApiClient = createORPCClient({
  call: (...call: Parameters<typeof link.call>) => link.call(...call),
})

/** Query keys, query options and mutation options of every endpoint. */
export const orpc = createTanstackQueryUtils(api)

const currentUid = () => queryClient.getQueryData(orpc.users.me.queryKey())?.uid

/** The answer to a user's call; it counts as none if they have left meanwhile, because the page is the next user's. */
export async function ownAnswer<Answer>(call: Promise<Answer>): Promise<Answer> {
  const uid = currentUid()
  const answer = await call
  if (uid !== undefined && uid !== currentUid()) throw new ApiError('Fetch Call Error', 0)
  return answer
}
