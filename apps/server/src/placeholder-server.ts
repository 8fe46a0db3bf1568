import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import type { Config } from './config.ts'
import { listen } from './listen.ts'
import { refuseWhileStandingBy } from './platform/http/unavailable.ts'

/** Holds the port while the server starts or stands by: every request gets `unavailable` with a retry time. */
export interface PlaceholderServer {
  port: number
  /** Releases the port for the server. */
  close(): Promise<void>
}

/** Opens the placeholder. `state` is reported by the health check. Throws PortBusyError. */
export async function openPlaceholderServer(
  config: Pick<Config, 'host' | 'port' | 'portGiven'>,
  state: () => string,
): Promise<PlaceholderServer> {
  const server = Fastify({ forceCloseConnections: true, genReqId: () => randomUUID() })
  refuseWhileStandingBy(server, () => false)
  server.get('/healthz', (_request, reply) =>
    reply.status(503).header('cache-control', 'no-store').send({ ok: false, state: state() }),
  )
  await listen(server, config)
  return { port: (server.server.address() as AddressInfo).port, close: () => server.close() }
}
