import { openProxy, type Proxy } from '@hansom/doubles/proxy'

/** A connection to a server that can be cut, for the page and its service worker alike; `url`: the server through it. */
export type Connection = Proxy & { url: string }

/** Passes TCP connections on to the server at `url`. */
export async function openConnection(url: string): Promise<Connection> {
  const { port, hostname } = new URL(url)
  const proxy = await openProxy({ port: Number(port), host: hostname })
  return { ...proxy, url: `http://127.0.0.1:${proxy.port}` }
}
