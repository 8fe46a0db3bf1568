import { contract } from '@hansom/contract/contract'
import { createORPCClient, ORPCError } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'

export interface CallContext {
  idempotencyKey?: string
}
export type Api = JsonifiedClient<ContractRouterClient<typeof contract, CallContext>>

/** Signs an account in by e-mail. Returns the bearer token. Throws an Error that names the account and the answer. */
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

/** The server refused to sign an account in. */
export class SignInFailed extends Error {
  readonly status: number
  constructor(email: string, status: number, reason: string) {
    super(`${email} cannot sign in: ${status} ${reason}`)
    this.status = status
  }
}

/** A typed client of the public API for one signed-in person. Refusals are thrown as ORPCError with the key as code. */
export function createApi(url: string, token: string): Api {
  const link = new OpenAPILink<CallContext>(contract, {
    url,
    headers: ({ context }) => ({
      authorization: `Bearer ${token}`,
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

/** The message key of a refusal; null for anything else that went wrong. */
export function refusalKey(error: unknown): string | null {
  return error instanceof ORPCError ? error.code : null
}
