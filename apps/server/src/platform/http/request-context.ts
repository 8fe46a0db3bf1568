import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '@hansom/domain/access/route-rule'
import type { Settings } from '@hansom/domain/settings/settings'
import type { Role } from '@hansom/domain/users/roles'

/** The user of the session. `approved` is read with every request, so a withdrawn approval takes effect immediately. */
export interface Viewer {
  uid: string
  role: Role
  approved: boolean
  sessionId: string
}

/** Converts a viewer to the caller that the access rules use. */
export function callerOf(viewer: Viewer | null): Caller | null {
  return viewer && { id: viewer.uid, usertype: viewer.role, approved: viewer.approved }
}

/** The settings that affect access. */
export type GuardSettings = Pick<Settings, 'AllowCriticalEditsAdmin'>

/** What a route gets in addition to its input. */
export interface RequestContext {
  viewer: Viewer | null
  /** The client's IP address, for limits. */
  ip: string
  headers: IncomingHttpHeaders
  /** Value of the `idempotency-key` header, 8 to 200 visible characters; null when absent. */
  idempotencyKey: string | null
  /** Reads the current settings. */
  settings(): Promise<GuardSettings>
  /** Adds a response header. */
  setHeader(name: 'set-cookie' | 'retry-after', value: string): void
  /** Identifies the request in the log and in error responses. */
  requestId: string
}

/** The context after `signedIn`: the viewer is never null. */
export interface SignedInContext extends RequestContext {
  viewer: Viewer
}
