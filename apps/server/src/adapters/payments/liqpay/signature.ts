import { createHash } from 'node:crypto'
import { timingSafeEqualText } from '../timing-safe-equal.ts'

/**
 * base64(sha1(private key + data + private key)), where data is the base64 text of the JSON as transmitted.
 * Source: LiqPay documentation, "Rules for the formation of a request" and "Callback".
 */
export function liqpaySignature(data: string, privateKey: string): string {
  return createHash('sha1')
    .update(privateKey + data + privateKey)
    .digest('base64')
}

/** An outgoing request: the JSON as base64, and its signature. */
export function signedRequest(content: object, privateKey: string): { data: string; signature: string } {
  const data = Buffer.from(JSON.stringify(content), 'utf8').toString('base64')
  return { data, signature: liqpaySignature(data, privateKey) }
}

/** The JSON of a signed message; null if the signature is invalid, undefined if the content is not JSON. */
export function readSigned(form: URLSearchParams, privateKey: string): unknown {
  const data = form.get('data') ?? ''
  if (!data || !timingSafeEqualText(form.get('signature') ?? '', liqpaySignature(data, privateKey)))
    return null
  try {
    return JSON.parse(Buffer.from(data, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}
