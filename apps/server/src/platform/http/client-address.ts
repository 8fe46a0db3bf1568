import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Tells the proxies that may say on whose behalf they ask: this machine's own, and those named as addresses or networks. */
export function proxyCheck(named: readonly string[]): (address: string) => boolean {
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

/** Where a request comes from: the last of its stations, read backwards, that is none of the proxies. */
export function clientAddress(request: IncomingMessage, isProxy: (address: string) => boolean): string {
  const stations = String(request.headers['x-forwarded-for'] ?? '').split(',')
  let address = plain(request.socket.remoteAddress ?? '')
  while (isIP(address) !== 0 && isProxy(address)) {
    const before = plain(stations.pop()?.trim() ?? '')
    if (isIP(before) === 0) break
    address = before
  }
  return address
}

/** An IPv4 address that came through an IPv6 socket, as itself. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
