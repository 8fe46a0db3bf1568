import { lookup } from 'node:dns/promises'
import { PaymentError } from '../port.ts'

/** The hosts that send notifications. Source: Payfast API documentation, "Confirm payment is successful". */
export const payfastHosts = ['www', 'sandbox', 'w1w', 'w2w'].map((name) => `${name}.payfast.co.za`)

export type ResolveHost = (host: string) => Promise<string[]>

const resolveHost: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

const cacheMs = 10 * 60_000

/**
 * Returns a check whether an IP address belongs to one of the hosts. Resolved addresses are cached for ten minutes. The
 * check throws PaymentError if no host can be resolved.
 */
export function sourceCheck(
  hosts: readonly string[],
  resolve: ResolveHost = resolveHost,
): (address: string, at: number) => Promise<boolean> {
  let known: { addresses: Set<string>; at: number } | null = null
  return async (address, at) => {
    if (!known || Math.abs(at - known.at) > cacheMs) {
      const found = (await Promise.all(hosts.map((host) => resolve(host).catch(() => [])))).flat()
      // If DNS fails temporarily, the previous addresses remain valid.
      if (found.length > 0) known = { addresses: new Set(found), at }
      else if (!known) throw new PaymentError('cannot resolve the hosts of payfast', { permanent: false })
    }
    return known.addresses.has(address.replace(/^::ffff:/i, ''))
  }
}
