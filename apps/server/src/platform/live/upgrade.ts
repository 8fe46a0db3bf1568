import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

const statusTexts = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
} as const
export type UpgradeRefusal = keyof typeof statusTexts

/** Replies to a refused upgrade and closes the connection. */
export function refuseUpgrade(socket: Duplex, status: UpgradeRefusal): void {
  if (!socket.writable) return void socket.destroy()
  socket.end(`HTTP/1.1 ${status} ${statusTexts[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  socket.once('finish', () => socket.destroy())
}

/** Returns the URL of a request; null when it is invalid. */
export function requestUrl(request: IncomingMessage): URL | null {
  const address = `http://server${request.url ?? ''}`
  return URL.canParse(address) ? new URL(address) : null
}

/** Returns the bearer token of the authorization header; null when absent. */
export function bearerOf(request: IncomingMessage): string | null {
  return /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
}

export function isLoopback(address: string): boolean {
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
