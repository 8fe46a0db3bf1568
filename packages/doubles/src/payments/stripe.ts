import { createHmac, randomUUID } from 'node:crypto'
import type { Falsified, ProviderDouble, SentMessage } from './double.ts'
import {
  asJson,
  checkoutPage,
  type DoubleRequest,
  type DoubleResponse,
  startDoubleServer,
} from './double-server.ts'

export interface StripeDouble extends ProviderDouble {
  /** The server that has the webhook endpoint; null: no webhooks are sent. */
  site: string | null
  /** The request that created a session, as form fields. */
  request(reference: string): URLSearchParams
  /** The bank's later decision about a session left `unpaid`: see `payLater`. */
  settle(reference: string, outcome: 'paid' | 'failed'): void
  /** While true, payers use a payment method that is decided later. */
  payLater: boolean
  /** Forgets the idempotency keys, as Stripe does after a day. */
  forgetKeys(): void
}

interface Refund {
  id: string
  amount: number
  status: 'succeeded' | 'failed'
  metadata: Record<string, string>
}

interface Dispute {
  id: string
  amount: number
  status: 'needs_response' | 'lost' | 'won'
}

interface Session {
  id: string
  form: URLSearchParams
  reference: string
  currency: string
  amount: number
  status: 'open' | 'complete' | 'expired'
  paid: boolean
  /** State of the intent while the session is unpaid. */
  intent: 'none' | 'processing' | 'requires_payment_method' | 'succeeded'
  captures: number
  refunds: Refund[]
  disputes: Dispute[]
}

const withoutDecimals = ['bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga', 'pyg', 'rwf', 'vnd', 'vuv']
const scaleOf = (currency: string) => (withoutDecimals.includes(currency) ? 10_000 : 100)

const problem = (message: string, more: { status?: number; type?: string; code?: string } = {}) => {
  const { status = 400, type = 'invalid_request_error', code } = more
  return asJson({ error: { type, message, ...(code ? { code } : {}) } }, status)
}

/**
 * A local Stripe: Checkout Sessions, refunds, signed events, and the payer's page. With a server's URL, a payer's
 * actions in a browser are also sent to its webhook endpoint.
 */
export async function startStripe(site: string | null = null): Promise<StripeDouble> {
  const token = () => randomUUID().replaceAll('-', '')
  const secretKey = `sk_test_${token()}`
  const webhookSecret = `whsec_${token()}`
  const sessions: Session[] = []
  const answered = new Map<string, { body: string; answer: DoubleResponse }>()

  const find = (reference: string): Session => {
    const found = sessions.findLast((one) => one.reference === reference)
    if (!found) throw new Error(`no session of ${reference}`)
    return found
  }
  const intentOf = ({ id }: Session) => `pi_${id.slice(8)}`

  const shown = (session: Session, expanded: boolean) => {
    const { id, form, reference, currency, amount, status, paid, intent, refunds } = session
    const back = refunds.filter((one) => one.status === 'succeeded').reduce((sum, one) => sum + one.amount, 0)
    const charge = {
      id: `ch_${id.slice(8)}`,
      object: 'charge',
      amount_refunded: back,
      refunded: back === amount,
    }
    const withCharge = {
      id: intentOf(session),
      object: 'payment_intent',
      status: intent,
      latest_charge: paid ? charge : null,
    }
    return {
      id,
      object: 'checkout.session',
      mode: 'payment',
      client_reference_id: reference,
      currency,
      amount_total: amount,
      livemode: false,
      status,
      payment_status: paid ? 'paid' : 'unpaid',
      payment_intent: intent === 'none' ? null : expanded ? withCharge : intentOf(session),
      url: status === 'open' ? `${server.origin}/c/pay/${id}` : null,
      success_url: form.get('success_url'),
      cancel_url: form.get('cancel_url'),
    }
  }

  const createSession = (form: URLSearchParams): DoubleResponse => {
    const price = 'line_items[0][price_data]'
    const amount = form.get(`${price}[unit_amount]`) ?? ''
    const currency = form.get(`${price}[currency]`) ?? ''
    if (form.get('mode') !== 'payment') return problem('Invalid mode')
    if (!/^\d{1,8}$/.test(amount)) return problem(`Invalid integer: ${amount}`)
    if (!/^[a-z]{3}$/.test(currency)) return problem(`Invalid currency: ${currency}`)
    if (!form.get(`${price}[product_data][name]`)) return problem('Missing required param: name')
    if (form.get('line_items[0][quantity]') !== '1') return problem('Missing required param: quantity')
    if (!URL.canParse(form.get('success_url') ?? ''))
      return problem('Not a valid URL', { code: 'url_invalid' })
    const reference = form.get('client_reference_id') ?? ''
    if (reference.length > 200) return problem('Invalid string: client_reference_id')
    const session: Session = {
      id: `cs_test_${token()}`,
      form,
      reference,
      currency,
      amount: Number(amount),
      status: 'open',
      paid: false,
      intent: 'none',
      captures: 0,
      refunds: [],
      disputes: [],
    }
    sessions.push(session)
    return asJson(shown(session, false))
  }

  const createRefund = (form: URLSearchParams): DoubleResponse => {
    const session = sessions.find((one) => one.paid && intentOf(one) === form.get('payment_intent'))
    if (!session) return problem('No such payment_intent', { code: 'resource_missing' })
    const left = session.amount - session.refunds.reduce((sum, one) => sum + one.amount, 0)
    const amount = Number(form.get('amount') ?? left)
    if (left === 0)
      return problem('The charge has already been refunded.', { code: 'charge_already_refunded' })
    if (!Number.isSafeInteger(amount) || amount <= 0) return problem('Invalid positive integer')
    if (amount > left) return problem('Refund amount is greater than unrefunded amount on charge')
    const metadata = Object.fromEntries(
      [...form].flatMap(([name, value]) => {
        const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
        return key === undefined ? [] : [[key, value]]
      }),
    )
    const refund: Refund = { id: `re_${token()}`, amount, status: 'succeeded', metadata }
    session.refunds.push(refund)
    return asJson({ object: 'refund', ...refund })
  }

  const post = (
    request: DoubleRequest,
    create: (form: URLSearchParams) => DoubleResponse,
  ): DoubleResponse => {
    const key = String(request.headers['idempotency-key'] ?? token())
    const before = answered.get(key)
    if (before && before.body !== request.body) {
      return problem('Keys for idempotent requests can only be used with the same parameters', {
        type: 'idempotency_error',
      })
    }
    const answer = before?.answer ?? create(request.form)
    answered.set(key, { body: request.body, answer })
    return answer
  }

  const ask = (request: DoubleRequest): DoubleResponse => {
    if (request.headers.authorization !== `Bearer ${secretKey}`) {
      return problem('Invalid API Key provided', { status: 401, code: 'api_key_invalid' })
    }
    if (request.route === 'POST /v1/checkout/sessions') return post(request, createSession)
    if (request.route === 'POST /v1/refunds') return post(request, createRefund)
    if (request.route === 'GET /v1/refunds') {
      const intent = request.url.searchParams.get('payment_intent')
      const data = sessions.find((one) => intentOf(one) === intent)?.refunds ?? []
      return asJson({ object: 'list', has_more: false, data })
    }
    if (request.route === 'GET /v1/disputes') {
      const intent = request.url.searchParams.get('payment_intent')
      const disputes = sessions.find((one) => intentOf(one) === intent)?.disputes ?? []
      const data = disputes.map((one) => ({ object: 'dispute', payment_intent: intent, ...one }))
      return asJson({ object: 'list', has_more: false, data })
    }
    const [, method, noun, id, action] =
      /^(GET|POST) \/v1\/(checkout\/sessions|refunds)\/(\w+)(\/expire)?$/.exec(request.route) ?? []
    if (noun === 'refunds' && method === 'GET') {
      const refund = sessions.flatMap((one) => one.refunds).find((one) => one.id === id)
      if (refund) return asJson({ object: 'refund', ...refund })
    }
    const session = sessions.find((one) => one.id === id)
    if (!session) return problem(`No such object: ${id}`, { status: 404, code: 'resource_missing' })
    if (action) {
      if (session.status !== 'open')
        return problem('Only Checkout Sessions with a status in ["open"] can be expired.')
      session.status = 'expired'
    }
    return asJson(
      shown(session, [...request.url.searchParams.values()].includes('payment_intent.latest_charge')),
    )
  }

  const approve = (session: Session) => {
    session.status = 'complete'
    session.intent = double.payLater ? 'processing' : 'succeeded'
    if (!double.payLater) capture(session)
  }
  const capture = (session: Session) => {
    session.paid = true
    session.intent = 'succeeded'
    session.captures += 1
  }
  const successUrl = ({ id, form }: Session) =>
    (form.get('success_url') ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id)

  const browse = async ({ route, url, form }: DoubleRequest): Promise<DoubleResponse> => {
    const session = sessions.find((one) => url.pathname === `/c/pay/${one.id}`)
    if (session?.status !== 'open') return { status: 404, body: 'This page is no longer available.' }
    if (route.startsWith('POST') && form.get('decision') === 'approve') {
      approve(session)
      await sendWebhook(session)
      return { body: '', location: successUrl(session) }
    }
    return checkoutPage('Stripe', {
      lines: [
        session.form.get('line_items[0][price_data][product_data][name]') ?? '',
        `${((session.amount * scaleOf(session.currency)) / 10_000).toFixed(2)} ${session.currency.toUpperCase()}`,
      ],
      back: session.form.get('cancel_url') ?? '',
      ...(route.startsWith('POST') ? { notice: 'Your card has been declined.' } : {}),
    })
  }

  const signed = (body: string, { forged = false, agedMs = 0 } = {}) => {
    const time = Math.floor((Date.now() - agedMs) / 1000)
    const signature = createHmac('sha256', forged ? 'whsec_of_another_endpoint' : webhookSecret)
      .update(`${time}.${body}`)
      .digest('hex')
    return {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': `t=${time},v1=${signature},v0=${'0'.repeat(64)}`,
    }
  }
  /** The latest event: a refunded charge or a dispute. */
  const latestEvent = (session: Session): SentMessage => {
    const dispute = session.disputes.at(-1)
    const type = dispute === undefined ? 'charge.refunded' : 'charge.dispute.created'
    const object = { object: dispute ? 'dispute' : 'charge', payment_intent: intentOf(session), ...dispute }
    const id = `evt_${dispute?.id ?? session.refunds.at(-1)?.id ?? session.id}`
    const body = JSON.stringify({ id, object: 'event', livemode: false, type, data: { object } })
    return { method: 'POST', url: webhookUrl(), headers: signed(body), body }
  }
  const webhookUrl = () => `${double.site ?? 'https://rides.example'}/pay/stripe/webhook`

  const message = (session: Session, { forged, agedMs = 0, ...changed }: Falsified = {}): SentMessage => {
    const object = shown(session, false)
    const event = {
      id: `evt_${session.id.slice(8)}${session.status}${session.paid}`,
      object: 'event',
      livemode: false,
      type: `checkout.session.${session.status === 'expired' ? 'expired' : 'completed'}`,
      data: { object },
    }
    const headers = signed(JSON.stringify(event), { forged, agedMs })
    const amount =
      changed.amount === undefined ? object.amount_total : changed.amount / scaleOf(session.currency)
    const currency = changed.currency?.toLowerCase() ?? object.currency
    const altered = { ...event, data: { object: { ...object, amount_total: amount, currency } } }
    return {
      method: 'POST',
      url: webhookUrl(),
      headers,
      body: JSON.stringify(altered),
    }
  }
  /** Stripe retries an undelivered event for days; this double tries a few times. */
  const sendWebhook = async (session: Session): Promise<void> => {
    if (double.site === null) return
    const { url, ...request } = message(session)
    for (let tries = 0; tries < 3; tries += 1) {
      const answer = await fetch(url, request).catch(() => null)
      if (answer?.ok) return
    }
  }

  const server = await startDoubleServer(
    (request) => (request.url.pathname.startsWith('/v1/') ? ask(request) : browse(request)),
    () => double.isDown,
  )
  const double: StripeDouble = {
    environment: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_URL: server.origin,
    },
    sample: { currency: 'USD', amount: 500_000 },
    site,
    payLater: false,
    forgetKeys: () => answered.clear(),
    isDown: false,
    request: (reference) => find(reference).form,
    settle(reference, outcome) {
      const session = find(reference)
      if (outcome === 'paid') capture(session)
      else session.intent = 'requires_payment_method'
    },
    async pay(step, action) {
      if (step.kind !== 'redirect') throw new Error('Stripe redirects')
      const session = sessions.find((one) => step.url === `${server.origin}/c/pay/${one.id}`)
      if (session?.status !== 'open') throw new Error('This page is no longer available.')
      if (action === 'approve') approve(session)
      if (action === 'leave') return {}
      const url = action === 'approve' ? successUrl(session) : (session.form.get('cancel_url') ?? '')
      return { back: { method: 'GET', url, headers: {}, body: '' } }
    },
    webhook: async (reference, falsified) => message(find(reference), falsified),
    falsify(reference, { amount, currency }) {
      const session = find(reference)
      if (amount !== undefined) session.amount = amount / scaleOf(session.currency)
      if (currency !== undefined) session.currency = currency.toLowerCase()
    },
    reverse(reference, kind, amount) {
      const session = find(reference)
      if (!session.paid) throw new Error('nothing was captured')
      const units = amount / scaleOf(session.currency)
      if (kind === 'chargeback') {
        session.disputes.push({ id: `du_${token()}`, amount: units, status: 'needs_response' })
      } else session.refunds.push({ id: `re_${token()}`, amount: units, status: 'succeeded', metadata: {} })
    },
    endDispute(reference, outcome) {
      const dispute = find(reference).disputes.at(-1)
      if (dispute) dispute.status = outcome
    },
    reversalMessage: (reference) => latestEvent(find(reference)),
    refunded: (reference) => {
      const { refunds, currency } = find(reference)
      return refunds.reduce((sum, one) => sum + one.amount, 0) * scaleOf(currency)
    },
    captures: (reference) =>
      sessions.filter((one) => one.reference === reference).reduce((sum, one) => sum + one.captures, 0),
    close: () => server.close(),
  }
  return double
}
