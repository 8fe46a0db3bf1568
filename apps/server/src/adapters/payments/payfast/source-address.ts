import { lookup } from 'node:dns/promises'
import { PaymentError } from '../port.ts'

/** From where Payfast sends. Source: Payfast API documentation, "Confirm payment is successful". */
export const payfastHosts = ['www', 'sandbox', 'w1w', 'w2w'].map((name) => `${name}.payfast.co.za`)

export type ResolveHost = (host: string) => Promise<string[]>

const resolveHost: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address)

const kept = 10 * 60_000

/**
 * Tells whether an address is one of those hosts', which are looked up again after ten minutes. Throws PaymentError when
 * none can be looked up.
 */
export function sourceCheck(
  hosts: readonly string[],
  resolve: ResolveHost = resolveHost,
): (address: string, at: number) => Promise<boolean> {
  let known: { addresses: Set<string>; at: number } | null = null
  return async (address, at) => {
    if (!known || Math.abs(at - known.at) > kept) {
      const found = (await Promise.all(hosts.map((host) => resolve(host).catch(() => [])))).flat()
      // Names that cannot be resolved for a while do not take the addresses away that were good before.
      if (found.length > 0) known = { addresses: new Set(found), at }
      else if (!known)
        throw new PaymentError('the addresses of payfast cannot be looked up', { permanent: false })
    }
    return known.addresses.has(address.replace(/^::ffff:/i, ''))
  }
}
