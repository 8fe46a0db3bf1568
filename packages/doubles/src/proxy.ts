import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
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

  /** Lets a chunk wait as the faults of the moment demand. */
  const pass = async (chunk: Buffer, bytesPerSecond: number) => {
    while (held) await held.until
    const ms = delayMs + (chunk.length / bytesPerSecond) * 1_000
    if (ms > 0) await wait(ms)
  }

  const accept = (client: Socket) => {
    const service = connect(target)
    for (const socket of [client, service]) {
      sockets.add(socket)
      socket.setNoDelay()
      socket.on('close', () => sockets.delete(socket))
    }
    async function* toClient(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        await pass(chunk, rate)
        yield chunk
      }
    }
    async function* toService(chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        await pass(chunk, Number.POSITIVE_INFINITY)
        const at = wanted === null ? -1 : chunk.indexOf(wanted.start)
        if (wanted === null || at < 0) {
          yield chunk
          continue
        }
        const { bytes, done } = wanted
        wanted = null
        service.write(chunk.subarray(0, at + bytes), () => {
          cut()
          done()
        })
        return
      }
    }
    // A broken side breaks the other.
    const end = () => {
      client.destroy()
      service.destroy()
    }
    void pipeline(service, toClient, client).catch(end)
    void pipeline(client, toService, service).catch(end)
  }
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      const listening = createServer(accept)
      server = listening
      listening.on('error', reject)
      listening.listen(port, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port))
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
