import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'

const portsToTry = 20

/**
 * Listens and answers with the address. A busy default port gives way to the next one; a port that was asked for is
 * never exchanged, and when it is busy that is an error.
 */
export async function listen(
  server: FastifyInstance,
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
  return listeningAddress(server)
}

/** The address a server is reached at on this machine; before it listens, this machine's name. */
export function listeningAddress(server: FastifyInstance): string {
  const listening = server.server.address() as AddressInfo | null
  if (listening === null) return 'http://localhost'
  const { address, port, family } = listening
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}

/** `message` is made to be printed as it is. */
export class PortBusyError extends Error {
  constructor(port: number, given: boolean) {
    const which = given ? `The port ${port} is` : `The ports ${port} to ${port + portsToTry - 1} are`
    super(`${which} in use by another program. Choose a free one, such as PORT=3000.`)
    this.name = 'PortBusyError'
  }
}
