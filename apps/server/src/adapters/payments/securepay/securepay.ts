import { createHash } from 'node:crypto'
import { callProvider } from '../http.ts'
import {
  type IncomingMessage,
  PaymentError,
  type PaymentProvider,
  type RefundOrder,
  type RefundResult,
  type StartedPayment,
} from '../port.ts'
import { unclearRefund } from '../refund-position.ts'
import { fits, toUnits } from '../units.ts'
import { readResult, requestFingerprint, type SecurepayAccount, timestampOf } from './result.ts'

export interface SecurepayOptions extends SecurepayAccount {
  live: boolean
  /** Defaults: the vendor's URLs. */
  url?: string | undefined
  apiUrl?: string | undefined
  /** Epoch ms, real time: forms and refunds include it. */
  now?: () => number
}

/** Response codes of approved transactions. */
const approved = ['00', '08', '11']

/**
 * Card payments through SecurePay (Australia), in AUD, with SecureFrame: a signed form to the hosted page, and a signed
 * result, both server-to-server and in the browser. There is no query API: the result's fingerprint is the proof, so
 * `verify` is null and the event contains the payment data. `txnid` is not signed, so a refund also names our
 * reference.
 *
 * Source: Australia Post developer pages "SecureFrame: implementing" and "receiving result data"; SecureFrame
 * Integration Guide 1.13.
 *
 * Not verified with the vendor: the URLs of the hosted page and the refund API (the same in several independent
 * integrations); the complete refund (Secure XML API, modeled on an established library), including that it refuses a
 * transaction with another reference; HMAC-SHA256 instead of SHA-1; the time zone of a result (a day of difference is
 * tolerated); how the browser returns (GET and POST are read).
 */
export function securepayPayments(options: SecurepayOptions): PaymentProvider {
  const { live, merchantId, now = Date.now } = options
  const test = live ? '' : 'test.'
  const { url = `https://${test}payment.securepay.com.au`, apiUrl = `https://${test}api.securepay.com.au` } =
    options

  const read = (fields: URLSearchParams, { at }: IncomingMessage) => readResult(fields, options, { live, at })

  return {
    name: 'securepay',
    live,
    hosts: { form: [new URL(url).origin] },
    accepts: (currency, amount) => amount > 0 && currency === 'AUD' && fits(amount, 2),

    start: async (checkout) => {
      const timestamp = timestampOf(now())
      const [txnType, amount] = ['0', String(toUnits(checkout.amount, 2))]
      const fingerprint = requestFingerprint(options, {
        txnType,
        primaryRef: checkout.reference,
        amount,
        timestamp,
      })
      const fields: [string, string][] = [
        ['bill_name', 'transact'],
        ['merchant_id', merchantId],
        ['txn_type', txnType],
        ['primary_ref', checkout.reference],
        ['amount', amount],
        ['currency', checkout.currency],
        ['fp_timestamp', timestamp],
        ['fingerprint', fingerprint],
        ['return_url', checkout.returnUrl],
        ['cancel_url', checkout.returnUrl],
        ['callback_url', checkout.webhookUrl],
      ]
      return { providerRef: null, step: { kind: 'form', action: `${url}/secureframe/invoice`, fields } }
    },

    readReturn: async (message, payment) => {
      const fields = fieldsOf(message)
      if (!fields.has('fingerprint')) return { kind: 'back', event: null }
      const reading = read(fields, message)
      if ('refused' in reading) return { kind: 'refused', why: reading.refused }
      if (reading.event.reference !== payment.reference) return { kind: 'refused', why: 'different payment' }
      return { kind: 'back', event: reading.event }
    },
    readWebhook: async (message) => {
      const reading = read(fieldsOf(message), message)
      return 'refused' in reading ? { kind: 'refused', why: reading.refused } : { kind: 'event', ...reading }
    },

    verify: null,

    refund: (payment, order) => refund(`${apiUrl}/xmlapi/payment`, options, now(), payment, order),
  }
}

/** The result's fields, posted or in the URL. */
function fieldsOf({ body, query }: IncomingMessage): URLSearchParams {
  const posted = new URLSearchParams(body.toString('utf8'))
  return posted.has('fingerprint') ? posted : query
}

async function refund(
  url: string,
  account: SecurepayAccount,
  at: number,
  payment: StartedPayment,
  order: RefundOrder,
): Promise<RefundResult> {
  if (!payment.providerId) return { state: 'failed', why: 'payment id from securepay is not known yet' }
  // There is no idempotency key and no query to find out whether an earlier attempt arrived.
  if (order.repeated) return unclearRefund(order, 'SecurePay')
  const { reference, providerId: txnId } = payment
  const body = refundMessage(account, { id: order.id, at, cents: toUnits(order.amount, 2), reference, txnId })
  const headers = { 'content-type': 'text/xml', accept: 'text/xml' }
  const { text } = await callProvider(url, { method: 'POST', headers, body, timeoutMs: 60_000 })
  const isApproved = elementText(text, 'approved').toLowerCase() === 'yes'
  if (isApproved && approved.includes(elementText(text, 'responseCode')))
    return { state: 'done', providerRefundId: elementText(text, 'txnID') || null }
  const message = elementText(text, 'responseText') || elementText(text, 'statusDescription')
  // The refund may have been made.
  if (!message) throw new PaymentError('unreadable response from securepay', { permanent: true })
  return { state: 'failed', why: `securepay: ${message.slice(0, 200)}` }
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)

/** `YYYYDDMMHHNNSSKKK000sOOO`, day before month, in GMT. */
function messageTimestamp(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T')
  const [year, month, day] = date.split('-')
  return `${year}${day}${month}${time.replace(/\D/g, '')}000+000`
}

/**
 * A refund message of the Secure XML API, version xml-4.2. Amount in cents; `id` may have any length, the message id is
 * its hash.
 */
export function refundMessage(
  { merchantId, password }: SecurepayAccount,
  refund: { id: string; at: number; cents: number; reference: string; txnId: string },
): string {
  const messageId = createHash('sha1').update(refund.id).digest('hex').slice(0, 30)
  return (
    '<?xml version="1.0" encoding="UTF-8"?><SecurePayMessage><MessageInfo>' +
    `<messageID>${messageId}</messageID><messageTimestamp>${messageTimestamp(refund.at)}</messageTimestamp>` +
    '<timeoutValue>60</timeoutValue><apiVersion>xml-4.2</apiVersion></MessageInfo><MerchantInfo>' +
    `<merchantID>${escaped(merchantId)}</merchantID><password>${escaped(password)}</password></MerchantInfo>` +
    '<RequestType>Payment</RequestType><Payment><TxnList count="1"><Txn ID="1"><txnType>4</txnType>' +
    `<txnSource>23</txnSource><amount>${refund.cents}</amount>` +
    `<purchaseOrderNo>${escaped(refund.reference)}</purchaseOrderNo><txnID>${escaped(refund.txnId)}</txnID>` +
    '</Txn></TxnList></Payment></SecurePayMessage>'
  )
}

/** The text of an element without children; empty if it does not exist. */
export function elementText(xml: string, name: string): string {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]?.trim() ?? ''
}
