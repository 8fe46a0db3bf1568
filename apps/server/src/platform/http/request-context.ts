import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '@hansom/domain/access/route-rule'
import type { Settings } from '@hansom/domain/settings/settings'
import type { Role } from '@hansom/domain/users/roles'

/** Who is asking, as the session says. `approved` is read with every request, so a withdrawal counts at once. */
export interface Viewer {
  uid: string
  role: Role
  approved: boolean
  sessionId: string
}

/** Somebody who asks, as the rules of access know people. */
export function callerOf(viewer: Viewer | null): Caller | null {
  return viewer && { id: viewer.uid, usertype: viewer.role, approved: viewer.approved }
}

/** What of the settings decides about requests. */
export type GuardSettings = Pick<Settings, 'AllowCriticalEditsAdmin'>

/** What a route knows of the request besides its input. */
export interface RequestContext {
  viewer: Viewer | null
  /** The address the request came from, for limits. */
  ip: string
  headers: IncomingHttpHeaders
  /** Value of the `idempotency-key` header, 8 to 200 visible characters; null when there is none. */
  idempotencyKey: string | null
  /** The settings that hold now. */
  settings(): Promise<GuardSettings>
  /** Adds a header to the answer. */
  setHeader(name: 'set-cookie' | 'retry-after', value: string): void
  /** Names the request in the log and in the answer of a refusal. */
  requestId: string
}

/** The context behind `signedIn`: somebody is there. */
export interface SignedInContext extends RequestContext {
  viewer: Viewer
}
