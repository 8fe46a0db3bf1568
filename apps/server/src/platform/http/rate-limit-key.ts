import { isIPv6 } from 'node:net'

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
