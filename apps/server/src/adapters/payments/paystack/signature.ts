import { createHmac } from 'node:crypto'
import { timingSafeEqualText } from '../timing-safe-equal.ts'

/** Lower-case hexadecimal HMAC-SHA512 of the raw body, keyed with the secret key (documentation "Webhooks"). */
export function paystackSignature(body: Buffer, secretKey: string): string {
  return createHmac('sha512', secretKey).update(body).digest('hex')
}

export function isSigned(body: Buffer, signature: string | undefined, secretKey: string): boolean {
  return secretKey !== '' && timingSafeEqualText(signature ?? '', paystackSignature(body, secretKey))
}
