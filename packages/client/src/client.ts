import type { BookingView } from '@hansom/contract/bookings'
import { contract } from '@hansom/contract/contract'
import { endedStatuses, isOneOf } from '@hansom/domain/bookings/status'
import type { ErrorKey } from '@hansom/domain/error-keys'
import { createORPCClient } from '@orpc/client'
import { ApiError } from './api-error.ts'
import { createIdempotentCall, type IdempotentCall } from './idempotent-call.ts'
import { type Handler, LiveClient, type LiveSocket } from './live-client.ts'
import { newerView } from './live-topics.ts'
import { type ApiClient, RestLink } from './rest-link.ts'
import { ServerClock } from './server-clock.ts'
import { Session, signInByEmail, signOut } from './session.ts'

/** A WebSocket class outside of a browser, which can send headers. */
export type WebSocketClass = new (
  url: string,
  options: { headers: Record<string, string> },
) => LiveSocket & { onerror: Handler<{ message?: string }> }

export interface ClientOptions {
  /** Origin of the server, such as http://127.0.0.1:8080. */
  url: string
  /** The session to continue. Without one, the client is a visitor until `signIn`. */
  session?: Session
  /** The global `fetch` by default. */
  fetch?: typeof globalThis.fetch
  /** The global `WebSocket` by default. Node 20 has none: pass that of the package `ws`. */
  webSocket?: WebSocketClass
}

/** One user's connection to the platform: REST calls, live topics and the server's clock. */
export interface Client {
  /** Every REST endpoint as a typed function, by noun. Failures are thrown as an `ApiError`. */
  api: ApiClient
  /** Makes a retry of a command safe, also after a lost response. */
  idempotent: IdempotentCall
  /** Live topics over one WebSocket, which opens with the first subscription. */
  live: LiveClient
  /** The server's time; follows its clock while `live` is connected. */
  clock: ServerClock
  /** Signs in by email; signs in again when the server ends the session. Throws an ApiError. */
  signIn(email: string, password: string): Promise<void>
  /**
   * Makes the client a visitor at once, then ends the session on the server. Throws an ApiError when the server does not
   * confirm it; call it again to retry.
   */
  signOut(): Promise<void>
  /**
   * Calls `onChange` with the booking and with each newer version of it, across dropped connections. Resolves with the
   * last one when the booking is COMPLETE or CANCELLED. Rejects with an ApiError when it may not be followed, with the
   * signal's reason when aborted, and with an AbortError when the client is closed.
   */
  followBooking(
    id: string,
    onChange: (booking: BookingView) => void,
    options?: { signal?: AbortSignal },
  ): Promise<BookingView>
  /** Ends all subscriptions and closes the live connection, so that a program can exit. */
  close(): void
}

/** Creates a client of the server at `url`. */
export function createClient(options: ClientOptions): Client {
  const url = options.url.replace(/\/$/, '')
  let session = options.session
  /** Signed-out sessions whose end the server has not confirmed. */
  const unconfirmed = new Set<Session>()
  /** A token with which the server refused a socket or ended it. */
  let dead: string | undefined
  let lastToken: string | undefined

  type FetchInput = Parameters<typeof globalThis.fetch>
  const fetchAs = (token: string | undefined, ...[input, init]: FetchInput) => {
    const { fetch = globalThis.fetch } = options
    if (token === undefined) return fetch(input, init)
    const headers = new Headers(init?.headers)
    headers.set('authorization', `Bearer ${token}`)
    return fetch(input, { ...init, headers })
  }
  const fetchSignedIn: typeof globalThis.fetch = async (input, init) => {
    const signedIn = session
    const token = await signedIn?.token()
    const response = await fetchAs(token, input, init)
    if (response.status !== 401 || token === undefined || !signedIn?.isRenewable) return response
    // Signed out meanwhile: a renewal would start another session.
    if (signedIn !== session) return response
    const renewed = await signedIn.renew(token)
    return signedIn === session ? fetchAs(renewed, input, init) : response
  }
  const server = { url, fetch: fetchSignedIn }
  const api: ApiClient = createORPCClient(new RestLink(contract, server))

  const openSocket = async (WebSocket: WebSocketClass) => {
    const token = dead === undefined ? await session?.token() : await session?.renew(dead)
    dead = undefined
    lastToken = token
    // The server accepts visitors only from a known origin.
    const headers: Record<string, string> =
      token === undefined ? { origin: url } : { authorization: `Bearer ${token}` }
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/live`, { headers })
    // `ws` includes the status in the message. If it is hidden, the next REST call renews the session.
    socket.onerror = ({ message }) => {
      if (message === 'Unexpected server response: 401') dead = token
    }
    return socket
  }
  const clock = new ServerClock()
  const live = new LiveClient({
    // Not async: a missing class must throw in `subscribe`, since retrying cannot help.
    open: () => openSocket(options.webSocket ?? globalWebSocket()),
    clock: ({ now, speed }) => clock.set(now, speed),
    sessionEnded: () => {
      dead = lastToken
    },
    renewsSession: () => session?.isRenewable ?? false,
  })

  const change = (next: Session | undefined) => {
    session = next
    dead = undefined
    live.restart()
  }
  const endOnServer = async (ending: Session) => {
    // If a renewal in progress is refused, there is no session to end.
    const token = await ending.token().catch(() => null)
    if (token !== null) {
      await signOut({ url, fetch: (input, init) => fetchAs(token, input, init) }).catch((error: unknown) => {
        // 401: the server has already ended the session.
        if (!(error instanceof ApiError && error.status === 401)) throw error
      })
    }
    unconfirmed.delete(ending)
  }
  return {
    api,
    live,
    clock,
    idempotent: createIdempotentCall(),
    signIn: async (email, password) => {
      const signIn = () => signInByEmail({ ...options, url }, email, password)
      change(new Session(await signIn(), signIn))
    },
    signOut: async () => {
      if (session) {
        unconfirmed.add(session)
        change(undefined)
      }
      await Promise.all([...unconfirmed].map(endOnServer))
    },
    followBooking: (id, onChange, { signal } = {}) => followBooking(live, id, onChange, signal),
    close: () => live.close(),
  }
}

function globalWebSocket(): WebSocketClass {
  const found = (globalThis as unknown as { WebSocket?: WebSocketClass }).WebSocket
  if (!found) throw new Error('no global WebSocket: pass one as the option webSocket')
  return found
}

function followBooking(
  live: LiveClient,
  id: string,
  onChange: (booking: BookingView) => void,
  signal: AbortSignal | undefined,
): Promise<BookingView> {
  const stops: (() => void)[] = []
  const ended = new Promise<BookingView>((resolve, reject) => {
    let newest: BookingView | undefined
    const take = (next: BookingView) => {
      const known = newest?.version
      newest = newerView(newest, next)
      if (newest.version === known) return
      try {
        onChange(newest)
      } catch (error) {
        reject(error)
      }
      if (isOneOf(endedStatuses, newest.status)) resolve(newest)
    }
    const abort = () => reject(signal?.reason)
    const checkSession = () => {
      if (live.status === 'ended') reject(new ApiError('not_logged_in', 401))
    }
    if (signal?.aborted) return abort()
    checkSession()
    signal?.addEventListener('abort', abort)
    stops.push(() => signal?.removeEventListener('abort', abort), live.onStatus(checkSession))
    stops.push(
      live.subscribe(`booking:${id}`, {
        snapshot: take,
        event: take,
        refused: (error) => reject(new ApiError(error as ErrorKey, 403)),
        closed: () => reject(new DOMException('the client was closed', 'AbortError')),
      }),
    )
  })
  return ended.finally(() => {
    for (const stop of stops) stop()
  })
}
