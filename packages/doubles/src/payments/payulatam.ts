import { createHash, createHmac } from 'node:crypto'
import type { Falsified, PayerAction, ProviderDouble, SentMessage } from './double.ts'
import {
  asJson,
  type DoubleRequest,
  type DoubleResponse,
  decisionPage,
  Refusal,
  startDoubleServer,
} from './double-server.ts'

interface Order {
  reference: string
  id: number
  transactionId: string
  /** Currency units. */
  amount: number
  currency: string
  status: 'NEW' | 'CAPTURED' | 'DECLINED' | 'REFUNDED'
  responseUrl: string
  confirmationUrl: string
  refunds: { id: string; type: string; amount: number; state: 'PENDING' | 'APPROVED' | 'DECLINED' }[]
  captures: number
}

type Algorithm = 'MD5' | 'SHA' | 'SHA256' | 'HMAC-SHA256'

const accounts: Record<string, string> = { COP: '512321', ARS: '512322', MXN: '512324', USD: '512326' }
const rounded = (amount: number) => Math.round(amount * 100) / 100

/**
 * A local PayU Latam: the form, confirmations, and the APIs for queries and refunds. Refunds stay pending until
 * completed.
 */
export async function startPayulatam({ algorithm = 'MD5' as Algorithm } = {}): Promise<ProviderDouble> {
  const apiKey = '4Vj8eK4rloUd272L48hsrarnUA'
  const apiLogin = 'pRRXKOl8ikMmt9u'
  const merchantId = '508029'
  const orders = new Map<string, Order>()
  let lastId = 857_000_000

  function sign(values: string[], key = apiKey): string {
    const text = [key, ...values].join('~')
    if (algorithm === 'HMAC-SHA256') return createHmac('sha256', key).update(text).digest('hex')
    const names = { MD5: 'md5', SHA: 'sha1', SHA256: 'sha256' } as const
    return createHash(names[algorithm]).update(text).digest('hex')
  }

  function enter(fields: [string, string][]): Order {
    const form = new Map(fields)
    const field = (name: string) => form.get(name) ?? ''
    const [reference, amount, currency] = [field('referenceCode'), field('amount'), field('currency')]
    if (field('signature') !== sign([field('merchantId'), reference, amount, currency]))
      throw new Refusal(400, 'Invalid signature')
    const isRight =
      field('merchantId') === merchantId &&
      field('accountId') === accounts[currency] &&
      field('algorithmSignature') === algorithm &&
      field('test') === '1' &&
      /^\d+(\.\d{1,2})?$/.test(amount) &&
      field('tax') === '0' &&
      field('taxReturnBase') === '0' &&
      ['description', 'buyerEmail', 'buyerFullName', 'responseUrl', 'confirmationUrl'].every((name) =>
        field(name),
      )
    if (!isRight) throw new Refusal(400, 'Invalid form')
    const known = orders.get(reference)
    if (known && known.status !== 'NEW') throw new Refusal(400, 'The reference was used before')
    lastId += 1
    const order: Order = {
      reference,
      id: known?.id ?? lastId,
      transactionId: known?.transactionId ?? `f5e668f1-7ecc-4b83-a4d1-${String(lastId).padStart(12, '0')}`,
      amount: Number(amount),
      currency,
      status: 'NEW',
      responseUrl: field('responseUrl'),
      confirmationUrl: field('confirmationUrl'),
      refunds: [],
      captures: 0,
    }
    orders.set(reference, order)
    return order
  }

  function decide(order: Order, action: PayerAction): void {
    if (action === 'leave' || order.status !== 'NEW') return
    order.status = action === 'approve' ? 'CAPTURED' : 'DECLINED'
    if (action === 'approve') order.captures += 1
  }

  const stateOf = ({ status }: Order) => (status === 'DECLINED' ? '6' : '4')

  function confirmation(order: Order, { amount, forged }: Falsified = {}): SentMessage {
    const value = order.amount.toFixed(2)
    const newValue = value.endsWith('0') ? value.slice(0, -1) : value
    const signed = [merchantId, order.reference, newValue, order.currency, stateOf(order)]
    const fields = new URLSearchParams({
      merchant_id: merchantId,
      state_pol: stateOf(order),
      response_code_pol: order.status === 'DECLINED' ? '4' : '1',
      reference_sale: order.reference,
      reference_pol: String(order.id),
      sign: sign(signed, forged ? 'another key' : apiKey),
      // Changed content keeps the signature of the original.
      value: amount === undefined ? value : (amount / 10_000).toFixed(2),
      currency: order.currency,
      transaction_id: order.transactionId,
      test: '1',
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return { method: 'POST', url: order.confirmationUrl, headers, body: fields.toString() }
  }

  function detailOf(order: Order) {
    const valueOf = (value: number) => ({ TX_VALUE: { value, currency: order.currency } })
    const state = order.status === 'DECLINED' ? 'DECLINED' : 'APPROVED'
    return {
      id: order.id,
      status: order.status,
      referenceCode: order.reference,
      isTest: true,
      additionalValues: valueOf(order.amount),
      transactions: [
        {
          id: order.transactionId,
          type: 'AUTHORIZATION_AND_CAPTURE',
          transactionResponse: { state },
          additionalValues: valueOf(order.amount),
        },
        ...order.refunds.map((refund) => ({
          id: refund.id,
          type: refund.type,
          transactionResponse: { state: refund.state },
          additionalValues: valueOf(refund.amount),
        })),
      ],
    }
  }

  function submit(transaction: Record<string, unknown>): DoubleResponse {
    const params = transaction as {
      order?: { id: unknown }
      type?: string
      reason?: string
      parentTransactionId?: string
      additionalValues?: { TX_VALUE?: { value: unknown; currency: unknown } }
    }
    const order = [...orders.values()].find(({ id }) => id === params.order?.id)
    const failed = (error: string) => asJson({ code: 'ERROR', error, transactionResponse: null })
    if (!order || order.transactionId !== params.parentTransactionId || !params.reason)
      return failed('Invalid request format')
    const { value, currency } = params.additionalValues?.TX_VALUE ?? {}
    const isPart = params.type === 'PARTIAL_REFUND'
    if (!isPart && (params.type !== 'REFUND' || value !== undefined)) return failed('type')
    const amount = isPart ? Number(value) : order.amount
    const before = order.refunds
      .filter(({ state }) => state !== 'DECLINED')
      .reduce((sum, { amount: one }) => sum + one, 0)
    const isOpen = order.status === 'CAPTURED' && amount > 0 && rounded(before + amount) <= order.amount
    if (!isOpen || (isPart && currency !== order.currency)) return failed('The amount cannot be refunded')
    const id = `${order.transactionId}-${order.refunds.length + 1}`
    order.refunds.push({ id, type: params.type ?? '', amount, state: 'PENDING' })
    const transactionResponse = { orderId: order.id, transactionId: id, state: 'PENDING' }
    return asJson({ code: 'SUCCESS', error: null, transactionResponse })
  }

  function service({ route, body }: DoubleRequest): DoubleResponse {
    const { merchant, command, details, transaction, test } = JSON.parse(body)
    if (merchant?.apiKey !== apiKey || merchant?.apiLogin !== apiLogin || test !== true)
      return asJson({ code: 'ERROR', error: 'Invalid credentials', result: null })
    if (route === 'POST /payments-api/4.0/service.cgi' && command === 'SUBMIT_TRANSACTION')
      return submit(transaction)
    if (route !== 'POST /reports-api/4.0/service.cgi' || command !== 'ORDER_DETAIL_BY_REFERENCE_CODE')
      return asJson({ code: 'ERROR', error: 'command', result: null })
    const order = orders.get(details?.referenceCode)
    const isTried = order && order.status !== 'NEW'
    return asJson({ code: 'SUCCESS', error: null, result: { payload: isTried ? [detailOf(order)] : null } })
  }

  const backOf = (order: Order): SentMessage => {
    const url = new URL(order.responseUrl)
    url.searchParams.set('merchantId', merchantId)
    url.searchParams.set('referenceCode', order.reference)
    url.searchParams.set('transactionState', stateOf(order))
    return { method: 'GET', url: url.href, headers: {}, body: '' }
  }

  async function answer(request: DoubleRequest): Promise<DoubleResponse> {
    const { route, form } = request
    if (route.endsWith('/service.cgi')) return service(request)
    if (route === 'POST /ppp-web-gateway-payu/') {
      const order = enter([...form])
      const text = `${order.reference}: ${order.amount} ${order.currency}`
      return decisionPage('PayU', { reference: order.reference, text, action: '/decide' })
    }
    if (route !== 'POST /decide') throw new Refusal(404, route)
    const order = known(form.get('reference') ?? '')
    decide(order, form.get('decision') === 'approve' ? 'approve' : 'decline')
    const { url, ...message } = confirmation(order)
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
    sample: { currency: 'COP', amount: 200_000_000 },
    isDown: false,
    pay: async (step, action) => {
      if (step.kind !== 'form' || step.action !== `${server.origin}/ppp-web-gateway-payu/`)
        throw new Error('step')
      const order = enter(step.fields)
      decide(order, action)
      return action === 'leave' ? {} : { back: backOf(order) }
    },
    webhook: async (reference, falsified) => confirmation(known(reference), falsified),
    falsify: (reference, { amount, currency }) => {
      const order = known(reference)
      if (amount !== undefined) order.amount = amount / 10_000
      if (currency !== undefined) order.currency = currency
    },
    endRefunds: (state) => {
      for (const order of orders.values()) {
        for (const refund of order.refunds)
          if (refund.state === 'PENDING') refund.state = state === 'done' ? 'APPROVED' : 'DECLINED'
        if (order.captures > 0 && double.refunded(order.reference) === Math.round(order.amount * 10_000))
          order.status = 'REFUNDED'
      }
    },
    reverse: (reference, _kind, amount) => {
      const order = known(reference)
      const id = `${order.transactionId}-${order.refunds.length + 1}`
      order.refunds.push({ id, type: 'PARTIAL_REFUND', amount: amount / 10_000, state: 'APPROVED' })
    },
    refunded: (reference) =>
      known(reference)
        .refunds.filter(({ state }) => state === 'APPROVED')
        .reduce((sum, { amount }) => sum + Math.round(amount * 10_000), 0),
    captures: (reference) => known(reference).captures,
    close: () => server.close(),
  }
  const server = await startDoubleServer(answer, () => double.isDown)
  double.environment = {
    PAYU_ENV: 'sandbox',
    PAYU_API_KEY: apiKey,
    PAYU_API_LOGIN: apiLogin,
    PAYU_MERCHANT_ID: merchantId,
    PAYU_ACCOUNT_ID_CO: '512321',
    PAYU_ACCOUNT_ID_AR: '512322',
    PAYU_ACCOUNT_ID_MX: '512324',
    PAYU_ACCOUNT_ID_PA: '512326',
    PAYU_ALGORITHM: algorithm,
    PAYU_URL: server.origin,
    PAYU_API_URL: server.origin,
  }
  return double
}
