import { randomBytes } from 'node:crypto'
import { checkoutScript, formPage, proofPage, proofScript } from './culqi-scripts.ts'
import type { ProviderDouble, SentMessage } from './double.ts'
import {
  asJson,
  type DoubleRequest,
  type DoubleResponse,
  Refusal,
  startDoubleServer,
} from './double-server.ts'

interface Charge {
  object: 'charge'
  id: string
  /** Hundredths. */
  amount: number
  currency_code: string
  email: string
  description: string
  metadata: { order_id?: string }
  outcome: { type: string; code: string }
  /** False in successful charges, as in the vendor's examples. */
  paid: false
}

const publicKey = 'pk_test_0123456789abcdef'
const secretKey = 'sk_test_fedcba9876543210'
const account = { user: 'panel-user', password: 'panel-password' }
/** One hundredth of a unit in 10^-4 units. */
const hundredth = 100
const proof = {
  eci: '05',
  xid: 'Y2FyZGluYWw=',
  cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
  protocolVersion: '2.2.0',
  directoryServerTransactionId: '88debec7-a798-46d1-bcfb-db3075fedb82',
}
const cards = { good: '4111111111111111', declined: '4000000000000008', proven: '4456530000001005' }

const newId = (prefix: string) => `${prefix}_test_${randomBytes(8).toString('hex')}`
const trouble = (status: number, type: string, message: string) =>
  asJson({ object: 'error', type, user_message: message, merchant_message: message }, status)

/** A double of Culqi; `token` creates a card's one-time token, as the form in the iframe does. */
export interface CulqiDouble extends ProviderDouble {
  token(card: 'good' | 'declined' | 'proven'): string
  /** The result of the 3-D Secure library. */
  proof: Record<string, string>
}

/** A local Culqi: scripts and iframes for the browser, tokens, charges, refunds, and messages with HTTP Basic. */
export async function startCulqi(): Promise<CulqiDouble> {
  const tokens = new Map<string, { number: string; isUsed: boolean }>()
  const charges: Charge[] = []
  const refunds: { object: 'refund'; id: string; charge_id: string; amount: number; reason: string }[] = []

  const good = (reference: string) =>
    charges.find((one) => one.metadata.order_id === reference && one.outcome.type === 'venta_exitosa')
  const byReference = (reference: string) => {
    const one = good(reference)
    if (!one) throw new Error(`no charge for ${reference}`)
    return one
  }
  const refundedOf = (id: string) =>
    refunds.filter((one) => one.charge_id === id).reduce((sum, one) => sum + one.amount, 0)

  function newToken(number: string): string {
    const id = newId('tkn')
    tokens.set(id, { number, isUsed: false })
    return id
  }

  function makeToken({ form }: DoubleRequest): DoubleResponse {
    const number = (form.get('card_number') ?? '').replace(/\s/g, '')
    if (form.get('publicKey') !== publicKey) return trouble(401, 'authentication_error', 'Llave inválida.')
    if (!/^\d{13,19}$/.test(number)) return trouble(400, 'parameter_error', 'Número de tarjeta inválido.')
    return asJson({ object: 'token', id: newToken(number), type: 'card', email: form.get('email') }, 201)
  }

  function makeCharge({ body }: DoubleRequest): DoubleResponse {
    const params = JSON.parse(body)
    const token = tokens.get(params.source_id)
    const wrong = (field: string) => trouble(400, 'parameter_error', `El parámetro ${field} es inválido.`)
    if (!token || token.isUsed) return wrong('source_id')
    if (!Number.isInteger(params.amount) || params.amount < 300 || params.amount > 999_900)
      return wrong('amount')
    if (!['PEN', 'USD'].includes(params.currency_code)) return wrong('currency_code')
    if (!/^\S+@\S+$/.test(params.email) || params.email.length > 50) return wrong('email')
    if (params.description.length < 5 || params.description.length > 80) return wrong('description')
    const needsProof = token.number === cards.proven
    if (needsProof && params.authentication_3DS === undefined) {
      return asJson({ user_message: 'Autenticación 3DS', action_code: 'REVIEW' }, 200)
    }
    if (needsProof && JSON.stringify(params.authentication_3DS) !== JSON.stringify(proof)) {
      return wrong('authentication_3DS')
    }
    token.isUsed = true
    if (token.number === cards.declined) return trouble(402, 'card_error', 'Su tarjeta no tiene fondos.')
    const made: Charge = {
      object: 'charge',
      id: newId('chr'),
      amount: params.amount,
      currency_code: params.currency_code,
      email: params.email,
      description: params.description,
      metadata: params.metadata,
      outcome: { type: 'venta_exitosa', code: 'AUT0000' },
      paid: false,
    }
    charges.unshift(made)
    return asJson(made, 201)
  }

  function makeRefund({ body }: DoubleRequest): DoubleResponse {
    const params = JSON.parse(body)
    const one = charges.find(({ id }) => id === params.charge_id)
    const isKnown = ['duplicado', 'fraudulento', 'solicitud_comprador'].includes(params.reason)
    if (!one || !isKnown || !Number.isInteger(params.amount) || params.amount <= 0) {
      return trouble(400, 'parameter_error', 'Parámetro inválido.')
    }
    if (refundedOf(one.id) + params.amount > one.amount)
      return trouble(400, 'parameter_error', 'Monto mayor.')
    const { charge_id, amount, reason } = params
    const made = { object: 'refund' as const, id: newId('ref'), charge_id, amount, reason }
    refunds.unshift(made)
    return asJson(made, 201)
  }

  function answerApi(request: DoubleRequest): DoubleResponse {
    const { pathname, searchParams } = request.url
    if (request.headers.authorization !== `Bearer ${secretKey}`) {
      return trouble(401, 'authentication_error', 'Llave inválida.')
    }
    if (request.route === 'POST /v2/charges') return makeCharge(request)
    if (request.route === 'POST /v2/refunds') return makeRefund(request)
    if (request.route === 'GET /v2/refunds') {
      const start = refunds.findIndex(({ id }) => id === searchParams.get('after')) + 1
      const data = refunds.slice(start, start + Number(searchParams.get('limit')))
      const after = start + data.length < refunds.length ? data.at(-1)?.id : undefined
      return asJson({ data, paging: { cursors: { after } } })
    }
    if (request.route === 'GET /v2/charges') {
      const [amount, currency] = [Number(searchParams.get('amount')), searchParams.get('currency_code')]
      // A falsified charge no longer has the amount it is searched by, but is listed anyway.
      const fitting = charges.filter(
        (one) => falsified.has(one.id) || (one.amount === amount && one.currency_code === currency),
      )
      return asJson({ data: fitting.slice(0, Number(searchParams.get('limit'))), paging: {} })
    }
    const one = charges.find(({ id }) => pathname === `/v2/charges/${id}`)
    return one ? asJson(one) : trouble(404, 'resource_error', 'No existe.')
  }

  const falsified = new Set<string>()

  function answer(request: DoubleRequest): DoubleResponse {
    const html = (body: string): DoubleResponse => ({ type: 'text/html; charset=utf-8', body })
    const script = (body: string): DoubleResponse => ({ type: 'text/javascript', body })
    switch (request.route) {
      case 'GET /checkout-js':
        return script(checkoutScript(server.origin))
      case 'GET /3ds':
        return script(proofScript(server.origin))
      case 'GET /checkout':
        if (request.url.searchParams.get('publicKey') !== publicKey) throw new Refusal(401, 'public key')
        return html(formPage(request.url.searchParams))
      case 'GET /proof':
        return html(proofPage(proof))
      case 'POST /tokens':
        return makeToken(request)
      default:
        return answerApi(request)
    }
  }

  const eventOf = (type: string, one: { id: string }, password = account.password): SentMessage => ({
    method: 'POST',
    url: 'https://rides.example/pay/culqi/webhook',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Basic ${Buffer.from(`${account.user}:${password}`).toString('base64')}`,
    },
    body: JSON.stringify({
      object: 'event',
      id: `evt_test_${one.id.slice(-16)}`,
      type,
      data: JSON.stringify(one),
    }),
  })

  const double: Omit<CulqiDouble, 'environment' | 'close'> = {
    sample: { currency: 'PEN', amount: 255_000 },
    proof,
    token: (card) => newToken(cards[card]),
    pay: async (step, action) => {
      if (step.kind !== 'page' || step.data.publicKey !== publicKey) throw new Error('a page with our key')
      if (action === 'leave') return {}
      const { email = '', firstName = '', lastName = '', phone = '' } = step.data
      const token = newToken(action === 'approve' ? cards.good : cards.declined)
      return { complete: { token, device: 'device-1', email, firstName, lastName, phone } }
    },
    webhook: async (reference, { amount, currency, forged } = {}) => {
      const one = {
        ...byReference(reference),
        ...(amount === undefined ? {} : { amount: amount / hundredth }),
        ...(currency === undefined ? {} : { currency_code: currency }),
      }
      const password = forged ? 'some-other-password' : account.password
      return eventOf('charge.creation.succeeded', one, password)
    },
    falsify: (reference, { amount, currency }) => {
      const one = byReference(reference)
      falsified.add(one.id)
      if (amount !== undefined) one.amount = amount / hundredth
      if (currency !== undefined) one.currency_code = currency
    },
    reverse: (reference, _kind, amount) => {
      const { id: charge_id } = byReference(reference)
      const made = { charge_id, amount: amount / hundredth, reason: 'solicitud_comprador' }
      refunds.unshift({ object: 'refund', id: newId('ref'), ...made })
    },
    reversalMessage: (reference) => {
      const made = refunds.find(({ charge_id }) => charge_id === byReference(reference).id)
      if (!made) throw new Error('nothing was refunded')
      return eventOf('refund.creation.succeeded', made)
    },
    refunded: (reference) => refundedOf(byReference(reference).id) * hundredth,
    captures: (reference) => charges.filter(({ metadata }) => metadata.order_id === reference).length,
    isDown: false,
  }
  const server = await startDoubleServer(answer, () => double.isDown)
  const environment = {
    CULQI_URL: server.origin,
    CULQI_SCRIPT_URL: `${server.origin}/checkout-js`,
    CULQI_PROOF_SCRIPT_URL: `${server.origin}/3ds`,
    CULQI_PUBLIC_KEY: publicKey,
    CULQI_SECRET_KEY: secretKey,
    CULQI_WEBHOOK_USER: account.user,
    CULQI_WEBHOOK_PASSWORD: account.password,
  }
  return Object.assign(double, { environment, close: server.close })
}
