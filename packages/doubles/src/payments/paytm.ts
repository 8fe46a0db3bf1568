import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import type { Falsified, PayerAction, ProviderDouble, SentMessage } from './double.ts'
import {
  asJson,
  autoPostPage,
  type DoubleRequest,
  type DoubleResponse,
  decisionPage,
  Refusal,
  startDoubleServer,
} from './double-server.ts'

interface Order {
  reference: string
  txnId: string
  token: string
  /** As requested, such as "10.00". */
  amount: string
  callbackUrl: string
  status: 'PENDING' | 'TXN_SUCCESS' | 'TXN_FAILURE'
  refunds: Map<string, { amount: number; status: 'PENDING' | 'TXN_SUCCESS' | 'TXN_FAILURE' }>
  captures: number
}

const vector = '@@@@&&&&####$$$$'
const otherKey = 'fedcba9876543210'

function checksum(text: string, key: string): string {
  const plain = `${createHash('sha256').update(`${text}|abcd`).digest('hex')}abcd`
  const cipher = createCipheriv('aes-128-cbc', key, vector)
  return Buffer.concat([cipher.update(plain), cipher.final()]).toString('base64')
}

function isSigned(text: string, signature: string, key: string): boolean {
  let plain: string
  try {
    const cipher = createDecipheriv('aes-128-cbc', key, vector)
    plain = Buffer.concat([cipher.update(Buffer.from(signature, 'base64')), cipher.final()]).toString()
  } catch {
    return false
  }
  const salt = plain.slice(64)
  return plain.slice(0, 64) === createHash('sha256').update(`${text}|${salt}`).digest('hex')
}

/**
 * A local Paytm: tokens, hosted page, status and refunds, which stay pending until completed. `webhookUrl` is the
 * merchant's setting in the panel; if set, the page sends webhooks there.
 */
export async function startPaytm({ webhookUrl = '' } = {}): Promise<ProviderDouble> {
  const mid = 'TESTMID0000000000001'
  const key = '0123456789abcdef'
  const orders = new Map<string, Order>()
  let lastId = 20_261_121_000_000

  const result = (status: string, code: string, message: string, more: object = {}) =>
    asJson({
      head: { version: 'v1' },
      body: { resultInfo: { resultStatus: status, resultCode: code, resultMsg: message }, ...more },
    })

  /** The signed text is extracted from the raw body: the same JSON formatted differently has another signature. */
  function contentOf(body: string): Record<string, unknown> | null {
    const at = body.indexOf(',"body":')
    const text = body.slice(at + 8, -1)
    const { head, body: content } = JSON.parse(body)
    return isSigned(text, String(head?.signature), key) && content.mid === mid ? content : null
  }

  function initiate(content: Record<string, unknown>, url: URL): DoubleResponse {
    const { requestType, websiteName, orderId, callbackUrl, txnAmount, userInfo } = content as {
      requestType?: string
      websiteName?: string
      orderId?: string
      callbackUrl?: string
      txnAmount?: { value?: string; currency?: string }
      userInfo?: { custId?: string; mobile?: string }
    }
    const isRight =
      requestType === 'Payment' &&
      websiteName === 'WEBSTAGING' &&
      orderId !== undefined &&
      /^[A-Za-z0-9@\-_.]{1,50}$/.test(orderId) &&
      orderId === url.searchParams.get('orderId') &&
      mid === url.searchParams.get('mid') &&
      callbackUrl !== undefined &&
      /^\d+\.\d\d$/.test(txnAmount?.value ?? '') &&
      txnAmount?.currency === 'INR' &&
      userInfo?.custId !== undefined
    if (!isRight) return result('F', '1001', 'Request parameters are not valid')
    const known = orders.get(orderId)
    if (known && known.status !== 'PENDING') return result('F', '1008', 'Duplicate order')
    lastId += 1
    const token = `token${lastId}`
    orders.set(orderId, {
      reference: orderId,
      txnId: known?.txnId ?? String(lastId),
      token,
      amount: txnAmount?.value ?? '',
      callbackUrl,
      status: 'PENDING',
      refunds: new Map(),
      captures: 0,
    })
    return result('S', '0000', 'Success', { txnToken: token })
  }

  function enter(form: URLSearchParams): Order {
    const order = known(form.get('orderId') ?? '')
    if (form.get('mid') !== mid || form.get('txnToken') !== order.token) throw new Refusal(400, 'token')
    return order
  }

  function decide(order: Order, action: PayerAction): void {
    if (action === 'leave' || order.status !== 'PENDING') return
    order.status = action === 'approve' ? 'TXN_SUCCESS' : 'TXN_FAILURE'
    if (action === 'approve') order.captures += 1
  }

  function resultOf(order: Order, { amount, forged }: Falsified = {}): [string, string][] {
    const isPaid = order.status === 'TXN_SUCCESS'
    const values: Record<string, string> = {
      BANKNAME: 'null',
      BANKTXNID: isPaid ? '777001' : '',
      CURRENCY: 'INR',
      GATEWAYNAME: 'HDFC',
      MID: mid,
      ORDERID: order.reference,
      PAYMENTMODE: 'CC',
      RESPCODE: isPaid ? '01' : '141',
      RESPMSG: isPaid ? 'Txn Success' : 'User has not completed transaction.',
      STATUS: order.status,
      TXNAMOUNT: order.amount,
      TXNDATE: '2026-11-21 12:00:00.0',
      TXNID: order.txnId,
    }
    const text = Object.keys(values)
      .sort()
      .map((name) => (values[name] === 'null' ? '' : values[name]))
      .join('|')
    const CHECKSUMHASH = checksum(text, forged ? otherKey : key)
    // Changed content keeps the checksum of the original.
    const changed = amount === undefined ? {} : { TXNAMOUNT: (amount / 10_000).toFixed(2) }
    return Object.entries({ ...values, ...changed, CHECKSUMHASH })
  }

  const posted = (url: string, fields: [string, string][]): SentMessage => ({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })

  const paise = (amount: string) => Math.round(Number(amount) * 100)

  function applyRefund(content: Record<string, unknown>): DoubleResponse {
    const { orderId, txnId, refId, refundAmount, txnType } = content
    const order = orders.get(String(orderId))
    if (!order || order.txnId !== txnId || order.status !== 'TXN_SUCCESS' || txnType !== 'REFUND')
      return result('TXN_FAILURE', '600', 'Invalid refund request')
    const id = String(refId)
    if (id.length > 50 || order.refunds.has(id)) return result('TXN_FAILURE', '617', 'Refund already raised')
    const amount = paise(String(refundAmount))
    const before = [...order.refunds.values()]
      .filter(({ status }) => status !== 'TXN_FAILURE')
      .reduce((sum, { amount: one }) => sum + one, 0)
    if (!/^\d+\.\d\d$/.test(String(refundAmount)) || amount <= 0 || before + amount > paise(order.amount))
      return result('TXN_FAILURE', '619', 'Invalid refund amount')
    order.refunds.set(id, { amount, status: 'PENDING' })
    return result('PENDING', '601', 'Refund request was raised for this transaction', { refundId: `R${id}` })
  }

  function service({ url, body }: DoubleRequest): DoubleResponse {
    const content = contentOf(body)
    if (!content) return result('F', '2005', 'Checksum provided is invalid')
    if (url.pathname === '/theia/api/v1/initiateTransaction') return initiate(content, url)
    if (url.pathname === '/refund/apply') return applyRefund(content)
    const order = orders.get(String(content.orderId))
    if (url.pathname === '/v2/refund/status') {
      const refund = order?.refunds.get(String(content.refId))
      if (!refund) return result('TXN_FAILURE', '631', 'Record not found')
      return result(refund.status, '10', 'Refund', { refundId: `R${String(content.refId)}` })
    }
    if (url.pathname !== '/v3/order/status') throw new Refusal(404, url.pathname)
    if (!order) return result('TXN_FAILURE', '334', 'Invalid Order Id.')
    const { status, txnId, amount, reference } = order
    return result(status, status === 'TXN_SUCCESS' ? '01' : '402', 'Status', {
      mid,
      orderId: reference,
      txnId,
      txnAmount: amount,
      refundAmt: (double.refunded(reference) / 10_000).toFixed(2),
    })
  }

  async function answer(request: DoubleRequest): Promise<DoubleResponse> {
    const { route, form } = request
    if (route === 'POST /theia/api/v1/showPaymentPage') {
      const order = enter(form)
      const text = `${order.reference}: INR ${order.amount}`
      return decisionPage('Paytm', { reference: order.reference, text, action: '/decide' })
    }
    if (route !== 'POST /decide') return service(request)
    const order = known(form.get('reference') ?? '')
    decide(order, form.get('decision') === 'approve' ? 'approve' : 'decline')
    const { url, ...message } = posted(webhookUrl, resultOf(order))
    if (url) await fetch(url, message).catch(() => {})
    return autoPostPage('Paytm', order.callbackUrl, resultOf(order))
  }

  function known(reference: string): Order {
    const order = orders.get(reference)
    if (!order) throw new Refusal(404, 'unknown order')
    return order
  }

  const double: ProviderDouble = {
    environment: {},
    sample: { currency: 'INR', amount: 1_000_000 },
    isDown: false,
    pay: async (step, action) => {
      const page = `${server.origin}/theia/api/v1/showPaymentPage?`
      if (step.kind !== 'form' || !step.action.startsWith(page)) throw new Error('step')
      const order = enter(new URLSearchParams(step.fields))
      decide(order, action)
      return action === 'leave' ? {} : { back: posted(order.callbackUrl, resultOf(order)) }
    },
    webhook: async (reference, falsified) =>
      posted(webhookUrl || 'https://rides.example/pay/paytm/webhook', resultOf(known(reference), falsified)),
    falsify: (reference, { amount }) => {
      if (amount !== undefined) known(reference).amount = (amount / 10_000).toFixed(2)
    },
    endRefunds: (state) => {
      for (const { refunds } of orders.values())
        for (const refund of refunds.values())
          if (refund.status === 'PENDING') refund.status = state === 'done' ? 'TXN_SUCCESS' : 'TXN_FAILURE'
    },
    reverse: (reference, _kind, amount) => {
      const { refunds } = known(reference)
      refunds.set(`panel-${refunds.size}`, { amount: amount / 100, status: 'TXN_SUCCESS' })
    },
    refunded: (reference) =>
      [...known(reference).refunds.values()]
        .filter(({ status }) => status === 'TXN_SUCCESS')
        .reduce((sum, { amount }) => sum + amount * 100, 0),
    captures: (reference) => known(reference).captures,
    close: () => server.close(),
  }
  const server = await startDoubleServer(answer, () => double.isDown)
  double.environment = {
    PAYTM_ENV: 'sandbox',
    PAYTM_MID: mid,
    PAYTM_MERCHANT_KEY: key,
    PAYTM_URL: server.origin,
    PAYTM_REFUND_BASE_URL: server.origin,
  }
  return double
}
