import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * Returns a predicate for trusted proxies, whose `x-forwarded-for` counts: this machine, and the IP addresses or
 * networks in `named`.
 */
export function trustedProxyMatcher(named: readonly string[]): (address: string) => boolean {
  const proxies = new BlockList()
  const add = (network: string) => {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) proxies.addAddress(address, family)
    else proxies.addSubnet(address, Number(bits), family)
  }
  for (const network of ['127.0.0.0/8', '::1', ...named]) add(network)
  return (address) => proxies.check(plain(address), isIP(plain(address)) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Returns the IP address of the client: the last hop of `x-forwarded-for`, read backwards, that is not a trusted proxy.
 */
export function clientIp(request: IncomingMessage, isProxy: (address: string) => boolean): string {
  const hops = String(request.headers['x-forwarded-for'] ?? '').split(',')
  let address = plain(request.socket.remoteAddress ?? '')
  while (isIP(address) !== 0 && isProxy(address)) {
    const before = plain(hops.pop()?.trim() ?? '')
    if (isIP(before) === 0) break
    address = before
  }
  return address
}

export function isLoopback(address: string): boolean {
  return address === '::1' || plain(address).startsWith('127.')
}

/** Unwraps an IPv4 address that arrived on an IPv6 socket. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

/**
 * Returns the key under which limits count an IP address: the address itself, or for IPv6 its /64, since a household or
 * a rented server has a complete /64.
 */
export function rateLimitKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = (address.split('%', 1)[0] ?? '').toLowerCase().split('::', 2)
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const missing = address.includes('::')
    ? Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
    : []
  return [...before, ...missing, ...after]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')
}
