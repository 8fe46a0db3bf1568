import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { callProvider, timingSafeEqualText } from '../http.ts'
import { PaymentError } from '../port.ts'

const answer = z.object({
  body: z.object({
    resultInfo: z.object({
      resultStatus: z.string(),
      resultCode: z.string().nullish(),
      resultMsg: z.string().nullish(),
    }),
    txnToken: z.string().nullish(),
    mid: z.string().nullish(),
    orderId: z.string().nullish(),
    txnId: z.string().nullish(),
    txnAmount: z.string().nullish(),
    refundId: z.string().nullish(),
    refundAmt: z.string().nullish(),
  }),
})
export type PaytmResponse = z.infer<typeof answer>['body']

/** Sends one request to Paytm. The signed text is exactly the sent text. Throws PaymentError. */
export async function callPaytm(url: string, content: object, merchantKey: string): Promise<PaytmResponse> {
  const body = JSON.stringify(content)
  const head = JSON.stringify({ signature: checksumOf(body, merchantKey) })
  const { json } = await callProvider(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"head":${head},"body":${body}}`,
  })
  const read = answer.safeParse(json)
  if (!read.success) throw new PaymentError('unreadable response from paytm', { permanent: false })
  return read.data.body
}

/** Paytm's result message, for admins. */
export function resultMessageOf({ resultInfo }: PaytmResponse): string {
  const { resultStatus, resultCode, resultMsg } = resultInfo
  return `paytm: ${[resultCode, resultMsg ?? resultStatus].filter(Boolean).join(' ')}`.slice(0, 200)
}

const initialVector = '@@@@&&&&####$$$$'
const saltLength = 4

const hashOf = (text: string, salt: string) =>
  createHash('sha256').update(`${text}|${salt}`).digest('hex') + salt

/**
 * Paytm's checksum of a text: its salted SHA-256 and the salt, encrypted with AES-128-CBC and the merchant key (16
 * characters). Compatible with the vendor's package paytmchecksum 1.5.1.
 */
export function checksumOf(
  text: string,
  merchantKey: string,
  salt = randomBytes(3).toString('base64'),
): string {
  const cipher = createCipheriv('aes-128-cbc', merchantKey, initialVector)
  return cipher.update(hashOf(text, salt), 'utf8', 'base64') + cipher.final('base64')
}

/** Whether a checksum matches this text and our key. */
export function isChecksumOf(text: string, checksum: string, merchantKey: string): boolean {
  let hash: string
  try {
    const decipher = createDecipheriv('aes-128-cbc', merchantKey, initialVector)
    hash = decipher.update(checksum, 'base64', 'utf8') + decipher.final('utf8')
  } catch {
    return false
  }
  return timingSafeEqualText(hash, hashOf(text, hash.slice(-saltLength)))
}

/** The text for a form's checksum: its values sorted by name, joined with "|"; the value "null" counts as empty. */
export function formText(form: ReadonlyMap<string, string>): string {
  return [...form]
    .filter(([name]) => name !== 'CHECKSUMHASH')
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, value]) => (value.toLowerCase() === 'null' ? '' : value))
    .join('|')
}
