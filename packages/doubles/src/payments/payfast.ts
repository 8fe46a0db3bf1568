import { createHash } from 'node:crypto'
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
  id: string
  cents: number
  item: string
  payer: [first: string, last: string, email: string]
  returnUrl: string
  cancelUrl: string
  notifyUrl: string
  status: 'waiting' | 'COMPLETE' | 'CANCELLED'
  refundedCents: number
  captures: number
}

const documentedOrder =
  'merchant_id merchant_key return_url cancel_url notify_url notify_method name_first name_last email_address cell_number ' +
  'm_payment_id amount item_name item_description email_confirmation confirmation_address currency payment_method signature'
const places = documentedOrder.split(' ')

const encoded = (value: string) =>
  encodeURIComponent(value)
    .replace(/[!'()*~]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
const text = (fields: [string, string][]) =>
  fields.map(([name, value]) => `${name}=${encoded(value)}`).join('&')
const md5 = (content: string) => createHash('md5').update(content).digest('hex')
const rand = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

/**
 * A local Payfast: the form, notifications (only for payments, not when a payer cancels), their confirmation, and the
 * REST API. Refunds complete immediately; the sandbox does not support them.
 */
export async function startPayfast({ live = true } = {}): Promise<ProviderDouble> {
  const merchantId = '10000100'
  const merchantKey = '46f0cd694581a'
  const passphrase = 'jt7NOE43FZPn'
  const orders = new Map<string, Order>()
  const sent = new Set<string>()
  let lastId = 1_000_000

  function enter(fields: [string, string][]): Order {
    const form = new Map(fields)
    const field = (name: string) => form.get(name) ?? ''
    const positions = fields.map(([name]) => places.indexOf(name))
    if (positions.some((place, index) => place < 0 || place < (positions[index - 1] ?? 0)))
      throw new Refusal(400, 'order of the fields')
    const signed = fields.filter(([name, value]) => name !== 'signature' && value !== '')
    if (field('signature') !== md5(text([...signed, ['passphrase', passphrase]])))
      throw new Refusal(400, 'Generated signature does not match submitted signature')
    if (field('merchant_id') !== merchantId || field('merchant_key') !== merchantKey)
      throw new Refusal(400, 'Merchant unknown')
    const parts = /^(\d+)\.(\d\d)$/.exec(field('amount'))
    if (!parts || !field('item_name') || !field('m_payment_id')) throw new Refusal(400, 'amount, item_name')
    const reference = field('m_payment_id')
    const known = orders.get(reference)
    if (known && known.status !== 'waiting') throw new Refusal(400, 'already paid')
    lastId += 1
    const order: Order = {
      reference,
      id: known?.id ?? String(lastId),
      cents: Number(`${parts[1]}${parts[2]}`),
      item: field('item_name'),
      payer: [field('name_first'), field('name_last'), field('email_address')],
      returnUrl: field('return_url'),
      cancelUrl: field('cancel_url'),
      notifyUrl: field('notify_url'),
      status: 'waiting',
      refundedCents: 0,
      captures: 0,
    }
    orders.set(reference, order)
    return order
  }

  function decide(order: Order, action: PayerAction): void {
    if (action === 'leave' || order.status !== 'waiting') return
    order.status = action === 'approve' ? 'COMPLETE' : 'CANCELLED'
    if (action === 'approve') order.captures += 1
  }

  function notification(order: Order, { amount, forged }: Falsified = {}): string {
    const fee = Math.ceil(order.cents * 0.035)
    const empty = ['str', 'int'].flatMap((kind) => [1, 2, 3, 4, 5].map((number) => `custom_${kind}${number}`))
    const [first, last, email] = order.payer
    const fields: [string, string][] = [
      ['m_payment_id', order.reference],
      ['pf_payment_id', order.id],
      ['payment_status', order.status === 'waiting' ? 'PENDING' : order.status],
      ['item_name', order.item],
      ['item_description', ''],
      ['amount_gross', rand(order.cents)],
      ['amount_fee', `-${rand(fee)}`],
      ['amount_net', rand(order.cents - fee)],
      ...empty.map((name): [string, string] => [name, '']),
      ['name_first', first],
      ['name_last', last],
      ['email_address', email],
      ['merchant_id', merchantId],
    ]
    const signature = md5(text([...fields, ['passphrase', forged ? 'another' : passphrase]]))
    if (!forged) sent.add(text(fields))
    // Changed content keeps the signature of the original.
    const carried =
      amount === undefined
        ? fields
        : fields.map(([name, value]): [string, string] =>
            name === 'amount_gross' ? [name, rand(amount / 100)] : [name, value],
          )
    return `${text(carried)}&signature=${signature}`
  }

  function rest({ url, headers, body, route }: DoubleRequest): DoubleResponse {
    const content: Record<string, unknown> = body ? JSON.parse(body) : {}
    const signedHeaders = Object.fromEntries(
      ['merchant-id', 'version', 'timestamp'].map((name) => [name, String(headers[name])]),
    )
    const values = Object.entries({ ...signedHeaders, ...content, passphrase }).map(
      ([name, value]): [string, string] => [name, String(value)],
    )
    values.sort(([a], [b]) => (a < b ? -1 : 1))
    const isInForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+\d\d:\d\d$/.test(String(headers.timestamp))
    if (headers.signature !== md5(text(values)) || !isInForm || headers['merchant-id'] !== merchantId)
      return asJson({ code: 401, status: 'failed', data: { message: 'Merchant authorisation failed' } }, 401)
    const order = [...orders.values()].find(({ id }) => url.pathname.endsWith(`/${id}`))
    const failed = (message: string) =>
      asJson({ code: 400, status: 'failed', data: { response: false, message } }, 400)
    const success = (response: unknown) => asJson({ code: 200, status: 'success', data: { response } })
    if (!order || order.status === 'waiting') return failed('Payment not found')
    const { cents, refundedCents } = order
    if (route.startsWith('GET /process/query/')) {
      const cc = order.captures > 0 ? { cc_status: '00' } : {}
      const answer = { pf_payment_id: order.id, m_payment_id: order.reference, status: order.status }
      return success({ ...answer, amount: cents, ...cc })
    }
    if (url.searchParams.get('testing') === 'true') return failed('Refunds are not available in the sandbox')
    if (route.startsWith('GET /refunds/query/')) {
      const open = cents - refundedCents
      const method = { method: open > 0 ? 'PAYMENT_SOURCE' : 'NOT_AVAILABLE' }
      const status = open > 0 ? 'REFUNDABLE' : 'COMPLETED'
      const amounts = { amount_original: cents, amount_available_for_refund: open }
      return asJson({ ...amounts, status, errors: [], refund_full: method, refund_partial: method })
    }
    const amount = Number(content.amount)
    const reason = String(content.reason)
    if (!Number.isInteger(amount) || amount <= 0 || refundedCents + amount > cents || reason.length < 3)
      return failed('Invalid refund')
    order.refundedCents += amount
    return success(true)
  }

  async function answer(request: DoubleRequest): Promise<DoubleResponse> {
    const { route, form, url, body } = request
    if (route === 'POST /eng/query/validate') return { body: sent.has(body) ? 'VALID' : 'INVALID' }
    if (/^\/(process\/query|refunds)\//.test(url.pathname)) return rest(request)
    if (route === 'POST /eng/process') {
      const order = enter([...form])
      const text = `${order.item}: R ${rand(order.cents)}`
      return decisionPage('Payfast', { reference: order.reference, text, action: '/decide' })
    }
    if (route !== 'POST /decide') throw new Refusal(404, route)
    const order = known(form.get('reference') ?? '')
    decide(order, form.get('decision') === 'approve' ? 'approve' : 'decline')
    if (order.status !== 'COMPLETE') return { body: '', location: order.cancelUrl }
    const { url: address, ...message } = sentOf(order)
    await fetch(address, message).catch(() => {})
    return { body: '', location: order.returnUrl }
  }

  function known(reference: string): Order {
    const order = orders.get(reference)
    if (!order) throw new Refusal(404, 'unknown payment')
    return order
  }

  const sentOf = (order: Order, falsified?: Falsified): SentMessage => ({
    method: 'POST',
    url: order.notifyUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: notification(order, falsified),
  })

  const double: ProviderDouble = {
    environment: {},
    sample: { currency: 'ZAR', amount: 1_500_000 },
    isDown: false,
    pay: async (step, action) => {
      if (step.kind !== 'form' || step.action !== `${server.origin}/eng/process`) throw new Error('step')
      const order = enter(step.fields)
      decide(order, action)
      if (action === 'leave') return {}
      const url = action === 'approve' ? order.returnUrl : order.cancelUrl
      return { back: { method: 'GET', url, headers: {}, body: '' } }
    },
    webhook: async (reference, falsified) => sentOf(known(reference), falsified),
    falsify: (reference, { amount }) => {
      if (amount !== undefined) known(reference).cents = amount / 100
    },
    reverse: (reference, _kind, amount) => {
      known(reference).refundedCents += amount / 100
    },
    refunded: (reference) => known(reference).refundedCents * 100,
    captures: (reference) => known(reference).captures,
    close: () => server.close(),
  }
  const server = await startDoubleServer(answer, () => double.isDown)
  double.environment = {
    PAYFAST_ENV: live ? 'live' : 'sandbox',
    PAYFAST_MERCHANT_ID: merchantId,
    PAYFAST_MERCHANT_KEY: merchantKey,
    PAYFAST_PASSPHRASE: passphrase,
    PAYFAST_URL: server.origin,
    PAYFAST_API_URL: server.origin,
  }
  return double
}
