import type { ProviderDouble } from './double.ts'
import {
  asJson,
  type DoubleRequest,
  type DoubleResponse,
  decisionPage,
  Refusal,
  startDoubleServer,
} from './double-server.ts'

interface Transaction {
  id: number
  reference: string
  /** Currency units. */
  amount: number
  currency: string
  redirectUrl: string
  state: 'open' | 'successful' | 'failed'
  captures: number
}

interface Refund {
  id: number
  tx_id: number
  amount_refunded: number
  status: 'completed' | 'pending' | 'failed'
}

const secretKey = 'FLWSECK_TEST-0123456789abcdef-X'
const secretHash = 'hash-typed-into-the-dashboard'
const scale = 10_000

/** A local Flutterwave, version 3: its hosted page, its API, and messages with the secret hash. */
export async function startFlutterwave(): Promise<ProviderDouble> {
  const transactions = new Map<string, Transaction>()
  const refunds: Refund[] = []
  let lastId = 4_000_000

  const byReference = (reference: string) => {
    const one = transactions.get(reference)
    if (!one) throw new Refusal(404, 'No transaction was found for this id')
    return one
  }
  const byId = (id: number) => {
    const one = [...transactions.values()].find((each) => each.id === id && each.state !== 'open')
    if (!one) throw new Refusal(404, 'No transaction was found for this id')
    return one
  }
  const toJson = (one: Transaction) => ({
    id: one.id,
    tx_ref: one.reference,
    flw_ref: `FLW-MOCK-${one.id}`,
    amount: one.amount,
    currency: one.currency,
    charged_amount: one.amount,
    app_fee: 1.4,
    status: one.state,
    payment_type: 'card',
  })
  const refundedOf = (id: number) =>
    refunds
      .filter((one) => one.tx_id === id && one.status !== 'failed')
      .reduce((sum, one) => sum + one.amount_refunded, 0)

  function create({ body }: DoubleRequest): DoubleResponse {
    const params = JSON.parse(body)
    if (typeof params.amount !== 'number' || params.amount <= 0) throw new Refusal(400, 'amount is required')
    if (!/^\S+@\S+$/.test(params.customer?.email ?? '')) throw new Refusal(400, 'customer.email is required')
    if (typeof params.tx_ref !== 'string' || params.tx_ref === '')
      throw new Refusal(400, 'tx_ref is required')
    const known = transactions.get(params.tx_ref)
    if (known && known.state !== 'open') throw new Refusal(400, 'tx_ref was used')
    lastId += 1
    transactions.set(params.tx_ref, {
      id: lastId,
      reference: params.tx_ref,
      amount: params.amount,
      currency: params.currency ?? 'NGN',
      redirectUrl: params.redirect_url,
      state: 'open',
      captures: 0,
    })
    const link = `${server.origin}/v3/hosted/pay/${encodeURIComponent(params.tx_ref)}`
    return asJson({ status: 'success', message: 'Hosted Link', data: { link } })
  }

  /** The URL for the browser after the payer's decision. */
  function decide(reference: string, decision: 'approve' | 'decline'): string {
    const one = byReference(reference)
    if (one.state === 'open' || one.state === 'failed') {
      one.state = decision === 'approve' ? 'successful' : 'failed'
      if (decision === 'approve') one.captures += 1
    }
    const back = new URL(one.redirectUrl)
    back.searchParams.set('status', one.state)
    back.searchParams.set('tx_ref', reference)
    back.searchParams.set('transaction_id', String(one.id))
    return back.href
  }

  function refund(id: number, params: { amount?: number }): DoubleResponse {
    const one = byId(id)
    if (one.state !== 'successful') throw new Refusal(400, 'Transaction is not successful')
    const amount = params.amount ?? one.amount
    if (amount <= 0 || refundedOf(id) + amount > one.amount)
      throw new Refusal(400, 'Refund is more than paid')
    lastId += 1
    const made: Refund = { id: lastId, tx_id: id, amount_refunded: amount, status: 'pending' }
    refunds.push(made)
    return asJson({ status: 'success', message: 'Transaction refund initiated', data: made })
  }

  function answerApi(request: DoubleRequest): DoubleResponse {
    if (request.headers.authorization !== `Bearer ${secretKey}`) throw new Refusal(401, 'Invalid key')
    const { pathname, searchParams } = request.url
    const success = (data: unknown) => asJson({ status: 'success', message: 'fetched', data })
    if (request.route === 'POST /v3/payments') return create(request)
    if (request.route === 'GET /v3/transactions/verify_by_reference') {
      const one = byReference(searchParams.get('tx_ref') ?? '')
      if (one.state === 'open') throw new Refusal(404, 'No transaction was found for this id')
      return success(toJson(one))
    }
    if (request.route === 'GET /v3/refunds') {
      const page = Number(searchParams.get('page') ?? 1)
      const page_info = {
        total: refunds.length,
        current_page: page,
        total_pages: Math.ceil(refunds.length / 10),
      }
      const data = refunds.toReversed().slice((page - 1) * 10, page * 10)
      return asJson({ status: 'success', message: 'fetched', meta: { page_info }, data })
    }
    const [, kind, id = '', verb] = /^\/v3\/(transactions|refunds)\/(\d+)(?:\/(\w+))?$/.exec(pathname) ?? []
    if (kind === 'transactions' && verb === 'verify') return success(toJson(byId(Number(id))))
    if (kind === 'transactions' && verb === 'refund') return refund(Number(id), JSON.parse(request.body))
    const made = refunds.find((one) => kind === 'refunds' && one.id === Number(id))
    if (made) return success(made)
    throw new Refusal(404, 'unknown')
  }

  function answer(request: DoubleRequest): DoubleResponse {
    const reference = /^\/v3\/hosted\/pay\/(.+)$/.exec(request.url.pathname)?.[1]
    if (reference === undefined) return answerApi(request)
    const one = byReference(decodeURIComponent(reference))
    if (request.route.startsWith('POST')) {
      const decision = request.form.get('decision') === 'approve' ? 'approve' : 'decline'
      return { body: '', location: decide(one.reference, decision) }
    }
    const { pathname: action } = request.url
    return decisionPage('Flutterwave', {
      reference: one.reference,
      text: `${one.currency} ${one.amount} · ${one.reference}`,
      action,
    })
  }

  const double: Omit<ProviderDouble, 'environment' | 'close'> = {
    sample: { currency: 'NGN', amount: 1500 * scale },
    pay: async (step, action) => {
      if (step.kind !== 'redirect') throw new Error('a redirect')
      const reference = decodeURIComponent(new URL(step.url).pathname.split('/').at(-1) ?? '')
      if (action === 'leave') return {}
      return { back: { method: 'GET', url: decide(reference, action), headers: {}, body: '' } }
    },
    webhook: async (reference, falsified = {}) => {
      const one = byReference(reference)
      const data = {
        ...toJson(one),
        ...(falsified.amount === undefined ? {} : { amount: falsified.amount / scale }),
        ...(falsified.currency === undefined ? {} : { currency: falsified.currency }),
      }
      const hash = falsified.forged ? 'some-other-hash-of-32-characters' : secretHash
      return {
        method: 'POST',
        url: new URL('/pay/flutterwave/webhook', one.redirectUrl).href,
        headers: { 'Content-Type': 'application/json', 'verif-hash': hash },
        body: JSON.stringify({ event: 'charge.completed', data }),
      }
    },
    falsify: (reference, { amount, currency }) => {
      const one = byReference(reference)
      if (amount !== undefined) one.amount = amount / scale
      if (currency !== undefined) one.currency = currency
    },
    endRefunds: (state) => {
      for (const one of refunds) {
        if (one.status === 'pending') one.status = state === 'done' ? 'completed' : 'failed'
      }
    },
    reverse: (reference, _kind, amount) => {
      lastId += 1
      const { id: tx_id } = byReference(reference)
      refunds.push({ id: lastId, tx_id, amount_refunded: amount / scale, status: 'completed' })
    },
    refunded: (reference) =>
      refunds
        .filter((one) => one.tx_id === byReference(reference).id && one.status === 'completed')
        .reduce((sum, one) => sum + one.amount_refunded * scale, 0),
    captures: (reference) => transactions.get(reference)?.captures ?? 0,
    isDown: false,
  }
  const server = await startDoubleServer(answer, () => double.isDown)
  const environment = { FLW_URL: server.origin, FLW_SECRET_KEY: secretKey, FLW_SECRET_HASH: secretHash }
  return Object.assign(double, { environment, close: server.close })
}
