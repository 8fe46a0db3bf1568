import type { IncomingHttpHeaders } from 'node:http'
import { idempotencyHeader } from '@hansom/contract/base'
import { type Contract, contract } from '@hansom/contract/contract'
import type { Actor } from '@hansom/domain/access/relation'
import {
  plainRoutes,
  type RouteRule,
  refusalBeforeInput,
  refusalInCategory,
  refusalOnDemo,
  routes,
} from '@hansom/domain/access/routes'
import { Refusal } from '@hansom/domain/error-keys'
import type { Settings } from '@hansom/domain/settings/settings'
import type { AnyContractProcedure, AnyContractRouter } from '@orpc/contract'
import { OpenAPIHandler } from '@orpc/openapi/fastify'
import { implement, ORPCError, type Router } from '@orpc/server'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { Log } from '../log/log.ts'
import { entityTag } from './content-negotiation.ts'
import { errorResponse } from './error-response.ts'

/** The user of a session. `approved` is read with every request, so a withdrawn approval takes effect immediately. */
export interface SessionActor extends Actor {
  sessionId: string
}

/** The settings that affect access. */
type GuardSettings = Pick<Settings, 'AllowCriticalEditsAdmin' | 'category'>

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
  await refuse(rule, context.actor, context.settings)
  return next()
})

/**
 * Throws the refusal of a rule, not_found for a route of the other category, and demo_mode for a critical edit while critical
 * edits are disabled.
 */
async function refuse(
  rule: RouteRule,
  actor: Actor | null,
  settings: RequestContext['settings'],
): Promise<void> {
  const refusal =
    (rule.only || rule.onlyIn ? refusalInCategory(rule, await settings(), actor?.role) : null) ??
    refusalBeforeInput(rule, actor) ??
    (rule.critical ? refusalOnDemo(rule, await settings()) : null)
  if (refusal !== null) throw new Refusal(refusal)
}

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

/** Guards routes outside the contract: returns the actor if `plainRoutes` allows the request. Throws like contract routes. */
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
    const actor = (await session(request.headers))?.actor ?? null
    await refuse(plainRoutes[route], actor, settings)
    if (actor === null) throw new Refusal('not_logged_in')
    return actor
  }
}

/** A contract route; `path` is in the contract's form (`{id}`). */
export interface ContractRoute {
  name: string
  method: HTTPMethods
  path: string
  /** The input schema, if any. */
  input: unknown
}

/** A `max` that is a function gets the key of the caller. */
export interface RouteLimit {
  max: number | ((request: FastifyRequest, key: string) => number)
  timeWindow?: number
  groupId?: string
}

export interface MountOptions {
  /** Resolves the session; `cookie` is set when the session was renewed. */
  session(
    headers: FastifyRequest['headers'],
  ): Promise<{ actor: SessionActor; cookie: string | undefined } | null>
  settings: RequestContext['settings']
  /** The limit of a route; undefined when only the general one applies. */
  limitOf(route: ContractRoute): RouteLimit | undefined
  /** True for responses that rarely change and are the same for all users: they get an ETag. */
  isTagged(route: ContractRoute): boolean
  log: Log
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Lists the routes of the contract. */
export function contractRoutes(): ContractRoute[] {
  const found: ContractRoute[] = []
  const walk = (branch: object, path: string[]) => {
    for (const [key, item] of Object.entries(branch)) {
      if (!('~orpc' in item)) {
        walk(item, [...path, key])
        continue
      }
      const { route, inputSchema } = (item as AnyContractProcedure)['~orpc']
      if (route.path === undefined) throw new Error(`${[...path, key].join('.')} has no path`)
      const name = [...path, key].join('.')
      found.push({ name, method: route.method ?? 'POST', path: route.path, input: inputSchema })
    }
  }
  walk(contract, [])
  return found
}

/** Mounts the contract's routes with their implementation; other methods on the same paths get method_not_allowed. */
export function mountContract(
  server: FastifyInstance,
  router: Router<AnyContractRouter, RequestContext>,
  options: MountOptions,
): void {
  const handler = new OpenAPIHandler<RequestContext>(router, {
    // First the errors of a route, then inputs that could not be read at all.
    clientInterceptors: [
      async ({ next, context }) => {
        try {
          return await next()
        } catch (error) {
          throw answered(error, context, options.log)
        }
      },
    ],
    interceptors: [
      async ({ next, context }) => {
        try {
          return await next()
        } catch (error) {
          if (error instanceof ORPCError && error.code === answeredCode) throw error
          throw answered(new Refusal('invalid_input'), context, options.log)
        }
      },
    ],
    customErrorResponseBodyEncoder: (error) => error.data,
  })
  const routes = contractRoutes()
  for (const route of routes) {
    const limit = options.limitOf(route)
    server.route({
      method: route.method,
      url: route.path.replace(/\{([^}]+)\}/g, ':$1'),
      exposeHeadRoute: false,
      config: limit === undefined ? {} : { rateLimit: { groupId: route.name, ...limit } },
      onSend: options.isTagged(route) ? entityTag : [],
      handler: async (request, reply) => {
        const session = await options.session(request.headers)
        if (session?.cookie !== undefined) reply.header('set-cookie', session.cookie)
        reply.header('cache-control', 'no-store')
        const context = requestContext(request, reply, session?.actor ?? null, options.settings)
        const { matched } = await handler.handle(request, reply, { context })
        if (!matched) throw new Refusal('not_found')
      },
    })
  }
  refuseOtherMethods(server, routes)
}

const answeredCode = 'ANSWERED'

/** Carries a finished error response through the handler, which accepts only its own error type. */
function answered(error: unknown, context: RequestContext, log: Log): ORPCError<string, unknown> {
  const { status, body } = errorResponse(error, context.requestId, log)
  const wait = body.data?.retryAfterS
  if (typeof wait === 'number') context.setHeader('retry-after', String(wait))
  return new ORPCError(answeredCode, { status, data: body })
}

function requestContext(
  request: FastifyRequest,
  reply: FastifyReply,
  actor: SessionActor | null,
  settings: RequestContext['settings'],
): RequestContext {
  return {
    actor,
    settings,
    ip: request.ip,
    headers: request.headers,
    idempotencyKey: readIdempotencyKey(request.headers[idempotencyHeader]),
    setHeader: (name, value) => {
      reply.header(name, value)
    },
    requestId: request.id,
  }
}

function readIdempotencyKey(value: string | string[] | undefined): string | null {
  if (value === undefined) return null
  if (typeof value === 'string' && /^[\x21-\x7e]{8,200}$/.test(value)) return value
  throw new Refusal('invalid_input', { fields: [{ field: idempotencyHeader, error: 'wrong_type' }] })
}

function refuseOtherMethods(server: FastifyInstance, routes: ContractRoute[]): void {
  const byUrl = new Map<string, string[]>()
  for (const { method, path } of routes) {
    const url = path.replace(/\{[^}]+\}/g, ':id')
    byUrl.set(url, [...(byUrl.get(url) ?? []), String(method)])
  }
  for (const plain of Object.keys(plainRoutes)) {
    const [method = '', url = ''] = plain.split(' ')
    byUrl.get(url)?.push(method)
  }
  for (const [url, allowed] of byUrl) {
    server.route({
      method: methods.filter((method) => !allowed.includes(method)),
      url,
      exposeHeadRoute: false,
      handler: (_request, reply) => {
        reply.header('allow', allowed.join(', '))
        throw new Refusal('method_not_allowed')
      },
    })
  }
}
