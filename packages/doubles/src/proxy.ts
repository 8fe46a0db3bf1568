import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'

/** A TCP connection to a service that can be made to fail. */
export interface Proxy {
  port: number
  /** Breaks every open connection and refuses new ones. */
  cut(): void
  /** Accepts connections again. */
  restore(): Promise<void>
  /** Nothing passes any more, in either direction, although every connection stays open. */
  hold(): void
  /** Passes on what was held, and everything after it. */
  release(): void
  /** Passes everything on after this time, ms, in both directions. */
  delay(ms: number): void
  /** Passes on at most this many bytes a second to the client: a client that reads slowly. */
  slow(bytesPerSecond: number): void
  /** Cuts once, after `bytes` of the next chunk from a client that contains `start`, counted from there; resolves then. */
  cutDuring(start: string, bytes: number): Promise<void>
  close(): void
}

/** Where the service listens. */
export type ProxyTarget = { port: number; host?: string } | { path: string }

/** Opens a proxy to a service on a loopback port of its own. */
export async function openProxy(target: ProxyTarget): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let wanted: { start: string; bytes: number; done: () => void } | null = null
  let [delayMs, rate] = [0, Number.POSITIVE_INFINITY]
  let held: { until: Promise<void>; end: () => void } | null = null

  /** Passes chunks on as the faults of the moment allow. */
  const passage = (bytesPerSecond: () => number) =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const pass = async () => {
          while (held) await held.until
          const paceMs = (chunk.length / bytesPerSecond()) * 1_000
          if (delayMs + paceMs > 0) await wait(delayMs + paceMs)
        }
        pass().then(
          () => done(null, chunk),
          (error: Error) => done(error),
        )
      },
    })

  const accept = (client: Socket) => {
    const service = connect(target)
    for (const socket of [client, service]) {
      sockets.add(socket)
      socket.setNoDelay()
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        service.destroy()
      })
    }
    service.pipe(passage(() => rate)).pipe(client)
    const toService = passage(() => Number.POSITIVE_INFINITY)
    toService.pipe(service)
    client.on('end', () => toService.end())
    client.on('data', (chunk: Buffer) => {
      const at = wanted === null ? -1 : chunk.indexOf(wanted.start)
      if (wanted === null || at < 0) return void toService.write(chunk)
      const { bytes, done } = wanted
      wanted = null
      service.write(chunk.subarray(0, at + bytes), () => {
        cut()
        done()
      })
    })
  }
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server = createServer(accept)
      server.on('error', reject)
      server.listen(port, '127.0.0.1', () => resolve((server?.address() as AddressInfo).port))
    })
  const cut = () => {
    server?.close()
    for (const socket of sockets) socket.destroy()
  }
  const release = () => {
    held?.end()
    held = null
  }

  const port = await listen(0)
  return {
    port,
    cut,
    restore: async () => void (await listen(port)),
    hold() {
      if (held) return
      let end = () => {}
      const until = new Promise<void>((resolve) => {
        end = resolve
      })
      held = { until, end }
    },
    release,
    delay: (ms) => void (delayMs = ms),
    slow: (bytesPerSecond) => void (rate = bytesPerSecond),
    cutDuring: (start, bytes) =>
      new Promise((done) => {
        wanted = { start, bytes, done }
      }),
    close() {
      cut()
      release()
    },
  }
}
