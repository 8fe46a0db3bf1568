import type { IncomingHttpHeaders } from 'node:http'
import type { Role } from '@hansom/domain/users/roles'

/** Who is asking, as the session says. `approved` is read with every request, so a withdrawal counts at once. */
export interface Viewer {
  uid: string
  role: Role
  approved: boolean
  sessionId: string
}

/** What a route knows of the request besides its input. */
export interface RequestContext {
  viewer: Viewer | null
  /** The address the request came from, for limits. */
  ip: string
  headers: IncomingHttpHeaders
  /** Value of the `idempotency-key` header, 8 to 200 visible characters; null when there is none. */
  idempotencyKey: string | null
  /** Adds a header to the answer. */
  setHeader(name: 'set-cookie' | 'retry-after', value: string): void
  /** Names the request in the log and in the answer of a refusal. */
  requestId: string
}

/** The context behind `signedIn`: somebody is there. */
export interface SignedInContext extends RequestContext {
  viewer: Viewer
}
