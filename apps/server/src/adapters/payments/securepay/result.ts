import { createHash } from 'node:crypto'
import type { ReportedPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import { timingSafeEqualText } from '../http.ts'
import type { PaymentEvent } from '../port.ts'
import { fromUnits } from '../units.ts'

// The fingerprint joins values with "|", so strict formats prevent one value from being read as two.
const result = z.object({
  refid: z.string().regex(/^[A-Za-z0-9-]{1,60}$/),
  amount: z.string().regex(/^\d{1,12}$/),
  timestamp: z.string().regex(/^\d{14}$/),
  summarycode: z.string().regex(/^\d$/),
  fingerprint: z.string(),
  currency: z.string().default('AUD'),
  txnid: z.string().max(60).optional(),
  merchant: z.string().optional(),
  baseamount: z
    .string()
    .regex(/^\d{1,12}$/)
    .optional(),
  suramount: z
    .string()
    .regex(/^\d{1,12}$/)
    .optional(),
})
type Result = z.infer<typeof result>

const day = 24 * 3_600_000
/** The timestamp's time zone is not clearly documented, so a day of difference is tolerated. */
const [oldest, newest] = [3 * day, day]

/** Reads a result, from the server or the payer's browser: both are signed the same way. */
export function readResult(
  fields: URLSearchParams,
  account: SecurepayAccount,
  options: { live: boolean; at: number },
): { refused: string } | { event: PaymentEvent } {
  const read = result.safeParse(Object.fromEntries(fields))
  if (!read.success) return { refused: 'unknown content' }
  const { data } = read
  if (!timingSafeEqualText(data.fingerprint, resultFingerprint(account, data)))
    return { refused: 'fingerprint' }
  if (data.merchant !== undefined && data.merchant !== account.merchantId)
    return { refused: 'different merchant' }
  const age = options.at - timeOf(data.timestamp)
  // Not `age > oldest`: an invalid date must be refused too.
  if (!(age < oldest && age > -newest)) return { refused: 'too old' }
  const { refid, timestamp, summarycode, txnid } = data
  // The key includes the unsigned parts, so that a copy modified in the payer's browser does not replace the original.
  const unsigned = JSON.stringify([data.currency, txnid, data.baseamount, data.suramount])
  const digest = createHash('sha1').update(unsigned).digest('hex').slice(0, 12)
  const eventKey = `${refid}:${timestamp}:${summarycode}:${digest}`
  const found = foundBy(data, options.live)
  return { event: { eventKey, reference: refid, providerRef: null, providerId: txnid ?? null, found } }
}

function foundBy(data: Result, live: boolean): ReportedPayment {
  if (data.summarycode !== '1') return { state: 'failed' }
  const { refid, txnid, currency } = data
  return {
    state: 'paid',
    reference: refid,
    providerId: txnid ?? refid,
    amount: fromUnits(withoutSurcharge(data), 2),
    currency,
    live,
  }
}

/**
 * The requested amount in cents. Only the total is signed: the parts count only if they add up to it, so that the
 * requested amount never exceeds the paid one.
 */
function withoutSurcharge({ amount, baseamount, suramount }: Result): number {
  const [total, base, surcharge] = [Number(amount), Number(baseamount), Number(suramount)]
  return base + surcharge === total ? base : total
}

/** Epoch ms of `YYYYMMDDHHMMSS` in GMT; NaN if invalid. */
function timeOf(text: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)
  return parts ? Date.parse(`${parts.slice(1, 4).join('-')}T${parts.slice(4).join(':')}Z`) : Number.NaN
}

/** A request's timestamp: GMT, `YYYYMMDDHHMMSS`. */
export function timestampOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace(/\D/g, '')
}

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
