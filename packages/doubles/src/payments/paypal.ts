import { randomUUID } from 'node:crypto'
import type { Falsified, ProviderDouble, SentMessage } from './double.ts'
import {
  asJson,
  checkoutPage,
  type DoubleRequest,
  type DoubleResponse,
  startDoubleServer,
} from './double-server.ts'
import { certificatePath, createPaypalSigner } from './paypal-signer.ts'

export interface PaypalDouble extends ProviderDouble {
  /** The request that created an order. */
  request(reference: string): OrderRequest
  /** The event for a payer's approval, before any capture. */
  approvedEvent(reference: string, falsified?: Falsified): SentMessage
  /** The result of the next captures. */
  nextCapture: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'INSTRUMENT_DECLINED'
  /** The result of the next refunds. */
  nextRefund: 'COMPLETED' | 'PENDING'
  /** Number of access tokens issued; `withdrawTokens` invalidates them. */
  tokens: number
  withdrawTokens(): void
  /** Total number of requests received. */
  requestCount: number
  /** The certificate it serves; null: its own. */
  certificate: string | null
}

export interface OrderRequest {
  intent?: string
  purchase_units?: {
    amount?: { currency_code?: string; value?: string }
    custom_id?: string
    invoice_id?: string
    description?: string
  }[]
  payment_source?: { paypal?: { experience_context?: { return_url?: string; cancel_url?: string } } }
}

interface Refund {
  id: string
  status: 'COMPLETED' | 'PENDING' | 'FAILED'
  amount: { value: string; currency_code: string }
  custom_id?: string
}

interface Order {
  id: string
  request: OrderRequest
  reference: string
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED'
  amount: { value: string; currency_code: string }
  capture: { id: string; status: string } | null
  captures: number
  refunds: Refund[]
}

const currencies =
  'AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP RUB SGD SEK CHF THB USD'.split(
    ' ',
  )
const problem = (status: number, name: string, issue?: string) =>
  asJson({ name, message: name, debug_id: 'f0', ...(issue ? { details: [{ issue }] } : {}) }, status)

/** A decimal text with at most four decimals in 10^-4 of the unit. */
const amountOf = (text: string) => Math.round(Number(text) * 10_000)
const textOf = (amount: number) => (amount / 10_000).toFixed(2)

/** A local PayPal: tokens, orders, captures, refunds, signed events with their certificate, and the payer's page. */
export async function startPaypal(): Promise<PaypalDouble> {
  const clientId = `client-${randomUUID()}`
  const clientSecret = `secret-${randomUUID()}`
  const webhookId = '0EH40505U7160970P'
  const { certificate, signed } = createPaypalSigner(webhookId)
  const orders: Order[] = []
  const tokens = new Set<string>()
  const answered = new Map<string, DoubleResponse>()
  const newId = () => randomUUID().replaceAll('-', '').slice(0, 17).toUpperCase()

  const find = (reference: string): Order => {
    const found = orders.findLast((one) => one.reference === reference)
    if (!found) throw new Error(`no order of ${reference}`)
    return found
  }

  const shown = (order: Order) => {
    const { id, status, amount, capture, refunds, reference, request } = order
    const captures = capture ? [{ ...capture, amount, custom_id: reference, invoice_id: reference }] : []
    return {
      id,
      intent: 'CAPTURE',
      status,
      purchase_units: [
        {
          ...request.purchase_units?.[0],
          custom_id: reference,
          amount,
          ...(captures.length > 0
            ? { payments: { captures, ...(refunds.length > 0 ? { refunds } : {}) } }
            : {}),
        },
      ],
      links: [
        { rel: 'self', href: `${server.origin}/v2/checkout/orders/${id}`, method: 'GET' },
        { rel: 'payer-action', href: `${server.origin}/checkoutnow?token=${id}`, method: 'GET' },
      ],
    }
  }

  const createOrder = (request: OrderRequest): DoubleResponse => {
    const unit = request.purchase_units?.[0]
    const { value = '', currency_code = '' } = unit?.amount ?? {}
    const context = request.payment_source?.paypal?.experience_context
    if (request.intent !== 'CAPTURE' || request.purchase_units?.length !== 1)
      return problem(400, 'INVALID_REQUEST')
    if (!currencies.includes(currency_code))
      return problem(422, 'UNPROCESSABLE_ENTITY', 'CURRENCY_NOT_SUPPORTED')
    const pattern = ['HUF', 'JPY', 'TWD'].includes(currency_code) ? /^\d+$/ : /^\d+\.\d\d$/
    if (!pattern.test(value)) return problem(422, 'UNPROCESSABLE_ENTITY', 'DECIMAL_PRECISION')
    if ((unit?.custom_id ?? '').length > 127 || (unit?.description ?? '').length > 127) {
      return problem(400, 'INVALID_REQUEST', 'INVALID_STRING_LENGTH')
    }
    if (!URL.canParse(context?.return_url ?? '') || !URL.canParse(context?.cancel_url ?? '')) {
      return problem(400, 'INVALID_REQUEST', 'INVALID_PARAMETER_SYNTAX')
    }
    const order: Order = {
      id: newId(),
      request,
      reference: unit?.custom_id ?? '',
      status: 'PAYER_ACTION_REQUIRED',
      amount: { value, currency_code },
      capture: null,
      captures: 0,
      refunds: [],
    }
    orders.push(order)
    return asJson(shown(order), 201)
  }

  const capture = (order: Order): DoubleResponse => {
    const unprocessable = (issue: string) => problem(422, 'UNPROCESSABLE_ENTITY', issue)
    if (order.capture) return unprocessable('ORDER_ALREADY_CAPTURED')
    if (order.status !== 'APPROVED') return unprocessable('ORDER_NOT_APPROVED')
    if (double.nextCapture === 'INSTRUMENT_DECLINED') return unprocessable('INSTRUMENT_DECLINED')
    const invoice = order.request.purchase_units?.[0]?.invoice_id
    const isUsed = orders.some(
      (one) => one.capture && one.request.purchase_units?.[0]?.invoice_id === invoice,
    )
    if (invoice !== undefined && isUsed) return unprocessable('DUPLICATE_INVOICE_ID')
    order.capture = { id: newId(), status: double.nextCapture }
    order.status = 'COMPLETED'
    if (double.nextCapture === 'COMPLETED') order.captures += 1
    return asJson(shown(order), 201)
  }

  const refund = (order: Order, text: string): DoubleResponse => {
    const params: Partial<Refund> = JSON.parse(text || '{}')
    const left =
      amountOf(order.amount.value) -
      order.refunds.reduce((sum, one) => sum + (one.status === 'FAILED' ? 0 : amountOf(one.amount.value)), 0)
    const amount = params.amount ?? { ...order.amount, value: textOf(left) }
    if (left === 0) return problem(422, 'UNPROCESSABLE_ENTITY', 'CAPTURE_FULLY_REFUNDED')
    if (amount.currency_code !== order.amount.currency_code) {
      return problem(422, 'UNPROCESSABLE_ENTITY', 'REFUND_CAPTURE_CURRENCY_MISMATCH')
    }
    if (amountOf(amount.value) > left) return problem(422, 'UNPROCESSABLE_ENTITY', 'REFUND_AMOUNT_EXCEEDED')
    const made: Refund = {
      id: newId(),
      status: double.nextRefund,
      amount,
      ...(params.custom_id ? { custom_id: params.custom_id } : {}),
    }
    order.refunds.push(made)
    if (order.capture) {
      order.capture.status = amountOf(amount.value) === left ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
    }
    return asJson(made, 201)
  }

  const giveToken = ({ headers, form }: DoubleRequest): DoubleResponse => {
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
    if (headers.authorization !== basic || form.get('grant_type') !== 'client_credentials') {
      return asJson({ error: 'invalid_client', error_description: 'Client Authentication failed' }, 401)
    }
    const access_token = `A21${randomUUID()}`
    tokens.add(access_token)
    double.tokens += 1
    return asJson({ access_token, token_type: 'Bearer', expires_in: 32_400 })
  }

  /** A repeated request with the same `PayPal-Request-Id` returns the first response. */
  const once = ({ headers }: DoubleRequest, act: () => DoubleResponse): DoubleResponse => {
    const key = headers['paypal-request-id']
    const before = typeof key === 'string' ? answered.get(key) : undefined
    const answer = before ? { ...before, status: 200 } : act()
    if (typeof key === 'string' && (answer.status ?? 200) < 300) answered.set(key, answer)
    return answer
  }

  const ask = (request: DoubleRequest): DoubleResponse => {
    const { route, body, headers } = request
    if (route === 'POST /v1/oauth2/token') return giveToken(request)
    if (route === `GET ${certificatePath}`) return { body: double.certificate ?? certificate }
    if (route.includes('/certs/')) return problem(404, 'RESOURCE_NOT_FOUND')
    if (!tokens.has(headers.authorization?.replace(/^Bearer /, '') ?? '')) {
      return asJson({ error: 'invalid_token', error_description: 'Token signature verification failed' }, 401)
    }
    if (route === 'POST /v2/checkout/orders') return once(request, () => createOrder(JSON.parse(body)))
    const [, verb, noun, id, action] =
      /^(GET|POST) \/v2\/(checkout\/orders|payments\/captures|payments\/refunds)\/(\w+)(?:\/(\w+))?$/.exec(
        route,
      ) ?? []
    if (noun === 'payments/refunds' && verb === 'GET') {
      const made = orders.flatMap((one) => one.refunds).find((one) => one.id === id)
      return made ? asJson(made) : problem(404, 'RESOURCE_NOT_FOUND')
    }
    if (noun === 'payments/captures' && action === 'refund') {
      const order = orders.find((one) => one.capture?.id === id)
      return order ? once(request, () => refund(order, body)) : problem(404, 'RESOURCE_NOT_FOUND')
    }
    const order = noun === 'checkout/orders' ? orders.find((one) => one.id === id) : undefined
    if (!order) return problem(404, 'RESOURCE_NOT_FOUND')
    return verb === 'POST' && action === 'capture'
      ? once(request, () => capture(order))
      : asJson(shown(order))
  }

  const way = (order: Order, decision: 'return_url' | 'cancel_url'): string => {
    const url = new URL(order.request.payment_source?.paypal?.experience_context?.[decision] ?? '')
    url.searchParams.set('token', order.id)
    if (decision === 'return_url') url.searchParams.set('PayerID', 'QYR5Z8XDVJNXQ')
    return url.href
  }

  const browse = ({ route, url, form }: DoubleRequest): DoubleResponse => {
    const order = orders.find((one) => one.id === url.searchParams.get('token'))
    if (!order || order.status !== 'PAYER_ACTION_REQUIRED')
      return { status: 404, body: 'Things do not work.' }
    if (route.startsWith('POST')) {
      if (form.get('decision') !== 'approve') return { body: '', location: way(order, 'cancel_url') }
      order.status = 'APPROVED'
      return { body: '', location: way(order, 'return_url') }
    }
    const { value, currency_code } = order.amount
    return checkoutPage('PayPal', {
      lines: [order.request.purchase_units?.[0]?.description ?? '', `${value} ${currency_code}`],
      back: way(order, 'cancel_url'),
    })
  }

  const server = await startDoubleServer(
    (request) => {
      double.requestCount += 1
      return request.url.pathname === '/checkoutnow' ? browse(request) : ask(request)
    },
    () => double.isDown,
  )
  const double: PaypalDouble = {
    environment: {
      PAYPAL_ENV: 'sandbox',
      PAYPAL_CLIENT_ID: clientId,
      PAYPAL_CLIENT_SECRET: clientSecret,
      PAYPAL_WEBHOOK_ID: webhookId,
      PAYPAL_URL: server.origin,
    },
    sample: { currency: 'EUR', amount: 250_000 },
    nextCapture: 'COMPLETED',
    nextRefund: 'PENDING',
    tokens: 0,
    withdrawTokens: () => tokens.clear(),
    requestCount: 0,
    certificate: null,
    isDown: false,
    request: (reference) => find(reference).request,
    async pay(step, action) {
      if (step.kind !== 'redirect') throw new Error('PayPal redirects')
      const order = orders.find((one) => step.url === `${server.origin}/checkoutnow?token=${one.id}`)
      if (order?.status !== 'PAYER_ACTION_REQUIRED') throw new Error('Things do not work.')
      if (action === 'leave') return {}
      if (action === 'approve') order.status = 'APPROVED'
      const url = way(order, action === 'approve' ? 'return_url' : 'cancel_url')
      return { back: { method: 'GET', url, headers: {}, body: '' } }
    },
    async webhook(reference, falsified = {}) {
      const order = find(reference)
      const event = {
        id: `WH-${order.capture?.id}`,
        event_type: 'PAYMENT.CAPTURE.COMPLETED',
        resource_type: 'capture',
        resource: {
          ...order.capture,
          amount: order.amount,
          custom_id: order.reference,
          supplementary_data: { related_ids: { order_id: order.id } },
        },
      }
      const { amount, currency } = falsified
      const changed = {
        value: amount === undefined ? order.amount.value : textOf(amount),
        currency_code: currency ?? order.amount.currency_code,
      }
      return signed(event, falsified, { ...event, resource: { ...event.resource, amount: changed } })
    },
    approvedEvent(reference, falsified = {}) {
      const order = find(reference)
      return signed(
        {
          id: `WH-${order.id}`,
          event_type: 'CHECKOUT.ORDER.APPROVED',
          resource_type: 'checkout-order',
          resource: shown(order),
        },
        falsified,
      )
    },
    falsify(reference, { amount, currency }) {
      const order = find(reference)
      order.amount = {
        value: amount === undefined ? order.amount.value : textOf(amount),
        currency_code: currency ?? order.amount.currency_code,
      }
    },
    endRefunds(state) {
      for (const one of orders.flatMap(({ refunds }) => refunds)) {
        if (one.status === 'PENDING') one.status = state === 'done' ? 'COMPLETED' : 'FAILED'
      }
    },
    reverse(reference, _kind, amount) {
      const { refunds, amount: paid } = find(reference)
      const value = { ...paid, value: textOf(amount) }
      refunds.push({ id: newId(), status: 'COMPLETED', amount: value, custom_id: reference })
    },
    reversalMessage(reference) {
      const { refunds, capture: taken } = find(reference)
      const up = `${server.origin}/v2/payments/captures/${taken?.id}`
      const resource = { ...refunds.at(-1), links: [{ rel: 'up', href: up, method: 'GET' }] }
      const id = `WH-${resource.id}`
      return signed({ id, event_type: 'PAYMENT.CAPTURE.REFUNDED', resource_type: 'refund', resource }, {})
    },
    refunded: (reference) =>
      find(reference)
        .refunds.filter((one) => one.status === 'COMPLETED')
        .reduce((sum, one) => sum + amountOf(one.amount.value), 0),
    captures: (reference) =>
      orders.filter((one) => one.reference === reference).reduce((sum, one) => sum + one.captures, 0),
    close: () => server.close(),
  }
  return double
}
