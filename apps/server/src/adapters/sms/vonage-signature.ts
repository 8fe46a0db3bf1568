import { createHmac } from 'node:crypto'

/**
 * The signature of a Vonage SMS API request: hexadecimal HMAC-SHA256 over `&name=value` of every parameter including
 * the timestamp but not the signature, sorted by name, with `&` and `=` in values replaced by `_`, without
 * percent-encoding.
 *
 * Source: "Signing messages" (developer.nexmo.com/concepts/guides/signing-messages); same as RequestSigning of the
 * vendor's Java library, whose test vector we use.
 */
export function vonageSignature(parameters: Readonly<Record<string, string>>, secret: string): string {
  const text = Object.keys(parameters)
    .filter((name) => name !== 'sig')
    .toSorted()
    .map((name) => `&${name}=${(parameters[name] ?? '').replace(/[&=]/g, '_')}`)
    .join('')
  return createHmac('sha256', secret).update(text).digest('hex')
}
