import type { IncomingMessage } from 'node:http'
import { isLoopback } from './client-ip.ts'

/** Headers about one connection (RFC 9110, section 7.6.1), and the one that the balancer's server has answered itself. */
const ownHeaders = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade', 'expect']
/** The encoding of a response's body depends on the client's version of HTTP. */
export const responseHeaders = [...ownHeaders, 'transfer-encoding']

/** The headers of a request for a server. HTTP/1.0 is reported, because a demo does not accept it. */
export function forwarded(
  request: IncomingMessage,
  without: readonly string[] = ownHeaders,
): [string, string][] {
  const before = request.headers['x-forwarded-for']
  const addresses = forwardedFor(request.socket.remoteAddress ?? '', before?.toString())
  const added: [string, string][] = addresses === undefined ? [] : [['x-forwarded-for', addresses]]
  if (request.httpVersion === '1.0') added.push(['via', '1.0 hansom'])
  const names = [...without, ...added.map(([name]) => name)]
  return [...pairsOf(request.rawHeaders, names), ...added]
}

/** The value of `x-forwarded-for`. A client on this machine is not added: the balancer's own address says the same. */
export function forwardedFor(address: string, before: string | undefined): string | undefined {
  if (isLoopback(address)) return before
  return before === undefined ? address : `${before}, ${address}`
}

/** The text of a request for a server, which keeps asking for another protocol. */
export function headOf(request: IncomingMessage): string {
  const lines = forwarded(request, []).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${request.method} ${request.url} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** Names and values of raw headers. */
export function pairsOf(raw: readonly string[], without: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2)
    if (!without.includes(name.toLowerCase())) pairs.push([name, value])
  }
  return pairs
}

/** A request that may be sent twice. */
export function hasNoEffect({ method = '', headers }: IncomingMessage): boolean {
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return ['GET', 'HEAD', 'OPTIONS'].includes(method) && !hasBody
}
