import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { clientIp, isLoopback, rateLimitKey, trustedProxyMatcher } from '../http/client-ip.ts'
import type { SessionActor } from '../http/implement.ts'
import type { Log } from '../log/log.ts'
import type { Credential } from './connection.ts'
import type { LiveLimits } from './live-limits.ts'

export const livePath = '/live'
/** Time limit for authenticating a socket, ms. */
export const acceptMs = 60_000

export interface SocketDeps {
  /** Resolves the actor of a bearer token or of request headers; null for a visitor. */
  authenticate(by: Credential): Promise<SessionActor | null>
  /** True when pages of an origin may open a socket. */
  originAllowed(origin: string, request: IncomingMessage): boolean
  /** True to refuse a request regardless of the user. */
  refuses?(request: IncomingMessage): boolean
  /** IP addresses and networks of trusted proxies on other machines. */
  trustedProxies: readonly string[]
  /** Counts the sockets of an owner on all servers. Default: those of this server. */
  counts?: OpenCounts | undefined
  log: Log
}

/** What is counted in common with other servers; see the port `shared-counts`. */
export interface OpenCounts {
  open(owner: string, limit: number): Promise<boolean | null>
  close(owner: string): void
}

export interface AcceptedSocket {
  ws: WebSocket
  socket: Duplex
  actor: SessionActor | null
  credential: Credential
  /** Machine time when authentication started. */
  askedAt: number
}

/**
 * Accepts the upgrades of an HTTP server. A browser sends its cookie to any server a page connects to, so pages of
 * other origins are refused. A client without an origin is not a browser page and must present a bearer token.
 */
export class SocketAcceptor {
  private readonly deps: SocketDeps
  private readonly limits: LiveLimits
  private readonly onSocket: (accepted: AcceptedSocket) => void
  private readonly wss: WebSocketServer
  private readonly isProxy: (address: string) => boolean
  /** Open sockets by owner. */
  private readonly socketsOf = new Map<string, number>()
  /** All open sockets, including those being authenticated. */
  private sockets = 0
  private isClosed = false

  constructor(deps: SocketDeps, limits: LiveLimits, onSocket: (accepted: AcceptedSocket) => void) {
    this.deps = deps
    this.limits = limits
    this.onSocket = onSocket
    this.isProxy = trustedProxyMatcher(deps.trustedProxies)
    this.wss = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: limits.frameBytes,
    })
  }

  attach(server: Server): void {
    server.on('upgrade', this.onUpgrade)
  }

  /** Refuses all further upgrades. */
  close(): void {
    this.isClosed = true
  }

  private readonly onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // Until it is accepted, a socket has no other error listener.
    socket.on('error', ignore)
    if (this.isClosed || this.sockets >= this.limits.sockets) return refuseUpgrade(socket, 503)
    this.sockets++
    socket.once('close', () => {
      this.sockets--
    })
    this.accept(request, socket, head).catch((error: unknown) => {
      this.deps.log.error({ err: error }, 'failed to accept a socket')
      refuseUpgrade(socket, 503)
    })
  }

  private async accept(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const askedAt = performance.now()
    const isLate = () => this.isClosed || performance.now() - askedAt > acceptMs
    const found = await this.identify(request)
    if (typeof found === 'number') return refuseUpgrade(socket, found)
    if (isLate()) return refuseUpgrade(socket, 503)
    if (socket.destroyed) return
    const refusal = await this.count(found.actor, clientIp(request, this.isProxy), socket)
    if (refusal !== null) return refuseUpgrade(socket, refusal)
    if (isLate()) return refuseUpgrade(socket, 503)
    if (socket.destroyed) return
    this.wss.handleUpgrade(request, socket, head, (ws) => {
      socket.off('error', ignore)
      this.onSocket({ ws, socket, askedAt, ...found })
    })
  }

  /** Counts a socket for its user, or for the IP address of a visitor: here, and then on all servers. */
  private async count(
    actor: SessionActor | null,
    address: string,
    socket: Duplex,
  ): Promise<UpgradeRefusal | null> {
    const { socketsPerPerson, socketsPerAddress, socketsOfVisitors } = this.limits
    const owner: Owner | null =
      actor !== null
        ? { key: `person ${actor.id}`, limit: socketsPerPerson, refusal: 429 }
        : isLoopback(address)
          ? null
          : { key: rateLimitKey(address), limit: socketsPerAddress, refusal: 429 }
    const counted: Owner[] = owner === null ? [] : [owner]
    if (actor === null) counted.unshift({ key: visitors, limit: socketsOfVisitors, refusal: 503 })
    const over = counted.find(({ key, limit }) => (this.socketsOf.get(key) ?? 0) >= limit)
    if (over !== undefined) return over.refusal
    for (const { key } of counted) this.socketsOf.set(key, (this.socketsOf.get(key) ?? 0) + 1)
    socket.once('close', () => {
      for (const { key } of counted) {
        const left = (this.socketsOf.get(key) ?? 0) - 1
        if (left > 0) this.socketsOf.set(key, left)
        else this.socketsOf.delete(key)
      }
    })
    const { counts } = this.deps
    if (counts === undefined || owner === null) return null
    if ((await counts.open(owner.key, owner.limit)) === false) return owner.refusal
    if (socket.destroyed) counts.close(owner.key)
    else socket.once('close', () => counts.close(owner.key))
    return null
  }

  private async identify(
    request: IncomingMessage,
  ): Promise<{ actor: SessionActor | null; credential: Credential } | UpgradeRefusal> {
    const target = requestUrl(request)
    if (target?.pathname !== livePath) return 404
    if (this.deps.refuses?.(request)) return 403
    const bearer = bearerOf(request)
    const { origin } = request.headers
    if (origin === undefined ? bearer === null : !this.deps.originAllowed(origin, request)) return 403
    const credential = bearer ?? request.headers
    const actor = await this.deps.authenticate(credential)
    if (bearer !== null && actor === null) return 401
    return { actor, credential }
  }
}

/** Whose sockets are counted. */
interface Owner {
  key: string
  limit: number
  refusal: UpgradeRefusal
}

const visitors = 'visitors'

function ignore(): void {}

const statusTexts = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
} as const
export type UpgradeRefusal = keyof typeof statusTexts

/** Replies to a refused upgrade and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: UpgradeRefusal): void {
  if (!socket.writable) return void socket.destroy()
  socket.end(`HTTP/1.1 ${status} ${statusTexts[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  socket.once('finish', () => socket.destroy())
}

/** Returns the URL of a request; null when it is invalid. */
export function requestUrl(request: IncomingMessage): URL | null {
  const address = `http://server${request.url ?? ''}`
  return URL.canParse(address) ? new URL(address) : null
}

/** Returns the bearer token of the authorization header; null when absent. */
export function bearerOf(request: IncomingMessage): string | null {
  return /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}
