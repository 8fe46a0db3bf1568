import { idempotencyHeader } from '@hansom/contract/base'
import { contract } from '@hansom/contract/contract'
import { errorBody } from '@hansom/contract/shapes'
import { plainRoutes } from '@hansom/domain/access/routes'
import { Refusal } from '@hansom/domain/error-keys'
import type { AnyContractProcedure, AnyContractRouter } from '@orpc/contract'
import { OpenAPIGenerator } from '@orpc/openapi'
import { OpenAPIHandler } from '@orpc/openapi/fastify'
import { ORPCError, type Router } from '@orpc/server'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { z } from 'zod'
import type { Log } from '../log/log.ts'
import { entityTag } from './content-negotiation.ts'
import { errorResponse } from './error-response.ts'
import type { RequestContext, SessionActor } from './implement.ts'

/** A contract route; `path` is in the contract's form (`{id}`). */
export interface ContractRoute {
  name: string
  method: HTTPMethods
  path: string
  /** The input schema, if any. */
  input: unknown
}

export interface MountOptions {
  /** Resolves the session; `cookie` is set when the session was renewed. */
  session(
    headers: FastifyRequest['headers'],
  ): Promise<{ actor: SessionActor; cookie: string | undefined } | null>
  settings: RequestContext['settings']
  /** The limit of a route; undefined when only the general one applies. */
  limitOf(route: ContractRoute): { max: number; timeWindow?: number; groupId?: string } | undefined
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

type Document = Awaited<ReturnType<OpenAPIGenerator['generate']>>

/** `GET /openapi.json`: the contract as OpenAPI 3.1. */
export function mountOpenApi(server: FastifyInstance): void {
  let document: Promise<Document> | undefined
  server.get('/openapi.json', { onSend: entityTag }, async () => {
    document ??= describeContract()
    return document
  })
}

/** Generates the OpenAPI document; all routes share one error body. */
async function describeContract(): Promise<Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] })
  const document = await generator.generate(contract, {
    info: { title: 'Hansom', version: '1', license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    security: [{ bearer: [] }, { session: [] }, {}],
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'Token returned by POST /api/auth/sign-in/email',
        },
        session: { type: 'apiKey', in: 'cookie', name: 'hansom.session_token' },
      },
    },
  })
  const { $schema: _schema, ...refusal } = z.toJSONSchema(errorBody)
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item ?? {})) {
      if (typeof operation !== 'object' || !('responses' in operation)) continue
      operation.responses = Object.assign(operation.responses ?? {}, {
        default: {
          description: 'Error: a message key and, if any, the rejected fields.',
          content: { 'application/json': { schema: refusal } },
        },
      })
    }
  }
  return document
}
