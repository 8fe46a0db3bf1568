import { createHmac } from 'node:crypto'
import type { ProviderDouble, SentMessage } from './double.ts'
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
  accessCode: string
  reference: string
  /** Hundredths. */
  amount: number
  currency: string
  callbackUrl: string
  status: 'abandoned' | 'success' | 'failed'
  captures: number
}

interface Refund {
  id: number
  transaction: number
  amount: number
  status: 'pending' | 'processed' | 'failed'
}

const secretKey = 'sk_test_0123456789abcdef0123456789abcdef01234567'
/** One hundredth of a unit in 10^-4 units. */
const hundredth = 100

/** A local Paystack: its hosted page, its API, and signed messages. The payer bears a fee of 1.50. */
export async function startPaystack(): Promise<ProviderDouble> {
  const transactions = new Map<string, Transaction>()
  const refunds: Refund[] = []
  let lastId = 2_000_000_000

  const byReference = (reference: string) => {
    const one = transactions.get(reference)
    if (!one) throw new Refusal(400, 'Transaction reference not found.')
    return one
  }
  const toJson = (one: Transaction) => ({
    id: one.id,
    domain: 'test',
    status: one.status,
    reference: one.reference,
    amount: one.amount + 150,
    requested_amount: one.amount,
    currency: one.currency,
    channel: 'card',
    fees: 150,
  })
  const success = (data: unknown) => asJson({ status: true, message: 'done', data })
  const refundsOf = (id: number) => refunds.filter((one) => one.transaction === id)

  function initialize({ body }: DoubleRequest): DoubleResponse {
    const params = JSON.parse(body)
    if (!Number.isInteger(params.amount) || params.amount <= 0) throw new Refusal(400, 'Invalid Amount Sent')
    if (!/^\S+@\S+$/.test(params.email ?? '')) throw new Refusal(400, 'Invalid Email Address Passed')
    if (!/^[\w.=-]+$/.test(params.reference ?? '')) throw new Refusal(400, 'Invalid reference')
    if (transactions.has(params.reference)) throw new Refusal(400, 'Duplicate Transaction Reference')
    lastId += 1
    const accessCode = `code${lastId}`
    transactions.set(params.reference, {
      id: lastId,
      accessCode,
      reference: params.reference,
      amount: params.amount,
      currency: params.currency ?? 'NGN',
      callbackUrl: params.callback_url,
      status: 'abandoned',
      captures: 0,
    })
    const { reference } = params
    return success({
      authorization_url: `${server.origin}/pay/${accessCode}`,
      access_code: accessCode,
      reference,
    })
  }

  /** The URL for the browser after the payer's decision. */
  function decide(one: Transaction, decision: 'approve' | 'decline'): string {
    if (one.status !== 'success') {
      one.status = decision === 'approve' ? 'success' : 'failed'
      if (decision === 'approve') one.captures += 1
    }
    const back = new URL(one.callbackUrl)
    back.searchParams.set('trxref', one.reference)
    back.searchParams.set('reference', one.reference)
    return back.href
  }

  function refund(params: { transaction: string; amount?: number; currency?: string }): DoubleResponse {
    const one = [...transactions.values()].find(
      ({ id, reference }) => String(id) === params.transaction || reference === params.transaction,
    )
    if (one?.status !== 'success') throw new Refusal(400, 'Transaction has not been paid')
    const amount = params.amount ?? one.amount
    const before = refundsOf(one.id).reduce(
      (sum, each) => sum + (each.status === 'failed' ? 0 : each.amount),
      0,
    )
    if (!Number.isInteger(amount) || before + amount > one.amount)
      throw new Refusal(400, 'Refund is too large')
    if (params.currency !== undefined && params.currency !== one.currency) throw new Refusal(400, 'currency')
    lastId += 1
    const made: Refund = { id: lastId, transaction: one.id, amount, status: 'pending' }
    refunds.push(made)
    return success(made)
  }

  function answerApi(request: DoubleRequest): DoubleResponse {
    if (request.headers.authorization !== `Bearer ${secretKey}`) throw new Refusal(401, 'Invalid key')
    const { pathname, searchParams } = request.url
    if (request.route === 'POST /transaction/initialize') return initialize(request)
    if (request.route === 'POST /refund') return refund(JSON.parse(request.body))
    if (request.route === 'GET /refund') return success(refundsOf(Number(searchParams.get('transaction'))))
    const verified = /^\/transaction\/verify\/(.+)$/.exec(pathname)?.[1]
    if (verified !== undefined) return success(toJson(byReference(decodeURIComponent(verified))))
    const made = refunds.find((one) => pathname === `/refund/${one.id}`)
    if (made) return success(made)
    throw new Refusal(404, 'unknown')
  }

  const byCode = (code: string | undefined) =>
    [...transactions.values()].find(({ accessCode }) => accessCode === code)

  function answer(request: DoubleRequest): DoubleResponse {
    const code = /^\/pay\/(\w+)$/.exec(request.url.pathname)?.[1]
    if (code === undefined) return answerApi(request)
    const one = byCode(code)
    if (!one) throw new Refusal(404, 'unknown')
    if (request.route.startsWith('POST')) {
      const decision = request.form.get('decision') === 'approve' ? 'approve' : 'decline'
      return { body: '', location: decide(one, decision) }
    }
    return decisionPage('Paystack', {
      reference: one.reference,
      text: `${one.currency} ${(one.amount / 100).toFixed(2)} · ${one.reference}`,
      action: request.url.pathname,
    })
  }

  const signed = (one: Transaction, body: string, key = secretKey): SentMessage => ({
    method: 'POST',
    url: new URL('/pay/paystack/webhook', one.callbackUrl).href,
    headers: {
      'Content-Type': 'application/json',
      'X-Paystack-Signature': createHmac('sha512', key).update(body).digest('hex'),
    },
    body,
  })

  const double: Omit<ProviderDouble, 'environment' | 'close'> = {
    sample: { currency: 'NGN', amount: 15_000_000 },
    pay: async (step, action) => {
      if (step.kind !== 'redirect') throw new Error('a redirect')
      const one = byCode(new URL(step.url).pathname.split('/').at(-1))
      if (!one) throw new Error('unknown')
      if (action === 'leave') return {}
      return { back: { method: 'GET', url: decide(one, action), headers: {}, body: '' } }
    },
    webhook: async (reference, falsified = {}) => {
      const one = byReference(reference)
      const data = toJson({
        ...one,
        ...(falsified.amount === undefined ? {} : { amount: falsified.amount / hundredth }),
        ...(falsified.currency === undefined ? {} : { currency: falsified.currency }),
      })
      const body = JSON.stringify({ event: 'charge.success', data })
      return signed(one, body, falsified.forged ? 'sk_test_of_another_account' : secretKey)
    },
    falsify: (reference, { amount, currency }) => {
      const one = byReference(reference)
      if (amount !== undefined) one.amount = amount / hundredth
      if (currency !== undefined) one.currency = currency
    },
    endRefunds: (state) => {
      for (const one of refunds) {
        if (one.status === 'pending') one.status = state === 'done' ? 'processed' : 'failed'
      }
    },
    reverse: (reference, _kind, amount) => {
      lastId += 1
      const { id: transaction } = byReference(reference)
      refunds.push({ id: lastId, transaction, amount: amount / hundredth, status: 'processed' })
    },
    reversalMessage: (reference) => {
      const made = refundsOf(byReference(reference).id).at(-1)
      const data = { transaction_reference: reference, status: 'processed', amount: made?.amount }
      return signed(byReference(reference), JSON.stringify({ event: 'refund.processed', data }))
    },
    refunded: (reference) =>
      refundsOf(byReference(reference).id)
        .filter(({ status }) => status === 'processed')
        .reduce((sum, { amount }) => sum + amount * hundredth, 0),
    captures: (reference) => transactions.get(reference)?.captures ?? 0,
    isDown: false,
  }
  const server = await startDoubleServer(answer, () => double.isDown)
  const environment = { PAYSTACK_URL: server.origin, PAYSTACK_SECRET_KEY: secretKey }
  return Object.assign(double, { environment, close: server.close })
}
