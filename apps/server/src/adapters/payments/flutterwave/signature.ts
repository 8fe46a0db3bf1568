import { createHmac } from 'node:crypto'
import type { IncomingMessage } from '../port.ts'
import { sameText } from '../same-text.ts'

/** The header of version 4: base64 HMAC-SHA256 of the raw body, with the secret hash as the key. */
export function flutterwaveSignature(body: Buffer, secretHash: string): string {
  return createHmac('sha256', secretHash).update(body).digest('base64')
}

/**
 * Whether a message is signed, in either way: `verif-hash` is the secret hash itself (documentation "Webhooks" of version 3,
 * the vendor's plugin for WooCommerce), `flutterwave-signature` is made from the body. Which of them an account sends is
 * not verified with the vendor.
 */
export function isSigned({ headers, body }: IncomingMessage, secretHash: string): boolean {
  if (secretHash === '') return false
  const signature = headers['flutterwave-signature']
  if (signature !== undefined) return sameText(signature, flutterwaveSignature(body, secretHash))
  return sameText(headers['verif-hash'] ?? '', secretHash)
}
