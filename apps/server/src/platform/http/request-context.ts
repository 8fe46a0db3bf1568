import type { IncomingHttpHeaders } from 'node:http'
import type { Actor } from '@hansom/domain/access/relation'
import type { Settings } from '@hansom/domain/settings/settings'

/** The user of a session. `approved` is read with every request, so a withdrawn approval takes effect immediately. */
export interface SessionActor extends Actor {
  sessionId: string
}

/** The settings that affect access. */
export type GuardSettings = Pick<Settings, 'AllowCriticalEditsAdmin'>

/** What a route gets in addition to its input. */
export interface RequestContext {
  viewer: SessionActor | null
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
  viewer: SessionActor
}
