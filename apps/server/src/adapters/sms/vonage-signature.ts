import { createHmac } from 'node:crypto'

/**
 * The signature of a request to the SMS API of Vonage, HMAC with SHA-256, in hexadecimal: over `&name=value` of every
 * parameter, the timestamp among them and the signature not, in the order of the names, with `&` and `=` inside of
 * values replaced by `_`, not percent-encoded.
 *
 * Source: "Signing messages" (developer.nexmo.com/concepts/guides/signing-messages); same as
 * RequestSigning of the vendor's Java library, whose test vector is in ours.
 */
export function vonageSignature(parameters: Readonly<Record<string, string>>, secret: string): string {
  const text = Object.keys(parameters)
    .filter((name) => name !== 'sig')
    .toSorted()
    .map((name) => `&${name}=${(parameters[name] ?? '').replace(/[&=]/g, '_')}`)
    .join('')
  return createHmac('sha256', secret).update(text).digest('hex')
}
