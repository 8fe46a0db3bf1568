import { createHash } from 'node:crypto'

/**
 * SHA-1 of values joined with "|", in lower-case hexadecimal; the only place to change for another algorithm. Source:
 * Australia Post developer pages, "SecureFrame: implementing" and "receiving result data".
 */
function fingerprint(values: readonly string[]): string {
  return createHash('sha1').update(values.join('|')).digest('hex')
}

export interface SecurepayAccount {
  merchantId: string
  /** The transaction password. */
  password: string
}

/** The fingerprint of our form. */
export function requestFingerprint(
  { merchantId, password }: SecurepayAccount,
  form: { txnType: string; primaryRef: string; amount: string; timestamp: string },
): string {
  return fingerprint([merchantId, password, form.txnType, form.primaryRef, form.amount, form.timestamp])
}

/** The fingerprint of a result. */
export function resultFingerprint(
  { merchantId, password }: SecurepayAccount,
  result: { refid: string; amount: string; timestamp: string; summarycode: string },
): string {
  const { refid, amount, timestamp, summarycode } = result
  return fingerprint([merchantId, password, refid, amount, timestamp, summarycode])
}
