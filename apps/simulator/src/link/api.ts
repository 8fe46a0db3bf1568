import { contract } from '@hansom/contract/contract'
import { createORPCClient, ORPCError } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import type { Session } from './session.ts'

export interface CallContext {
  idempotencyKey?: string
}
export type Api = JsonifiedClient<ContractRouterClient<typeof contract, CallContext>>

/** Signs in by email. Returns the bearer token. Throws SignInFailed with the account and the reason. */
export async function signIn(url: string, email: string, password: string): Promise<string> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(20_000),
  })
  const body = (await response.json().catch(() => ({}))) as { token?: string; error?: string }
  if (!response.ok || !body.token) {
    throw new SignInFailed(email, response.status, body.error ?? 'no token')
  }
  return body.token
}

/** The server refused the sign-in. */
export class SignInFailed extends Error {
  readonly status: number
  constructor(email: string, status: number, reason: string) {
    super(`${email} cannot sign in: ${status} ${reason}`)
    this.status = status
  }
}

/**
 * Creates a typed client of the public API for a signed-in user or a visitor. Refusals are thrown as ORPCError with the
 * key as code; an ended session is renewed first.
 */
export function createApi(url: string, session: Session | null): Api {
  const link = new OpenAPILink<CallContext>(contract, {
    url,
    ...(session && { fetch: (request: Request) => fetchSignedIn(session, request) }),
    headers: ({ context }) => ({
      origin: url,
      ...(context.idempotencyKey ? { 'idempotency-key': context.idempotencyKey } : {}),
    }),
    customErrorResponseBodyDecoder: (body, response) => {
      const key = (body as { error?: unknown } | null)?.error
      return typeof key === 'string' ? new ORPCError(key, { status: response.status, data: body }) : null
    },
  })
  return createORPCClient(link)
}

async function fetchSignedIn(session: Session, request: Request): Promise<Response> {
  const send = (token: string) => {
    const signed = new Request(request.clone())
    signed.headers.set('authorization', `Bearer ${token}`)
    return fetch(signed)
  }
  const token = await session.token()
  const response = await send(token)
  return response.status === 401 ? send(await session.renew(token)) : response
}

/** Returns the message key of a refusal; null for any other error. */
export function refusalKey(error: unknown): string | null {
  return error instanceof ORPCError ? error.code : null
}
