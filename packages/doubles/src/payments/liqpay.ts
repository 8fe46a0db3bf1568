import { createHash } from 'node:crypto'
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
  paymentId: number
  /** Currency units, LiqPay's format. */
  amount: number
  currency: string
  status: 'prepared' | 'success' | 'sandbox' | 'failure' | 'reversed'
  isTest: boolean
  resultUrl: string
  serverUrl: string
  refunded: number
  captures: number
}

/** A local LiqPay, protocol version 3: hosted page, messages, `status` and `refund`. Refunds complete immediately. */
export async function startLiqpay({ test = true } = {}): Promise<ProviderDouble> {
  const publicKey = 'sandbox_i00000000'
  const privateKey = 'sandbox_a4825234f4bae72a0be04eafe9e8e2bada209255'
  const orders = new Map<string, Order>()
  let lastId = 2_000_000_000

  const sign = (data: string, key = privateKey) =>
    createHash('sha1').update(`${key}${data}${key}`).digest('base64')
  const encode = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64')

  function readRequest(form: URLSearchParams): Record<string, unknown> {
    const data = form.get('data') ?? ''
    if (form.get('signature') !== sign(data)) throw new Refusal(400, 'err_signature')
    const content = JSON.parse(Buffer.from(data, 'base64').toString('utf8'))
    if (content.version !== 3 || content.public_key !== publicKey) throw new Refusal(400, 'err_public_key')
    return content
  }

  /** The form posted to the hosted page. */
  function enter(form: URLSearchParams): Order {
    const content = readRequest(form)
    const { action, amount, currency, description, order_id, result_url, server_url, language } = content
    const isRight =
      action === 'pay' &&
      typeof amount === 'number' &&
      amount > 0 &&
      ['USD', 'EUR', 'UAH'].includes(String(currency)) &&
      typeof description === 'string' &&
      typeof order_id === 'string' &&
      order_id.length <= 255 &&
      ['uk', 'en'].includes(String(language))
    if (!isRight) throw new Refusal(400, 'err_format')
    const known = orders.get(order_id)
    if (known && known.status !== 'prepared') throw new Refusal(400, 'order_id_duplicate')
    const order: Order = {
      reference: order_id,
      paymentId: known?.paymentId ?? ++lastId,
      amount,
      currency: String(currency),
      status: 'prepared',
      isTest: content.sandbox === 1,
      resultUrl: String(result_url),
      serverUrl: String(server_url),
      refunded: 0,
      captures: 0,
    }
    orders.set(order_id, order)
    return order
  }

  function decide(order: Order, action: PayerAction): void {
    if (action === 'leave' || order.status !== 'prepared') return
    if (action === 'decline') {
      order.status = 'failure'
      return
    }
    order.status = order.isTest ? 'sandbox' : 'success'
    order.captures += 1
  }

  const wordOf = (order: Order) => ({
    result: 'ok',
    payment_id: order.paymentId,
    action: 'pay',
    status: order.status,
    version: 3,
    public_key: publicKey,
    order_id: order.reference,
    amount: order.amount,
    currency: order.currency,
    ...(order.refunded > 0 ? { refund_amount: order.refunded } : {}),
  })

  function messageOf(order: Order, falsified: Falsified = {}): [string, string][] {
    const data = encode(wordOf(order))
    const key = falsified.forged ? 'another key' : privateKey
    // Changed content keeps the signature of the original.
    const { amount = null, currency = order.currency } = falsified
    const carried =
      amount === null && currency === order.currency
        ? data
        : encode({ ...wordOf(order), amount: amount === null ? order.amount : amount / 10_000, currency })
    return [
      ['data', carried],
      ['signature', sign(data, key)],
    ]
  }

  function answerRequest(form: URLSearchParams): DoubleResponse {
    const content = readRequest(form)
    const order = orders.get(String(content.order_id))
    if (!order) return asJson({ result: 'error', status: 'error', err_code: 'payment_not_found' })
    if (content.action === 'status') return asJson(wordOf(order))
    const amount = Number(content.amount)
    const isPaid = order.status === 'success' || order.status === 'sandbox'
    if (content.action !== 'refund' || !isPaid || !(amount > 0) || order.refunded + amount > order.amount)
      return asJson({ result: 'error', status: 'error', err_code: 'err_amount' })
    order.refunded = Math.round((order.refunded + amount) * 100) / 100
    if (order.refunded === order.amount) order.status = 'reversed'
    return asJson({ ...wordOf(order), action: 'refund', status: 'reversed' })
  }

  async function answer({ route, form }: DoubleRequest): Promise<DoubleResponse> {
    if (route === 'POST /api/request') return answerRequest(form)
    if (route === 'POST /api/3/checkout') {
      const order = enter(form)
      const text = `${order.reference}: ${order.amount} ${order.currency}`
      return decisionPage('LiqPay', { reference: order.reference, text, action: '/decide' })
    }
    if (route !== 'POST /decide') throw new Refusal(404, route)
    const order = known(form.get('reference') ?? '')
    decide(order, form.get('decision') === 'approve' ? 'approve' : 'decline')
    await fetch(order.serverUrl, { method: 'POST', body: new URLSearchParams(messageOf(order)) }).catch(
      () => {},
    )
    return autoPostPage('LiqPay', order.resultUrl, messageOf(order))
  }

  function known(reference: string): Order {
    const order = orders.get(reference)
    if (!order) throw new Refusal(404, 'payment_not_found')
    return order
  }

  const posted = (url: string, fields: [string, string][]): SentMessage => ({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })

  const double: ProviderDouble = {
    environment: {},
    sample: { currency: 'UAH', amount: 1_000_000 },
    isDown: false,
    pay: async (step, action) => {
      if (step.kind !== 'form' || step.action !== `${server.origin}/api/3/checkout`) throw new Error('step')
      const order = enter(new URLSearchParams(step.fields))
      decide(order, action)
      return action === 'leave' ? {} : { back: posted(order.resultUrl, messageOf(order)) }
    },
    webhook: async (reference, falsified) => {
      const order = known(reference)
      return posted(order.serverUrl, messageOf(order, falsified))
    },
    falsify: (reference, { amount, currency }) => {
      const order = known(reference)
      if (amount !== undefined) order.amount = amount / 10_000
      if (currency !== undefined) order.currency = currency
    },
    reverse: (reference, _kind, amount) => {
      const order = known(reference)
      order.refunded += amount / 10_000
      if (order.refunded === order.amount) order.status = 'reversed'
    },
    reversalMessage: (reference) => posted(known(reference).serverUrl, messageOf(known(reference))),
    refunded: (reference) => Math.round(known(reference).refunded * 10_000),
    captures: (reference) => known(reference).captures,
    close: () => server.close(),
  }
  const server = await startDoubleServer(answer, () => double.isDown)
  double.environment = {
    LIQPAY_URL: server.origin,
    LIQPAY_PUBLIC_KEY: publicKey,
    LIQPAY_PRIVATE_KEY: privateKey,
    LIQPAY_TEST: test ? '1' : '0',
  }
  return double
}
