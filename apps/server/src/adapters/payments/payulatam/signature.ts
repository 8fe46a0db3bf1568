import { createHash, createHmac } from 'node:crypto'
import { timingSafeEqualText } from '../timing-safe-equal.ts'
import { fromText, toText } from '../units.ts'

export const payuAlgorithms = ['MD5', 'SHA', 'SHA256', 'HMAC-SHA256'] as const
export type PayuAlgorithm = (typeof payuAlgorithms)[number]

export interface PayuSecrets {
  apiKey: string
  algorithm: PayuAlgorithm
  /** For HMAC-SHA256, if the account has a separate secret; otherwise the API key. */
  hmacSecret?: string | undefined
}

const hashes = { MD5: 'md5', SHA: 'sha1', SHA256: 'sha256' } as const

function sign(values: readonly string[], { apiKey, algorithm, hmacSecret }: PayuSecrets): string {
  const text = [apiKey, ...values].join('~')
  if (algorithm === 'HMAC-SHA256')
    return createHmac('sha256', hmacSecret ?? apiKey)
      .update(text)
      .digest('hex')
  return createHash(hashes[algorithm]).update(text).digest('hex')
}

/**
 * The signature of a form, with the amount exactly as in the form. Source: PayU Latam documentation, "Payment Form".
 */
export function formSignature(
  form: { merchantId: string; referenceCode: string; amount: string; currency: string },
  secrets: PayuSecrets,
): string {
  return sign([form.merchantId, form.referenceCode, form.amount, form.currency], secrets)
}

/**
 * Whether a confirmation is signed with our key: over its fields, the value with one decimal if the second is 0.
 * Source: PayU Latam documentation, "Confirmation Page".
 */
export function isSignedConfirmation(form: URLSearchParams, secrets: PayuSecrets): boolean {
  const given = (name: string) => form.get(name) ?? ''
  const value = signedValue(given('value'))
  if (value === null) return false
  const values = [given('merchant_id'), given('reference_sale'), value, given('currency'), given('state_pol')]
  return timingSafeEqualText(given('sign').toLowerCase(), sign(values, secrets))
}

/** 150.00 becomes 150.0, 150.20 becomes 150.2, 150.26 is unchanged. Null if not an amount with at most two decimals. */
function signedValue(value: string): string | null {
  try {
    return toText(fromText(value), 2).replace(/0$/, '')
  } catch {
    return null
  }
}
