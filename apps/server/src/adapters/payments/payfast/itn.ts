import { lookup } from 'node:dns/promises'
import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { timingSafeEqualText } from '../http.ts'
import { PaymentError } from '../port.ts'
import { fromText } from '../units.ts'
import { type Field, itnSignature, itnText } from './signature.ts'

export interface Itn {
  /** The signed fields; if a name occurs twice, the last one counts, as in PHP. */
  values: ReadonlyMap<string, string>
  /** The text for Payfast's validation request: all signed fields, without signature and passphrase. */
  text: string
}

/** Reads an Instant Transaction Notification. Null if its signature does not match our passphrase. */
export function readItn(body: Buffer, passphrase: string): Itn | null {
  const fields: Field[] = []
  let signature = ''
  for (const pair of body.toString('latin1').split('&')) {
    const at = pair.indexOf('=')
    const name = decoded(at < 0 ? pair : pair.slice(0, at)).toString('utf8')
    const value = decoded(at < 0 ? '' : pair.slice(at + 1))
    // Fields after the signature are not signed.
    if (name === 'signature') {
      signature = value.toString('utf8')
      break
    }
    fields.push([name, value])
  }
  const text = itnText(fields)
  if (!timingSafeEqualText(signature, itnSignature(text, passphrase))) return null
  return { values: new Map(fields.map(([name, value]) => [name, value.toString('utf8')])), text }
}

/** The bytes of a form value, which may not be valid UTF-8. */
function decoded(text: string): Buffer {
  const plain = text
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(plain, 'latin1')
}

/** Maps a validated ITN to a payment state. Payfast only uses ZAR and does not name the currency. */
export function foundByItn({ values }: Itn, live: boolean): ReportedPayment {
  const status = values.get('payment_status')
  if (status === 'FAILED' || status === 'CANCELLED') return { state: 'failed' }
  if (status !== 'COMPLETE') return { state: 'pending' }
  return {
    state: 'paid',
    reference: values.get('m_payment_id') ?? '',
    providerId: values.get('pf_payment_id') ?? '',
    amount: fromText(values.get('amount_gross') ?? ''),
    currency: 'ZAR',
    live,
  }
}

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
