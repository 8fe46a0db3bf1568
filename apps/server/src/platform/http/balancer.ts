import {
  Agent,
  type ClientRequest,
  createServer,
  get,
  type IncomingMessage,
  type RequestOptions,
  type Server,
  type ServerResponse,
  request as sendRequest,
} from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { unavailable } from './availability.ts'
import { forwarded, hasNoEffect, headOf, pairsOf, responseHeaders } from './forwarded-headers.ts'

export interface BalancerOptions {
  /** Ports of the servers on this machine. */
  ports: readonly number[]
  /** Interval of the checks of `/healthz`, ms. */
  checkMs?: number
  /** A server that does not answer a check for this time has missed it, ms. */
  silentMs?: number
}

/** Distributes requests and sockets among servers on this machine, each to the next one: no session is sticky. */
export interface Balancer {
  /** Listens nowhere yet. */
  server: Server
  /** Sends a server nothing new, and waits at most `patienceMs` until its requests are answered. Its sockets stay. */
  drain(port: number, patienceMs: number): Promise<void>
  /** Sends requests to a server that serves, also after `drain`. */
  admit(port: number): Promise<void>
  close(): Promise<void>
}

/** `doubtful`: it says that it cannot serve now, or missed a check; it gets requests only if no other serves. */
type State = 'serving' | 'doubtful' | 'silent'

interface Backend {
  port: number
  state: State
  isDraining: boolean
  isChecked: boolean
  /** Checks in a row that it did not answer. */
  misses: number
  /** Requests without a complete response. */
  running: number
  /** Those without any response. */
  waiting: Set<ClientRequest>
  agent: Agent
  /** Open WebSockets. */
  sockets: Set<Socket>
}

const host = '127.0.0.1'
const drainCheckMs = 20
/** A busy server misses one or two: that ends no socket and no response that has begun. */
const missesToGiveUp = 3

/**
 * The servers see the client's IP address in `x-forwarded-for`, as behind any proxy on their machine, and everything else as
 * it was sent. A request that reached no server goes to the next one; of those that may have, only requests without effect do.
 * Those that wait for a server when it misses a check count as lost: their callers learn that soon.
 */
export function createBalancer({ ports, checkMs = 500, silentMs = 1_000 }: BalancerOptions): Balancer {
  const backends = ports.map(
    (port): Backend => ({
      port,
      state: 'silent',
      isDraining: false,
      isChecked: false,
      misses: 0,
      running: 0,
      waiting: new Set(),
      agent: new Agent({ keepAlive: true }),
      sockets: new Set(),
    }),
  )
  let turn = 0

  /** The next server that serves; if none does, one that says why. */
  function next(tried: readonly Backend[]): Backend | undefined {
    const open = backends.filter((one) => one.state !== 'silent' && !one.isDraining && !tried.includes(one))
    const serving = open.filter((one) => one.state === 'serving')
    const choice = serving.length > 0 ? serving : open
    return choice[turn++ % Math.max(1, choice.length)]
  }

  /** Ends what waits for a server that does not answer. */
  function giveUp(backend: Backend): void {
    backend.state = 'silent'
    backend.agent.destroy()
    backend.agent = new Agent({ keepAlive: true })
    for (const socket of backend.sockets) socket.destroy()
  }

  async function check(backend: Backend): Promise<void> {
    if (backend.isChecked) return
    backend.isChecked = true
    const status = await healthOf(backend.port, silentMs)
    backend.isChecked = false
    backend.misses = status === null ? backend.misses + 1 : 0
    if (status === null)
      for (const request of backend.waiting) request.destroy(new Error('the server does not answer'))
    if (backend.misses >= missesToGiveUp) giveUp(backend)
    else if (status !== null) backend.state = status === 200 ? 'serving' : 'doubtful'
    else if (backend.state === 'serving') backend.state = 'doubtful'
  }

  function forward(request: IncomingMessage, response: ServerResponse, tried: Backend[] = []): void {
    const backend = next(tried)
    if (backend === undefined) return refuse(request, response)
    tried.push(backend)
    backend.running++
    let isSent = false
    const outgoing = sendRequest(requestTo(backend, request))
    backend.waiting.add(outgoing)
    outgoing.once('close', () => {
      backend.running--
      backend.waiting.delete(outgoing)
    })
    outgoing.once('response', (incoming) => {
      backend.waiting.delete(outgoing)
      const { statusCode = 502, statusMessage, rawHeaders } = incoming
      response.writeHead(statusCode, statusMessage, pairsOf(rawHeaders, responseHeaders).flat())
      incoming.pipe(response)
      incoming.once('error', () => response.destroy())
    })
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') backend.state = 'silent'
      request.unpipe(outgoing)
      if (response.headersSent || response.destroyed) return void response.destroy()
      if (!isSent || hasNoEffect(request)) forward(request, response, tried)
      else refuse(request, response)
    })
    response.once('close', () => outgoing.destroy())
    const send = () => {
      isSent = true
      request.pipe(outgoing)
    }
    outgoing.once('socket', (socket) => (socket.connecting ? socket.once('connect', send) : send()))
  }

  function join(request: IncomingMessage, client: Duplex, head: Buffer, tried: Backend[] = []): void {
    const backend = next(tried)
    if (backend === undefined) {
      client.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
      return
    }
    tried.push(backend)
    const upstream = connect(backend.port, host)
    const retry = () => {
      backend.state = 'silent'
      join(request, client, head, tried)
    }
    upstream.once('error', retry)
    upstream.once('connect', () => {
      upstream.off('error', retry)
      if (client.destroyed) return void upstream.destroy()
      backend.sockets.add(upstream)
      upstream.setNoDelay(true)
      // The text of a request is latin1 (RFC 9110, section 5.5).
      upstream.write(headOf(request), 'latin1')
      upstream.write(head)
      upstream.pipe(client).pipe(upstream)
      for (const [one, other] of [
        [upstream, client],
        [client, upstream],
      ] as const) {
        one.on('error', () => other.destroy())
        one.once('close', () => other.destroy())
      }
      upstream.once('close', () => backend.sockets.delete(upstream))
    })
  }

  const server = createServer({ requestTimeout: 300_000 }, (request, response) => forward(request, response))
  server.on('upgrade', (request, client, head) => {
    client.on('error', () => client.destroy())
    ;(client as Socket).setNoDelay?.(true)
    join(request, client, head)
  })
  const timer = setInterval(() => {
    for (const backend of backends) void check(backend)
  }, checkMs)
  const backendAt = (port: number) => backends.find((one) => one.port === port)

  return {
    server,
    async drain(port, patienceMs) {
      const backend = backendAt(port)
      if (!backend) return
      backend.isDraining = true
      const deadline = performance.now() + patienceMs
      while (backend.running > 0 && performance.now() < deadline) await wait(drainCheckMs)
    },
    async admit(port) {
      const backend = backendAt(port)
      if (!backend) return
      backend.isDraining = false
      await check(backend)
    },
    async close() {
      clearInterval(timer)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      for (const backend of backends) giveUp(backend)
      server.closeAllConnections()
      await closed
    },
  }
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  const { headers, text } = unavailable(request)
  response.writeHead(503, { ...headers, connection: 'close' }).end(text)
}

/** Status of a server's health check; null when it does not answer. */
export function healthOf(port: number, timeout: number): Promise<number | null> {
  return new Promise((resolve) => {
    const asked = get({ host, port, path: '/healthz', agent: false, timeout }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? null)
    })
    asked.once('timeout', () => asked.destroy())
    asked.once('error', () => resolve(null))
  })
}

function requestTo({ port, agent }: Backend, request: IncomingMessage): RequestOptions {
  return { host, port, agent, method: request.method, path: request.url, headers: forwarded(request).flat() }
}
