import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { addressKey } from '../http/address-key.ts'
import { clientAddress, proxyCheck } from '../http/client-address.ts'
import type { Viewer } from '../http/request-context.ts'
import type { Log } from '../log/log.ts'
import type { Credential } from './connection.ts'
import type { LiveLimits } from './live-limits.ts'
import { bearerOf, isOwnMachine, refuseUpgrade, targetOf, type UpgradeRefusal } from './upgrade.ts'

export const livePath = '/live'
/** Who is there has to be known in this time, ms. */
export const acceptMs = 60_000

export interface SocketDeps {
  /** Who a bearer token or the headers of a request belong to; null for nobody. */
  authenticate(by: Credential): Promise<Viewer | null>
  /** Whether pages of an origin may open a socket. */
  originAllowed(origin: string, request: IncomingMessage): boolean
  /** Whether a request is refused whoever it is of. */
  refuses?(request: IncomingMessage): boolean
  /** Addresses and networks of proxies on other machines, which say on whose behalf they ask. */
  trustedProxies: readonly string[]
  log: Log
}

export interface AcceptedSocket {
  ws: WebSocket
  socket: Duplex
  viewer: Viewer | null
  credential: Credential
  /** Machine time when it was begun to ask who is there. */
  askedAt: number
}

/**
 * Takes the upgrades of an HTTP server. A browser sends its cookie to any server a page asks for, so a page of
 * another origin is refused; whoever names no origin is no page and has to show a bearer token.
 */
export class SocketAcceptor {
  private readonly deps: SocketDeps
  private readonly limits: LiveLimits
  private readonly onSocket: (accepted: AcceptedSocket) => void
  private readonly wss: WebSocketServer
  private readonly isProxy: (address: string) => boolean
  /** Open sockets by whose they are. */
  private readonly socketsOf = new Map<string, number>()
  /** All of them, and those that are still being asked who they are. */
  private sockets = 0
  private isClosed = false

  constructor(deps: SocketDeps, limits: LiveLimits, onSocket: (accepted: AcceptedSocket) => void) {
    this.deps = deps
    this.limits = limits
    this.onSocket = onSocket
    this.isProxy = proxyCheck(deps.trustedProxies)
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

  /** Refuses all upgrades from now on. */
  close(): void {
    this.isClosed = true
  }

  private readonly onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    // A socket that breaks before it is accepted has nobody else to listen to its error.
    socket.on('error', ignore)
    if (this.isClosed || this.sockets >= this.limits.sockets) return refuseUpgrade(socket, 503)
    this.sockets++
    socket.once('close', () => {
      this.sockets--
    })
    const askedAt = performance.now()
    this.identify(request).then(
      (found) => {
        if (typeof found === 'number') return refuseUpgrade(socket, found)
        if (this.isClosed || performance.now() - askedAt > acceptMs) return refuseUpgrade(socket, 503)
        if (socket.destroyed) return
        const refusal = this.count(found.viewer, clientAddress(request, this.isProxy), socket)
        if (refusal !== null) return refuseUpgrade(socket, refusal)
        this.wss.handleUpgrade(request, socket, head, (ws) => {
          socket.off('error', ignore)
          this.onSocket({ ws, socket, askedAt, ...found })
        })
      },
      (error: unknown) => {
        this.deps.log.error({ err: error }, 'a socket could not be identified')
        refuseUpgrade(socket, 503)
      },
    )
  }

  /** Counts a socket with the person it is of, or with the address of a visitor. */
  private count(viewer: Viewer | null, address: string, socket: Duplex): UpgradeRefusal | null {
    const { socketsPerPerson, socketsPerAddress, socketsOfVisitors } = this.limits
    const counted =
      viewer === null
        ? [
            { key: visitors, limit: socketsOfVisitors, refusal: 503 as const },
            ...(isOwnMachine(address)
              ? []
              : [{ key: addressKey(address), limit: socketsPerAddress, refusal: 429 as const }]),
          ]
        : [{ key: `person ${viewer.uid}`, limit: socketsPerPerson, refusal: 429 as const }]
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
    return null
  }

  private async identify(
    request: IncomingMessage,
  ): Promise<{ viewer: Viewer | null; credential: Credential } | UpgradeRefusal> {
    const target = targetOf(request)
    if (target?.pathname !== livePath) return 404
    if (this.deps.refuses?.(request)) return 403
    const bearer = bearerOf(request)
    const { origin } = request.headers
    if (origin === undefined ? bearer === null : !this.deps.originAllowed(origin, request)) return 403
    const credential = bearer ?? request.headers
    const viewer = await this.deps.authenticate(credential)
    if (bearer !== null && viewer === null) return 401
    return { viewer, credential }
  }
}

const visitors = 'visitors'

function ignore(): void {}
