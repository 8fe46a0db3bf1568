import type { IncomingHttpHeaders } from 'node:http'
import { type Contract, contract } from '@hansom/contract/contract'
import type { Actor } from '@hansom/domain/access/relation'
import {
  plainRoutes,
  type RouteRule,
  refusalBeforeInput,
  refusalOnDemo,
  routes,
} from '@hansom/domain/access/routes'
import { Refusal } from '@hansom/domain/error-keys'
import type { Settings } from '@hansom/domain/settings/settings'
import type { AnyContractProcedure } from '@orpc/contract'
import { implement } from '@orpc/server'
import type { FastifyRequest } from 'fastify'

/** The user of a session. `approved` is read with every request, so a withdrawn approval takes effect immediately. */
export interface SessionActor extends Actor {
  sessionId: string
}

/** The settings that affect access. */
type GuardSettings = Pick<Settings, 'AllowCriticalEditsAdmin'>

/** What a route gets in addition to its input. */
export interface RequestContext {
  actor: SessionActor | null
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

/** The context after `signedIn`: the actor is never null. */
export interface SignedInContext extends RequestContext {
  actor: SessionActor
}

type NamesIn<Branch, Above extends string = ''> = {
  [Key in keyof Branch & string]: Branch[Key] extends AnyContractProcedure
    ? `${Above}${Key}`
    : NamesIn<Branch[Key], `${Above}${Key}.`>
}[keyof Branch & string]

/** Every route of the contract needs a row in `access/routes`; a missing one does not compile. */
const rules: Readonly<Record<NamesIn<Contract>, RouteRule>> = routes

const unguarded = implement(contract)
  .$config({ initialInputValidationIndex: Number.POSITIVE_INFINITY })
  .$context<RequestContext>()

/** Enforces the route table. Routes check access to their own records where they read them. */
const guard = unguarded.middleware(async ({ context, next, path }) => {
  const name = path.join('.')
  const rule = (rules as Readonly<Record<string, RouteRule>>)[name]
  if (rule === undefined) throw new Error(`${name} has no row in domain/access/routes`)
  const refusal =
    refusalBeforeInput(rule, context.actor) ??
    (rule.critical ? refusalOnDemo(rule, await context.settings()) : null)
  if (refusal !== null) throw new Refusal(refusal)
  return next()
})

/**
 * Implements the contract. Access is checked before input validation, so an unauthorized caller learns nothing from
 * validation errors.
 */
export const os = unguarded.use(guard)
export type Os = typeof os

/** Narrows `actor` to non-null for routes that the table restricts to signed-in users. */
export const signedIn = unguarded.middleware(({ context, next }) => {
  if (context.actor === null) throw new Refusal('not_logged_in')
  return next({ context: { actor: context.actor } })
})

/** The user and the idempotency key of a request, as commands take them. */
export function authorOf({ actor, idempotencyKey }: SignedInContext): { uid: string; key: string | null } {
  return { uid: actor.id, key: idempotencyKey }
}

type PlainRoute = keyof typeof plainRoutes

/**
 * Guards routes outside the contract: returns the actor if `plainRoutes` allows the request. Throws the refusal of the
 * rule, and demo_mode for a critical edit while critical edits are disabled.
 */
export type AuthorizeRoute = (
  request: Pick<FastifyRequest, 'headers'>,
  route: PlainRoute,
) => Promise<SessionActor>

interface RouteGuardDeps {
  session(headers: FastifyRequest['headers']): Promise<{ actor: SessionActor } | null>
  settings: RequestContext['settings']
}

export function createRouteGuard({ session, settings }: RouteGuardDeps): AuthorizeRoute {
  return async (request, route) => {
    const rule: RouteRule = plainRoutes[route]
    const actor = (await session(request.headers))?.actor ?? null
    const refusal =
      refusalBeforeInput(rule, actor) ?? (rule.critical ? refusalOnDemo(rule, await settings()) : null)
    if (actor === null || refusal !== null) throw new Refusal(refusal ?? 'not_logged_in')
    return actor
  }
}
