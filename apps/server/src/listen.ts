import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import Fastify from 'fastify'
import type { Config } from './config.ts'
import { refuseWhileStandingBy } from './platform/http/availability.ts'
import { mountWaitingMetrics } from './platform/metrics/metrics-route.ts'

const portsToTry = 20

type Listener = Pick<FastifyInstance, 'server'> & {
  listen(where: { host: string; port: number }): Promise<unknown>
}

/**
 * Listens and returns the URL. A busy default port is replaced by the next free one; a configured port never is, and
 * throws PortBusyError when busy.
 */
export async function listen(
  server: Listener,
  { host, port, portGiven }: Pick<Config, 'host' | 'port' | 'portGiven'>,
): Promise<string> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await server.listen({ host, port: port + attempt })
      break
    } catch (error) {
      const isBusy = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      if (isBusy && !portGiven && attempt + 1 < portsToTry) continue
      if (isBusy) throw new PortBusyError(port, portGiven)
      throw error
    }
  }
  return listeningUrl(server)
}

/** Returns the URL of a server on this machine; `http://localhost` before it listens. */
export function listeningUrl(server: Pick<Listener, 'server'>): string {
  const listening = server.server.address() as AddressInfo | null
  if (listening === null) return 'http://localhost'
  const { address, port, family } = listening
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** No free port; `message` is printed as is. */
export class PortBusyError extends Error {
  constructor(port: number, given: boolean) {
    const which = given ? `The port ${port} is` : `The ports ${port} to ${port + portsToTry - 1} are`
    super(`${which} in use by another program. Choose a free one, such as PORT=3000.`)
    this.name = 'PortBusyError'
  }
}

/** Holds the port while the server starts or stands by: every request but `/metrics` gets `unavailable` with a retry time. */
export interface PlaceholderServer {
  port: number
  /** Releases the port for the server. */
  close(): Promise<void>
}

/** Opens the placeholder. `state` is reported by the health check. Throws PortBusyError. */
export async function openPlaceholderServer(
  config: Pick<Config, 'host' | 'port' | 'portGiven' | 'metricsToken' | 'demo'>,
  state: () => string,
): Promise<PlaceholderServer> {
  const server = Fastify({ forceCloseConnections: true, genReqId: () => randomUUID() })
  const { metricsToken: token, demo } = config
  mountWaitingMetrics(server, { token, demo }, () => state() === 'standing by')
  refuseWhileStandingBy(server, () => false)
  server.get('/healthz', (_request, reply) =>
    reply.status(503).header('cache-control', 'no-store').send({ ok: false, state: state() }),
  )
  await listen(server, config)
  return { port: (server.server.address() as AddressInfo).port, close: () => server.close() }
}
