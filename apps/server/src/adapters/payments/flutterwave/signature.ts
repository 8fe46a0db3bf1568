import { createHmac } from 'node:crypto'
import type { IncomingMessage } from '../port.ts'
import { timingSafeEqualText } from '../timing-safe-equal.ts'

/** The version 4 header: base64 HMAC-SHA256 of the raw body, keyed with the secret hash. */
export function flutterwaveSignature(body: Buffer, secretHash: string): string {
  return createHmac('sha256', secretHash).update(body).digest('base64')
}

/**
 * Whether a webhook is signed, in either form: `verif-hash` is the secret hash itself (documentation "Webhooks" of
 * version 3, the vendor's WooCommerce plugin), `flutterwave-signature` is calculated from the body. Which one an
 * account sends is not verified with the vendor.
 */
export function isSigned({ headers, body }: IncomingMessage, secretHash: string): boolean {
  if (secretHash === '') return false
  const signature = headers['flutterwave-signature']
  if (signature !== undefined) return timingSafeEqualText(signature, flutterwaveSignature(body, secretHash))
  return timingSafeEqualText(headers['verif-hash'] ?? '', secretHash)
}
