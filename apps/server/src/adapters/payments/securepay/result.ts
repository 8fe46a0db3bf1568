import { createHash } from 'node:crypto'
import type { FoundPayment } from '@hansom/domain/payments/payment'
import { z } from 'zod'
import type { PaymentNews } from '../port.ts'
import { sameText } from '../same-text.ts'
import { fromUnits } from '../units.ts'
import { resultFingerprint, type SecurepayAccount } from './fingerprint.ts'

// The fingerprint joins values by "|": a value of another form could be read as two.
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
/** The zone of the timestamp is not documented for certain, so a day more or less says nothing. */
const [oldest, newest] = [3 * day, day]

/** Reads a result, from the server or in the payer's browser: both are signed alike. */
export function readResult(
  fields: URLSearchParams,
  account: SecurepayAccount,
  options: { live: boolean; at: number },
): { refused: string } | { news: PaymentNews } {
  const read = result.safeParse(Object.fromEntries(fields))
  if (!read.success) return { refused: 'unknown content' }
  const { data } = read
  if (!sameText(data.fingerprint, resultFingerprint(account, data))) return { refused: 'fingerprint' }
  if (data.merchant !== undefined && data.merchant !== account.merchantId)
    return { refused: 'another merchant' }
  const age = options.at - timeOf(data.timestamp)
  // Not `age > oldest`: a date that is none must be refused too.
  if (!(age < oldest && age > -newest)) return { refused: 'too old' }
  const { refid, timestamp, summarycode, txnid } = data
  // What is not signed is in the key: a copy changed in the payer's browser does not stand in for the true one.
  const unsigned = JSON.stringify([data.currency, txnid, data.baseamount, data.suramount])
  const mark = createHash('sha1').update(unsigned).digest('hex').slice(0, 12)
  const eventKey = `${refid}:${timestamp}:${summarycode}:${mark}`
  const found = foundBy(data, options.live)
  return { news: { eventKey, reference: refid, providerRef: null, providerId: txnid ?? null, found } }
}

function foundBy(data: Result, live: boolean): FoundPayment {
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
 * What was asked for, in cents. Only the whole amount is signed: the two parts count when they make it up, so that what
 * was asked for can never be said to be more than what was paid.
 */
function withoutSurcharge({ amount, baseamount, suramount }: Result): number {
  const [whole, base, surcharge] = [Number(amount), Number(baseamount), Number(suramount)]
  return base + surcharge === whole ? base : whole
}

/** Epoch ms of `YYYYMMDDHHMMSS` in GMT; NaN for no date. */
function timeOf(text: string): number {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(text)
  return parts ? Date.parse(`${parts.slice(1, 4).join('-')}T${parts.slice(4).join(':')}Z`) : Number.NaN
}

/** The time of a request: GMT, `YYYYMMDDHHMMSS`. */
export function timestampOf(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace(/\D/g, '')
}
