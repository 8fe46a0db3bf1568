import { createHash } from 'node:crypto'
import type { Falsified, PayerAction, ProviderDouble, SentMessage } from './double.ts'
import {
  type DoubleRequest,
  type DoubleResponse,
  decisionPage,
  Refusal,
  startDoubleServer,
} from './double-server.ts'

interface Order {
  reference: string
  txnId: string
  cents: number
  currency: string
  summary: '0' | '1' | '2'
  returnUrl: string
  cancelUrl: string
  callbackUrl: string
  refundedCents: number
  captures: number
}

/** A local SecurePay: SecureFrame with an optional surcharge in percent, and refunds through the Secure XML API. */
export async function startSecurepay({ surchargePercent = 0 } = {}): Promise<ProviderDouble> {
  const merchantId = 'ABC0001'
  const password = 'abc123-transaction'
  const orders = new Map<string, Order>()
  let lastId = 100_000

  const fingerprint = (...values: string[]) => createHash('sha1').update(values.join('|')).digest('hex')

  function enter(fields: [string, string][]): Order {
    const form = new Map(fields)
    const field = (name: string) => form.get(name) ?? ''
    const [reference, amount, timestamp] = [field('primary_ref'), field('amount'), field('fp_timestamp')]
    const expected = fingerprint(merchantId, password, field('txn_type'), reference, amount, timestamp)
    if (field('fingerprint') !== expected) throw new Refusal(400, 'Fingerprint does not match')
    const isRight =
      field('bill_name') === 'transact' &&
      field('merchant_id') === merchantId &&
      field('txn_type') === '0' &&
      field('currency') === 'AUD' &&
      /^\d+$/.test(amount) &&
      /^\d{14}$/.test(timestamp) &&
      reference !== ''
    if (!isRight) throw new Refusal(400, 'Invalid form')
    const known = orders.get(reference)
    if (known && known.summary !== '0') throw new Refusal(400, 'already paid')
    lastId += 1
    const order: Order = {
      reference,
      txnId: known?.txnId ?? String(lastId),
      cents: Number(amount),
      currency: 'AUD',
      summary: '0',
      returnUrl: field('return_url'),
      cancelUrl: field('cancel_url'),
      callbackUrl: field('callback_url'),
      refundedCents: 0,
      captures: 0,
    }
    orders.set(reference, order)
    return order
  }

  function decide(order: Order, action: PayerAction): void {
    if (action === 'leave' || order.summary !== '0') return
    order.summary = action === 'approve' ? '1' : '2'
    if (action === 'approve') order.captures += 1
  }

  function resultOf(order: Order, { amount, forged, agedMs = 0 }: Falsified = {}): URLSearchParams {
    const surcharge = Math.round((order.cents * surchargePercent) / 100)
    const cents = String(order.cents + surcharge)
    const timestamp = new Date(Date.now() - agedMs).toISOString().slice(0, 19).replace(/\D/g, '')
    const secret = forged ? 'another' : password
    const isApproved = order.summary === '1'
    return new URLSearchParams({
      refid: order.reference,
      // Changed content keeps the fingerprint of the original.
      amount: amount === undefined ? cents : String(amount / 100),
      currency: order.currency,
      timestamp,
      summarycode: order.summary,
      rescode: isApproved ? '00' : '05',
      restext: isApproved ? 'Approved' : 'Do not honour',
      txnid: order.txnId,
      merchant: merchantId,
      settdate: timestamp.slice(0, 8),
      pan: '444433...111',
      cardtype: 'visa',
      ...(surcharge > 0 ? { baseamount: String(order.cents), suramount: String(surcharge) } : {}),
      callback_status_code: '',
      fingerprint: fingerprint(merchantId, secret, order.reference, cents, timestamp, order.summary),
    })
  }

  const callbackOf = (order: Order, falsified?: Falsified): SentMessage => ({
    method: 'POST',
    url: order.callbackUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: resultOf(order, falsified).toString(),
  })

  function backOf(order: Order): SentMessage {
    const url = new URL(order.returnUrl)
    for (const [name, value] of resultOf(order)) url.searchParams.set(name, value)
    return { method: 'GET', url: url.href, headers: {}, body: '' }
  }

  function refund(xml: string): DoubleResponse {
    const text = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
    const reply = (code: string, message: string, txn = '') => ({
      type: 'text/xml' as const,
      body:
        '<?xml version="1.0" encoding="UTF-8"?><SecurePayMessage><Status><statusCode>000</statusCode>' +
        '<statusDescription>Normal</statusDescription></Status><Payment><TxnList count="1"><Txn ID="1">' +
        `<approved>${code === '00' ? 'Yes' : 'No'}</approved><responseCode>${code}</responseCode>` +
        `<responseText>${message}</responseText>${txn}</Txn></TxnList></Payment></SecurePayMessage>`,
    })
    const isForm =
      /^\d{17}000[+-]\d{3}$/.test(text('messageTimestamp')) &&
      text('messageID').length <= 30 &&
      text('apiVersion') === 'xml-4.2' &&
      text('RequestType') === 'Payment' &&
      text('txnType') === '4' &&
      text('txnSource') === '23'
    if (!isForm || text('merchantID') !== merchantId || text('password') !== password)
      return reply('504', 'Invalid merchant ID')
    const order = orders.get(text('purchaseOrderNo'))
    const cents = Number(text('amount'))
    if (!order || order.txnId !== text('txnID') || order.summary !== '1')
      return reply('134', 'No matching transaction')
    if (!(cents > 0) || order.refundedCents + cents > order.cents) return reply('137', 'Refund exceeds')
    order.refundedCents += cents
    lastId += 1
    return reply('00', 'Approved', `<txnID>${lastId}</txnID>`)
  }

  async function answer({ route, form, body }: DoubleRequest): Promise<DoubleResponse> {
    if (route === 'POST /xmlapi/payment') return refund(body)
    if (route === 'POST /secureframe/invoice') {
      const order = enter([...form])
      const text = `${order.reference}: ${(order.cents / 100).toFixed(2)} AUD`
      return decisionPage('SecurePay', { reference: order.reference, text, action: '/decide' })
    }
    if (route !== 'POST /decide') throw new Refusal(404, route)
    const order = known(form.get('reference') ?? '')
    decide(order, form.get('decision') === 'approve' ? 'approve' : 'decline')
    const { url, ...message } = callbackOf(order)
    await fetch(url, message).catch(() => {})
    return { body: '', location: backOf(order).url }
  }

  function known(reference: string): Order {
    const order = orders.get(reference)
    if (!order) throw new Refusal(404, 'unknown reference')
    return order
  }

  const double: ProviderDouble = {
    environment: {},
    sample: { currency: 'AUD', amount: 250_000 },
    isDown: false,
    pay: async (step, action) => {
      if (step.kind !== 'form' || step.action !== `${server.origin}/secureframe/invoice`)
        throw new Error('step')
      const order = enter(step.fields)
      decide(order, action)
      return action === 'leave' ? {} : { back: backOf(order) }
    },
    webhook: async (reference, falsified) => callbackOf(known(reference), falsified),
    falsify: (reference, { amount, currency }) => {
      const order = known(reference)
      if (amount !== undefined) order.cents = amount / 100
      if (currency !== undefined) order.currency = currency
    },
    // SecurePay does not report it.
    reverse: () => {},
    refunded: (reference) => known(reference).refundedCents * 100,
    captures: (reference) => known(reference).captures,
    close: () => server.close(),
  }
  const server = await startDoubleServer(answer, () => double.isDown)
  double.environment = {
    SECUREPAY_ENV: 'sandbox',
    SECUREPAY_MERCHANT_ID: merchantId,
    SECUREPAY_TXN_PASSWORD: password,
    SECUREPAY_URL: server.origin,
    SECUREPAY_API_URL: server.origin,
  }
  return double
}
