import { ApiError, parseErrorResponse, toApiError } from './api-error.ts'

/** One account's session: a token, renewed when the server no longer accepts it. */
export class Session {
  #current: Promise<string>
  readonly #signIn: (() => Promise<string>) | undefined

  /** `signIn` returns a new token; without it, a session that the server has ended stays ended. */
  constructor(token: string, signIn?: () => Promise<string>) {
    this.#current = Promise.resolve(token)
    this.#signIn = signIn
  }

  /** True when an ended session is renewed by signing in again. */
  get isRenewable(): boolean {
    return this.#signIn !== undefined
  }

  token(): Promise<string> {
    return this.#current
  }

  /** Signs in again unless the token was renewed since `dead` was issued. Throws when the sign-in is refused. */
  async renew(dead: string): Promise<string> {
    const before = this.#current
    if ((await before) !== dead || this.#current !== before) return this.#current
    if (!this.#signIn) throw new ApiError('not_logged_in', 401)
    const renewed = this.#signIn()
    this.#current = renewed
    renewed.catch(() => {
      this.#current = before
    })
    return renewed
  }
}

/** The server's origin for requests (empty: the page's own), and `fetch` if it is not the global one. */
export interface Endpoint {
  url?: string
  fetch?: typeof globalThis.fetch
}

/** Time limit for signing in or out, ms. */
const timeoutMs = 20_000

async function post({ url = '', fetch = globalThis.fetch }: Endpoint, path: string, body: object) {
  let response: Response
  try {
    response = await fetch(url + path, {
      method: 'POST',
      // The server accepts a sign-in only from a known origin; browsers send it themselves.
      headers: { 'content-type': 'application/json', ...(url === '' ? {} : { origin: url }) },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
  } catch (error) {
    throw toApiError(error)
  }
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) throw parseErrorResponse(answer, response.status)
  return answer
}

/**
 * Signs in by email; a browser also stores the session's cookie. Returns the bearer token. Throws an ApiError such as
 * `login_error` or `require_approval`.
 */
export async function signInByEmail(server: Endpoint, email: string, password: string): Promise<string> {
  const answer = (await post(server, '/api/auth/sign-in/email', { email, password })) as { token: string }
  return answer.token
}

/** Ends the session of the cookie, or that of the authorization which `fetch` adds. */
export async function signOut(server: Endpoint): Promise<void> {
  await post(server, '/api/auth/sign-out', {})
}
