import { createHmac } from 'node:crypto'
import { timingSafeEqualText } from '../timing-safe-equal.ts'

/** The signed parts of a notification; its body is not signed. */
export interface SignedParts {
  /** `data.id` of the URL. */
  dataId: string | null
  /** The header `x-request-id`. */
  requestId: string | null
}

/**
 * The text that Mercado Pago signs, from its page "Webhooks": parts without a value are omitted, the id is in lower
 * case, and the time is unchanged.
 */
export function manifestOf({ dataId, requestId }: SignedParts, ts: string): string {
  const id = dataId === null ? '' : `id:${dataId.toLowerCase()};`
  const request = requestId === null ? '' : `request-id:${requestId};`
  return `${id}${request}ts:${ts};`
}

/** Hex HMAC-SHA256 of a manifest. */
export function signatureOf(manifest: string, secret: string): string {
  return createHmac('sha256', secret).update(manifest).digest('hex')
}

/**
 * When a notification was signed, epoch ms, from the header `x-signature: ts=<s or ms>,v1=<hex>`; null if the signature
 * is invalid.
 */
export function signedAt(header: string, parts: SignedParts, secret: string): number | null {
  const fields = new Map(
    header.split(',').map((field): [string, string] => {
      const [name = '', value = ''] = field.split('=', 2)
      return [name.trim(), value.trim()]
    }),
  )
  const [ts = '', given = ''] = [fields.get('ts'), fields.get('v1')]
  if (secret === '' || !/^(\d{10}|\d{13})$/.test(ts)) return null
  if (!timingSafeEqualText(signatureOf(manifestOf(parts, ts), secret), given)) return null
  return ts.length === 10 ? Number(ts) * 1000 : Number(ts)
}
