import { createServer, type Server, type Socket, connect as toServer } from 'node:net'

/** A connection to a server that can be cut, for the page and its service worker alike. */
export interface Connection {
  /** The server's URL through this connection. */
  url: string
  /** Breaks every open connection and refuses new ones. */
  cut(): void
  restore(): Promise<void>
  /** Cuts once, after `bytes` of the next request that begins with `start` have gone through; resolves then. */
  cutDuring(start: string, bytes: number): Promise<void>
  close(): void
}

/** Passes TCP connections on to the server at `url`. */
export async function openConnection(url: string): Promise<Connection> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let server: Server | undefined
  let wanted: { start: string; bytes: number; done: () => void } | null = null
  const listen = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server = createServer((client) => {
        const upstream = toServer(Number(target.port), target.hostname)
        for (const socket of [client, upstream]) {
          sockets.add(socket)
          socket.on('close', () => {
            sockets.delete(socket)
            client.destroy()
            upstream.destroy()
          })
          socket.on('error', () => socket.destroy())
        }
        upstream.pipe(client)
        client.on('end', () => upstream.end())
        client.on('data', (chunk: Buffer) => {
          const at = wanted === null ? -1 : chunk.indexOf(wanted.start)
          if (wanted === null || at < 0) return void upstream.write(chunk)
          const { bytes, done } = wanted
          wanted = null
          upstream.write(chunk.subarray(0, at + bytes), () => {
            cut()
            done()
          })
        })
      })
      server.on('error', reject)
      server.listen(port, '127.0.0.1', () => {
        const address = server?.address()
        resolve(typeof address === 'object' && address ? address.port : 0)
      })
    })
  const port = await listen(0)
  const cut = () => {
    server?.close()
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    cut,
    restore: async () => void (await listen(port)),
    cutDuring: (start, bytes) =>
      new Promise((done) => {
        wanted = { start, bytes, done }
      }),
    close: cut,
  }
}
