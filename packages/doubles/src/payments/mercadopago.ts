import { createHmac, randomUUID } from 'node:crypto'
import type { Falsified, ProviderDouble, SentMessage } from './double.ts'
import {
  asJson,
  checkoutPage,
  type DoubleRequest,
  type DoubleResponse,
  startDoubleServer,
} from './double-server.ts'

export interface MercadopagoDouble extends ProviderDouble {
  /** The request that created a preference. */
  request(reference: string): PreferenceRequest
  /** The result of the next approved attempts. */
  nextPayment: 'approved' | 'in_process' | 'rejected'
  /** While true, the search does not find today's payments. */
  searchLags: boolean
  /** The result of the next refunds. */
  nextRefund: 'approved' | 'in_process'
}

export interface PreferenceRequest {
  items?: { title?: string; quantity?: number; unit_price?: unknown; currency_id?: string }[]
  back_urls?: { success?: string; failure?: string; pending?: string }
  auto_return?: string
  external_reference?: string
  expires?: boolean
  expiration_date_to?: string
}

interface Preference {
  id: string
  request: PreferenceRequest
}

interface Payment {
  id: number
  preference: Preference
  status: string
  external_reference: string
  transaction_amount: number
  currency_id: string
  dispute?: string
  refunds: { id: number; amount: number; status: 'approved' | 'in_process' | 'rejected' }[]
}

const problem = (status: number, message: string) =>
  asJson({ message, error: status === 404 ? 'not_found' : 'bad_request', status, cause: [] }, status)

const scaled = (value: number) => Math.round(value * 10_000)

/** A local Mercado Pago (Uruguay): preferences and their page, payments, refunds, signed notifications. */
export async function startMercadopago(): Promise<MercadopagoDouble> {
  const accessToken = `TEST-${randomUUID()}`
  const secret = randomUUID().replaceAll('-', '')
  const preferences: Preference[] = []
  const payments: Payment[] = []
  const answered = new Map<string, DoubleResponse>()
  let lastId = 1_300_000_000

  const paymentsOf = (reference: string) => payments.filter((one) => one.external_reference === reference)
  const find = (reference: string): Payment => {
    const tries = paymentsOf(reference)
    const found = tries.find((one) => one.status === 'approved') ?? tries.at(-1)
    if (!found) throw new Error(`no payment of ${reference}`)
    return found
  }
  const isOver = ({ request }: Preference) =>
    request.expires === true && Date.parse(request.expiration_date_to ?? '') <= Date.now()

  const createPreference = (request: PreferenceRequest): DoubleResponse => {
    const [item] = request.items ?? []
    if (!item?.title || item.quantity !== 1) return problem(400, 'items invalid')
    if (typeof item.unit_price !== 'number' || item.unit_price <= 0) return problem(400, 'unit_price invalid')
    if (item.currency_id !== 'UYU') return problem(400, 'currency_id invalid')
    const { success = '' } = request.back_urls ?? {}
    if (request.auto_return !== undefined && !success.startsWith('https:')) {
      return problem(400, 'auto_return invalid. back_url.success must be defined')
    }
    if (request.expires && Number.isNaN(Date.parse(request.expiration_date_to ?? ''))) {
      return problem(400, 'expiration_date_to invalid')
    }
    const preference = { id: `202809963-${randomUUID()}`, request }
    preferences.push(preference)
    const init = `${server.origin}/checkout/v1/redirect?pref_id=${preference.id}`
    return asJson(
      { id: preference.id, init_point: `${init}&live`, sandbox_init_point: init, ...preference.request },
      201,
    )
  }

  const refund = (payment: Payment, text: string): DoubleResponse => {
    const alreadyRefunded = payment.refunds.reduce(
      (sum, one) => sum + (one.status === 'rejected' ? 0 : scaled(one.amount)),
      0,
    )
    const left = scaled(payment.transaction_amount) - alreadyRefunded
    const params: { amount?: number } = JSON.parse(text || '{}')
    const amount = params.amount ?? left / 10_000
    if (payment.status !== 'approved')
      return problem(400, 'The action requested is not valid for the current payment state')
    if (scaled(amount) > left || amount <= 0) return problem(400, 'Invalid refund amount')
    lastId += 1
    const made = { id: lastId, amount, status: double.nextRefund }
    payment.refunds.push(made)
    if (scaled(amount) === left) payment.status = 'refunded'
    return asJson({ ...made, payment_id: payment.id }, 201)
  }

  const refundedSum = (refunds: Payment['refunds']) =>
    refunds.reduce((sum, one) => sum + (one.status === 'approved' ? scaled(one.amount) : 0), 0)

  const shown = ({ preference: _preference, refunds, dispute, ...payment }: Payment) => ({
    ...payment,
    transaction_amount_refunded: refundedSum(refunds) / 10_000,
    live_mode: false,
    status_detail: dispute ?? (payment.status === 'approved' ? 'accredited' : 'cc_rejected_other_reason'),
  })

  const once = ({ route, headers }: DoubleRequest, act: () => DoubleResponse): DoubleResponse => {
    const key = `${route} ${String(headers['x-idempotency-key'])}`
    const answer = answered.get(key) ?? act()
    if (headers['x-idempotency-key'] !== undefined && (answer.status ?? 200) < 300) answered.set(key, answer)
    return answer
  }

  const ask = (request: DoubleRequest): DoubleResponse => {
    const { route, url, headers, body } = request
    if (headers.authorization !== `Bearer ${accessToken}`) return problem(401, 'invalid access token')
    if (route === 'POST /checkout/preferences') return once(request, () => createPreference(JSON.parse(body)))
    if (route === 'GET /v1/payments/search') {
      if (!url.searchParams.has('sort') || !url.searchParams.has('criteria'))
        return problem(400, 'sort is required')
      const found = paymentsOf(url.searchParams.get('external_reference') ?? '')
      return asJson({ results: double.searchLags ? [] : found.map(shown), paging: { total: found.length } })
    }
    const [, change, preferenceId] = /^(GET|PUT) \/checkout\/preferences\/([\w-]+)$/.exec(route) ?? []
    const preference = preferences.find((one) => one.id === preferenceId)
    if (preference) {
      if (change === 'PUT') Object.assign(preference.request, JSON.parse(body))
      return asJson({ id: preference.id, ...preference.request })
    }
    const [, verb, id, refunds, refundId] =
      /^(GET|POST) \/v1\/payments\/(\d+)(\/refunds)?(?:\/(\d+))?$/.exec(route) ?? []
    const payment = payments.find((one) => String(one.id) === id)
    if (!payment) return problem(404, 'Payment not found')
    if (verb === 'POST')
      return refunds ? once(request, () => refund(payment, body)) : problem(404, 'not found')
    if (!refunds) return asJson(shown(payment))
    if (refundId === undefined) return asJson(payment.refunds)
    const made = payment.refunds.find((one) => String(one.id) === refundId)
    return made ? asJson(made) : problem(404, 'Refund not found')
  }

  const tryToPay = (preference: Preference, status: string): Payment => {
    const [item] = preference.request.items ?? []
    lastId += 1
    const payment: Payment = {
      id: lastId,
      preference,
      status,
      external_reference: preference.request.external_reference ?? '',
      transaction_amount: Number(item?.unit_price),
      currency_id: item?.currency_id ?? '',
      refunds: [],
    }
    payments.push(payment)
    return payment
  }
  const back = ({ id, request }: Preference, payment: Payment | null): string => {
    const { success, pending, failure } = request.back_urls ?? {}
    const way =
      payment?.status === 'approved' ? success : payment?.status === 'in_process' ? pending : failure
    const url = new URL(way ?? '')
    url.searchParams.set('payment_id', String(payment?.id ?? null))
    url.searchParams.set('status', payment?.status ?? 'null')
    url.searchParams.set('external_reference', request.external_reference ?? '')
    url.searchParams.set('preference_id', id)
    return url.href
  }

  const browse = ({ route, url, form }: DoubleRequest): DoubleResponse => {
    const preference = preferences.find((one) => one.id === url.searchParams.get('pref_id'))
    if (!preference || isOver(preference)) return { status: 404, body: 'This link is not available.' }
    const [item] = preference.request.items ?? []
    const isPost = route.startsWith('POST')
    const payment = isPost
      ? tryToPay(preference, form.get('decision') === 'approve' ? double.nextPayment : 'rejected')
      : null
    if (payment && payment.status !== 'rejected') return { body: '', location: back(preference, payment) }
    return checkoutPage('Mercado Pago', {
      lines: [item?.title ?? '', `${String(item?.unit_price)} ${item?.currency_id}`],
      back: back(preference, payment),
      ...(isPost ? { notice: 'Your payment was rejected. Try another card.' } : {}),
    })
  }

  const message = (payment: Payment, { forged, agedMs = 0 }: Falsified): SentMessage => {
    const ts = String(Date.now() - agedMs)
    const requestId = `${payment.id}`.padStart(12, '0').replace(/^/, 'bb56a2f1-6aae-46ac-982e-')
    const manifest = `id:${payment.id};request-id:${requestId};ts:${ts};`
    const v1 = createHmac('sha256', forged ? 'a different secret' : secret)
      .update(manifest)
      .digest('hex')
    return {
      method: 'POST',
      url: `https://rides.example/pay/mercadopago/webhook?data.id=${payment.id}&type=payment`,
      headers: {
        'content-type': 'application/json',
        'x-signature': `ts=${ts},v1=${v1}`,
        'x-request-id': requestId,
      },
      body: JSON.stringify({
        id: payment.id + 1,
        type: 'payment',
        action: 'payment.updated',
        live_mode: false,
        data: { id: String(payment.id) },
      }),
    }
  }

  const server = await startDoubleServer(
    (request) => (request.url.pathname === '/checkout/v1/redirect' ? browse(request) : ask(request)),
    () => double.isDown,
  )
  const double: MercadopagoDouble = {
    environment: {
      MERCADOPAGO_ACCESS_TOKEN: accessToken,
      MERCADOPAGO_WEBHOOK_SECRET: secret,
      MERCADOPAGO_SITE: 'MLU',
      MERCADOPAGO_URL: server.origin,
    },
    sample: { currency: 'UYU', amount: 2_505_000 },
    nextPayment: 'approved',
    nextRefund: 'approved',
    searchLags: false,
    isDown: false,
    request(reference) {
      const found = preferences.find((one) => one.request.external_reference === reference)
      if (!found) throw new Error(`no preference of ${reference}`)
      return found.request
    },
    async pay(step, action) {
      if (step.kind !== 'redirect') throw new Error('Mercado Pago redirects')
      const preference = preferences.find((one) => one.id === new URL(step.url).searchParams.get('pref_id'))
      if (!preference || isOver(preference)) throw new Error('This link is not available.')
      if (action === 'leave') return {}
      const payment = tryToPay(preference, action === 'approve' ? double.nextPayment : 'rejected')
      return { back: { method: 'GET', url: back(preference, payment), headers: {}, body: '' } }
    },
    webhook: async (reference, falsified = {}) => {
      const sent = message(find(reference), falsified)
      if (falsified.amount === undefined && falsified.currency === undefined) return sent
      const url = new URL(sent.url)
      url.searchParams.set('data.id', String(find(reference).id + 1))
      return { ...sent, url: url.href }
    },
    falsify(reference, { amount, currency }) {
      const payment = find(reference)
      if (amount !== undefined) payment.transaction_amount = amount / 10_000
      if (currency !== undefined) payment.currency_id = currency
    },
    endRefunds(state) {
      for (const one of payments.flatMap(({ refunds }) => refunds)) {
        if (one.status === 'in_process') one.status = state === 'done' ? 'approved' : 'rejected'
      }
    },
    reverse(reference, kind, amount) {
      const payment = find(reference)
      if (kind === 'chargeback') Object.assign(payment, { status: 'charged_back', dispute: 'in_process' })
      else payment.refunds.push({ id: (lastId += 1), amount: amount / 10_000, status: 'approved' })
    },
    endDispute(reference, outcome) {
      find(reference).dispute = outcome === 'won' ? 'reimbursed' : 'settled'
    },
    reversalMessage: (reference) => message(find(reference), {}),
    refunded: (reference) => refundedSum(paymentsOf(reference).flatMap((one) => one.refunds)),
    captures: (reference) =>
      paymentsOf(reference).filter(({ status }) => status === 'approved' || status === 'refunded').length,
    close: () => server.close(),
  }
  return double
}
