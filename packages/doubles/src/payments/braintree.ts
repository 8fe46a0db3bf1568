import { createHash, createHmac, randomBytes } from 'node:crypto'
import type { ProviderDouble, SentMessage } from './double.ts'
import { type DoubleRequest, type DoubleResponse, Refusal, startDoubleServer } from './double-server.ts'

type Status = 'submitted_for_settlement' | 'settled' | 'voided' | 'processor_declined' | 'settlement_declined'

interface Transaction {
  id: string
  type: 'sale' | 'credit'
  status: Status
  /** Currency units, two decimals. */
  amount: string
  currency: string
  orderId: string
  merchantAccountId: string
  refundedId: string | null
  disputes: { id: string; amount: string; status: 'open' | 'won' | 'lost' }[]
}

const merchantId = 'integration_merchant_id'
const publicKey = 'integration_public_key'
const privateKey = 'integration_private_key'
const accounts: Record<string, string> = { account_usd: 'USD', account_eur: 'EUR' }
const scale = 10_000

/** A double of Braintree. The real card form only comes from the vendor, so the double issues nonces itself. */
export interface BraintreeDouble extends ProviderDouble {
  /** A nonce as from the card form's iframes; can be used once. */
  nonce(card: 'good' | 'declined'): string
  /** Settles the day's payments: from now on they are refunded instead of voided. */
  endDay(reference: string): void
}

/** A local Braintree gateway: client tokens, sales, search, voids, refunds, and signed messages. */
export async function startBraintree(): Promise<BraintreeDouble> {
  const transactions: Transaction[] = []
  const nonces = new Map<string, 'good' | 'declined'>()
  const requestKeys = new Map<string, Transaction>()

  const answerXml = (name: string, value: XmlValue, status = 200): DoubleResponse => ({
    status,
    type: 'application/xml',
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${xml(name, value)}`,
  })
  const refundsOf = (id: string) => transactions.filter(({ refundedId }) => refundedId === id)
  const disputeXml = ({ id, amount, status }: Transaction['disputes'][number]): XmlValue => ({
    id,
    status,
    kind: 'chargeback',
    'amount-disputed': amount,
    'amount-won': status === 'won' ? amount : '0.00',
  })
  const transactionXml = (one: Transaction): XmlValue => ({
    id: one.id,
    status: one.status,
    type: one.type,
    'currency-iso-code': one.currency,
    amount: one.amount,
    'merchant-account-id': one.merchantAccountId,
    'order-id': one.orderId,
    'refunded-transaction-id': one.refundedId,
    'refund-ids': { type: 'array', name: 'item', items: refundsOf(one.id).map(({ id }) => id) },
    'credit-card': { bin: '411111', 'last-4': '1111' },
    disputes: { type: 'array', name: 'dispute', items: one.disputes.map(disputeXml) },
    'status-history': { type: 'array', name: 'status-event', items: [] },
  })
  const refused = (message: string, code: string, transaction?: Transaction): DoubleResponse =>
    answerXml(
      'api-error-response',
      {
        errors: {
          errors: { type: 'array', name: 'error', items: [] },
          transaction: {
            errors: { type: 'array', name: 'error', items: [{ code, attribute: 'base', message }] },
          },
        },
        message,
        ...(transaction ? { transaction: transactionXml(transaction) } : {}),
      },
      422,
    )
  const byId = (id: string) => {
    const one = transactions.find((each) => each.id === id)
    if (!one) throw new Refusal(404, 'not found')
    return one
  }
  const good = (reference: string) =>
    transactions.find(
      ({ orderId, type, status }) =>
        orderId === reference && type === 'sale' && status !== 'processor_declined',
    )
  const byReference = (reference: string) => {
    const one = good(reference)
    if (!one) throw new Error(`no sale for ${reference}`)
    return one
  }

  function keep(part: Omit<Transaction, 'id'>): Transaction {
    const one = { ...part, id: randomBytes(4).toString('hex') }
    transactions.push(one)
    return one
  }

  function sale(
    params: Record<string, string> & { options?: { submit_for_settlement?: boolean } },
  ): DoubleResponse {
    const before = requestKeys.get(params.api_request_key ?? '')
    if (before) return answerXml('transaction', transactionXml(before), 201)
    const nonce = params.payment_method_nonce ?? ''
    const card = nonces.get(nonce)
    const currency = accounts[params.merchant_account_id ?? '']
    if (currency === undefined) return refused('Merchant account ID is invalid.', '91513')
    if (!/^\d+\.\d{2}$/.test(params.amount ?? '')) return refused('Amount is an invalid format.', '81503')
    if (card === undefined) return refused('Unknown or expired payment_method_nonce.', '91565')
    if (params.options?.submit_for_settlement !== true) return refused('The double only supports sales.', '0')
    nonces.delete(nonce)
    const { amount = '', order_id: orderId = '', merchant_account_id: merchantAccountId = '' } = params
    const status = card === 'good' ? 'submitted_for_settlement' : 'processor_declined'
    const made = keep({
      type: 'sale',
      status,
      amount,
      currency,
      orderId,
      merchantAccountId,
      refundedId: null,
      disputes: [],
    })
    if (card === 'declined') return refused('Insufficient Funds', '2001', made)
    if (params.api_request_key) requestKeys.set(params.api_request_key, made)
    return answerXml('transaction', transactionXml(made), 201)
  }

  function refund(one: Transaction, params: { amount?: string; order_id?: string }): DoubleResponse {
    if (one.status !== 'settled') return refused('Cannot refund a transaction unless it is settled.', '91506')
    const refunded = refundsOf(one.id).reduce((sum, each) => sum + Number(each.amount), 0)
    const amount = params.amount ?? one.amount
    if (refunded + Number(amount) > Number(one.amount)) return refused('Refund amount is too large.', '91521')
    const made = keep({
      ...one,
      type: 'credit',
      status: 'submitted_for_settlement',
      amount,
      orderId: params.order_id ?? '',
      refundedId: one.id,
      disputes: [],
    })
    return answerXml('transaction', transactionXml(made), 201)
  }

  function search(params: { order_id?: { is?: string }; ids?: string[] }): Transaction[] {
    return transactions.filter(
      (one) =>
        (params.order_id?.is === undefined || one.orderId === params.order_id.is) &&
        (params.ids === undefined || params.ids.includes(one.id)),
    )
  }

  function answer({ route, headers, body }: DoubleRequest): DoubleResponse {
    const expected = `Basic ${Buffer.from(`${publicKey}:${privateKey}`).toString('base64')}`
    if (headers.authorization !== expected) throw new Refusal(401, 'authentication')
    if (headers['x-apiversion'] !== '6') throw new Refusal(426, 'upgrade')
    const params = body === '' ? {} : JSON.parse(body)
    const base = `/merchants/${merchantId}`
    switch (route) {
      case `POST ${base}/client_token`: {
        if (accounts[params.client_token.merchant_account_id] === undefined) {
          return refused('Merchant account ID is invalid.', '92807')
        }
        return answerXml('client-token', { value: clientToken(server.origin) }, 201)
      }
      case `POST ${base}/transactions`:
        return sale(params.transaction)
      case `POST ${base}/transactions/advanced_search_ids`: {
        const items = search(params.search).map(({ id }) => id)
        return answerXml('search-results', { 'page-size': 50, ids: { type: 'array', name: 'item', items } })
      }
      case `POST ${base}/transactions/advanced_search`: {
        const items = search(params.search).map(transactionXml)
        const beside = { 'current-page-number': 1, 'page-size': 50, 'total-items': items.length }
        return answerXml('credit-card-transactions', {
          type: 'collection',
          name: 'transaction',
          items,
          siblings: beside,
        })
      }
    }
    const [, id = '', verb] = new RegExp(`${base}/transactions/(\\w+)(?:/(\\w+))?$`).exec(route) ?? []
    const one = byId(id)
    if (verb === 'refund') return refund(one, params.transaction)
    if (verb === 'void') {
      if (one.status !== 'submitted_for_settlement')
        return refused('Transaction can only be voided…', '91504')
      one.status = 'voided'
    }
    return answerXml('transaction', transactionXml(one))
  }

  const newNonce = (card: 'good' | 'declined') => {
    const nonce = `tokencc_${randomBytes(8).toString('hex')}`
    nonces.set(nonce, card)
    return nonce
  }

  const notice = (kind: string, subject: XmlValue, forged = false): SentMessage => {
    const content = xml('notification', { timestamp: '2026-11-21T20:00:00Z', kind, subject })
    const payload = `${Buffer.from(content).toString('base64')}\n`
    const key = createHash('sha1')
      .update(forged ? 'another_private_key' : privateKey)
      .digest()
    const signature = `${publicKey}|${createHmac('sha1', key).update(payload).digest('hex')}`
    return {
      method: 'POST',
      url: 'https://rides.example/pay/braintree/webhook',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ bt_signature: signature, bt_payload: payload }).toString(),
    }
  }

  const double: Omit<BraintreeDouble, 'environment' | 'close'> = {
    sample: { currency: 'USD', amount: 240_000 },
    nonce: newNonce,
    endDay: (reference) => {
      byReference(reference).status = 'settled'
    },
    pay: async (step, action) => {
      if (step.kind !== 'page' || !step.data.clientToken) throw new Error('a page with a client token')
      return action === 'leave'
        ? {}
        : { complete: { nonce: newNonce(action === 'approve' ? 'good' : 'declined') } }
    },
    webhook: async (reference, { amount, currency, forged } = {}) => {
      const one = {
        ...byReference(reference),
        ...(amount === undefined ? {} : { amount: (amount / scale).toFixed(2) }),
        ...(currency === undefined ? {} : { currency }),
      }
      return notice('transaction_settled', { transaction: transactionXml(one) }, forged)
    },
    falsify: (reference, { amount, currency }) => {
      const one = byReference(reference)
      if (amount !== undefined) one.amount = (amount / scale).toFixed(2)
      if (currency !== undefined) one.currency = currency
    },
    endRefunds: (state) => {
      for (const one of transactions) {
        if (one.type !== 'credit' || one.status !== 'submitted_for_settlement') continue
        one.status = state === 'done' ? 'settled' : 'settlement_declined'
      }
    },
    reverse: (reference, kind, amount) => {
      const one = byReference(reference)
      const text = (amount / scale).toFixed(2)
      if (kind === 'refund')
        keep({ ...one, type: 'credit', status: 'settled', amount: text, refundedId: one.id, disputes: [] })
      else one.disputes.push({ id: `dispute${one.disputes.length}`, amount: text, status: 'open' })
    },
    endDispute: (reference, outcome) => {
      const dispute = byReference(reference).disputes.at(-1)
      if (dispute) dispute.status = outcome
    },
    reversalMessage: (reference) => {
      const { id, amount } = byReference(reference)
      const dispute = { id: 'dispute0', status: 'open', kind: 'chargeback', 'amount-disputed': amount }
      return notice('dispute_opened', { dispute: { ...dispute, transaction: { id, amount } } })
    },
    refunded: (reference) => {
      const one = byReference(reference)
      const refunds =
        one.status === 'voided' ? [one] : refundsOf(one.id).filter(({ status }) => status === 'settled')
      return refunds.reduce((sum, { amount }) => sum + Math.round(Number(amount) * scale), 0)
    },
    captures: (reference) =>
      transactions.filter(
        ({ orderId, type, status }) =>
          orderId === reference && type === 'sale' && status !== 'processor_declined',
      ).length,
    isDown: false,
  }
  const server = await startDoubleServer(answer, () => double.isDown)
  const environment = {
    BRAINTREE_URL: server.origin,
    BRAINTREE_ENV: 'sandbox',
    BRAINTREE_MERCHANT_ID: merchantId,
    BRAINTREE_PUBLIC_KEY: publicKey,
    BRAINTREE_PRIVATE_KEY: privateKey,
    BRAINTREE_MERCHANT_ACCOUNT_USD: 'account_usd',
    BRAINTREE_MERCHANT_ACCOUNT_EUR: 'account_eur',
  }
  return Object.assign(double, { environment, close: server.close })
}

/** The client token for the browser: base64 of JSON, version 2. */
function clientToken(origin: string): string {
  const content = {
    version: 2,
    environment: 'sandbox',
    authorizationFingerprint: randomBytes(16).toString('hex'),
    configUrl: `${origin}/merchants/${merchantId}/client_api/v1/configuration`,
    merchantId,
  }
  return Buffer.from(JSON.stringify(content)).toString('base64')
}

/** A value of the gateway's XML: text, a list of named values, or an object. */
type XmlValue = string | number | boolean | null | { [name: string]: XmlValue } | XmlList

interface XmlList {
  type: 'array' | 'collection'
  /** Element name of the entries. */
  name: string
  items: XmlValue[]
  /** Sibling elements of a collection's entries. */
  siblings?: Record<string, XmlValue>
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const isList = (value: object): value is XmlList => 'items' in value && Array.isArray(value.items)

/** One element in the gateway's format: dashed names, types as attributes. */
function xml(name: string, value: XmlValue): string {
  if (value === null) return `<${name} nil="true"/>`
  if (typeof value === 'boolean') return `<${name} type="boolean">${value}</${name}>`
  if (typeof value === 'number') return `<${name} type="integer">${value}</${name}>`
  if (typeof value === 'string') return `<${name}>${escaped(value)}</${name}>`
  if (!isList(value)) {
    const parts = Object.entries(value).map(([part, one]) => xml(part, one))
    return `<${name}>${parts.join('')}</${name}>`
  }
  const beside = Object.entries(value.siblings ?? {}).map(([part, one]) => xml(part, one))
  const items = value.items.map((item) => xml(value.name, item))
  return `<${name} type="${value.type}">${[...beside, ...items].join('')}</${name}>`
}
