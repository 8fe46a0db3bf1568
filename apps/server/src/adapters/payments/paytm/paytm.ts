import type { ReportedPayment } from '@hansom/domain/payments/payment'
import {
  type Checkout,
  type IncomingMessage,
  type MessageReading,
  PaymentError,
  type PaymentProvider,
  type RefundResult,
} from '../port.ts'
import { fits, fromText, toText } from '../units.ts'
import type { PaytmOptions } from './options.ts'
import { callPaytm, formText, isChecksumOf, type PaytmResponse, resultMessageOf } from './service.ts'

/** Result codes that are not final: the order is not known yet, or Paytm had an internal error. */
const notOver = ['331', '334', '501']

/**
 * Card payments through Paytm (India), in INR: one request returns a token, a form with it opens the hosted page, a
 * signed form returns through the browser, and the API is queried by our order id. Paytm completes refunds later; our
 * refund id makes them idempotent.
 *
 * Source: Paytm Payments documentation, "Initiate Transaction API", "Show Payment Page", "Verify Payment Status",
 * "Transaction Status API", "Refund API", "Refund Status API"; the vendor's package paytmchecksum 1.5.1, which produced
 * our test vectors because none are published.
 *
 * Not verified with the vendor: the live host of refunds (documentation and the vendor's library disagree, so it is
 * configurable); the result codes 331, 334 and 501, read as "not final"; that the webhook, whose URL is set in Paytm's
 * panel, has the fields of the browser's return; that `userInfo.mobile` is optional for numbers outside India.
 */
export function paytmPayments(options: PaytmOptions): PaymentProvider {
  const { live, mid, merchantKey, website = live ? 'DEFAULT' : 'WEBSTAGING' } = options
  const { url = `https://${live ? 'secure' : 'securestage'}.paytmpayments.com` } = options
  const { refundUrl = url } = options

  function read({ body }: IncomingMessage): MessageReading {
    // One value per name, so that the signed and the read values are the same.
    const form = new Map(new URLSearchParams(body.toString('utf8')))
    if (!isChecksumOf(formText(form), form.get('CHECKSUMHASH') ?? '', merchantKey))
      return { kind: 'refused', why: 'checksum' }
    if (form.get('MID') !== mid) return { kind: 'refused', why: 'different merchant' }
    const [reference, providerId] = [form.get('ORDERID'), form.get('TXNID') || null]
    if (!reference) return { kind: 'refused', why: 'missing payment id' }
    const eventKey = `${providerId ?? reference}:${form.get('STATUS')}`
    return { kind: 'event', event: { eventKey, reference, providerRef: null, providerId } }
  }

  const orderStatus = (orderId: string) => callPaytm(`${url}/v3/order/status`, { mid, orderId }, merchantKey)
  const refundStatus = (orderId: string, refId: string) =>
    callPaytm(`${refundUrl}/v2/refund/status`, { mid, orderId, refId }, merchantKey)

  return {
    name: 'paytm',
    live,
    hosts: { form: [new URL(url).origin] },
    accepts: (currency, amount) => amount > 0 && currency === 'INR' && fits(amount, 2),

    start: async (checkout) => {
      const query = new URLSearchParams({ mid, orderId: checkout.reference })
      const content = transactionOf(checkout, mid, website)
      const answer = await callPaytm(`${url}/theia/api/v1/initiateTransaction?${query}`, content, merchantKey)
      const { txnToken, resultInfo } = answer
      if (resultInfo.resultStatus !== 'S' || !txnToken)
        throw new PaymentError(resultMessageOf(answer), { permanent: resultInfo.resultStatus === 'F' })
      const fields: [string, string][] = [
        ['mid', mid],
        ['orderId', checkout.reference],
        ['txnToken', txnToken],
      ]
      const action = `${url}/theia/api/v1/showPaymentPage?${query}`
      return { providerRef: null, step: { kind: 'form', action, fields } }
    },

    readReturn: async (message, payment) => {
      if (!new URLSearchParams(message.body.toString('utf8')).has('CHECKSUMHASH'))
        return { kind: 'back', event: null }
      const reading = read(message)
      if (reading.kind !== 'event')
        return { kind: 'refused', why: 'why' in reading ? reading.why : 'content' }
      if (reading.event.reference !== payment.reference) return { kind: 'refused', why: 'different payment' }
      return { kind: 'back', event: reading.event }
    },
    readWebhook: async (message) => read(message),

    verify: async ({ reference }) => foundIn(await orderStatus(reference), mid, live),

    refund: async (payment, order) => {
      if (!payment.providerId) return { state: 'failed', why: 'payment id from paytm is not known yet' }
      const content = {
        mid,
        txnType: 'REFUND',
        orderId: payment.reference,
        txnId: payment.providerId,
        refId: order.id,
        refundAmount: toText(order.amount, 2),
        comments: order.reason.slice(0, 100),
      }
      const answer = answerOf(await callPaytm(`${refundUrl}/refund/apply`, content, merchantKey))
      if (answer.state !== 'failed' || !order.repeated) return answer
      // The id was used before: return the state of that refund.
      const before = answerOf(await refundStatus(payment.reference, order.id))
      return before.state === 'failed' ? answer : before
    },
    refundState: async (payment, { id }) => answerOf(await refundStatus(payment.reference, id)),
    listReversals: async ({ reference }) => {
      const { refundAmt } = await orderStatus(reference)
      return { total: refundAmt ? fromText(refundAmt) : 0 }
    },
  }
}

function transactionOf({ reference, amount, payer, returnUrl }: Checkout, mid: string, websiteName: string) {
  const mobile = /^\+91(\d{10})$/.exec(payer.phone ?? '')?.[1]
  return {
    requestType: 'Payment',
    mid,
    websiteName,
    orderId: reference,
    callbackUrl: returnUrl,
    txnAmount: { value: toText(amount, 2), currency: 'INR' },
    userInfo: {
      custId: payer.id,
      ...(mobile ? { mobile } : {}),
      email: payer.email,
      firstName: payer.firstName,
      lastName: payer.lastName,
    },
  }
}

/** Maps an order to a payment state. Paytm only uses INR and does not name the currency. */
function foundIn(answer: PaytmResponse, mid: string, live: boolean): ReportedPayment {
  const { resultInfo, orderId, txnId, txnAmount } = answer
  if (resultInfo.resultStatus === 'TXN_FAILURE' && !notOver.includes(resultInfo.resultCode ?? ''))
    return { state: 'failed' }
  if (resultInfo.resultStatus !== 'TXN_SUCCESS') return { state: 'pending' }
  if (answer.mid !== mid || !orderId || !txnId || !txnAmount)
    throw new PaymentError('unexpected response from paytm', { permanent: false })
  return {
    state: 'paid',
    reference: orderId,
    providerId: txnId,
    amount: fromText(txnAmount),
    currency: 'INR',
    live,
  }
}

function answerOf(answer: PaytmResponse): RefundResult {
  const { resultStatus } = answer.resultInfo
  const providerRefundId = answer.refundId ?? null
  if (resultStatus === 'TXN_SUCCESS') return { state: 'done', providerRefundId }
  if (resultStatus === 'PENDING') return { state: 'pending', providerRefundId }
  return { state: 'failed', why: resultMessageOf(answer) }
}
