import { createServer, type Server, type Socket, connect as toServer } from 'node:net'

/** A connection to a server that can be cut, for the page and its service worker alike. */
export interface Connection {
  /** The server's URL through this connection. */
  url: string
  /** Breaks every open connection and refuses new ones. */
  cut(): void
  restore(): Promise<void>
  close(): void
}

/** Passes TCP connections on to the server at `url`. */
export async function openConnection(url: string): Promise<Connection> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let server: Server | undefined
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
        client.pipe(upstream).pipe(client)
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
    close: cut,
  }
}
