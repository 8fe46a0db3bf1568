import { type MercadopagoDouble, startMercadopago } from '@hansom/doubles/payments/mercadopago'
import { afterEach, describe, expect, test } from 'vitest'
import { incoming, paymentsSuite } from '../payments.suite.ts'
import type { Checkout, StartedPayment } from '../port.ts'
import { mercadopagoPayments } from './mercadopago.ts'
import { mercadopagoVariables } from './options.ts'
import { keyOf } from './refunds.ts'
import { manifestOf, signatureOf, signedAt } from './webhook.ts'

const openAt = (double: MercadopagoDouble, change: Record<string, string> = {}) =>
  mercadopagoPayments(mercadopagoVariables.schema.parse({ ...double.environment, ...change }))

paymentsSuite('mercadopago', async () => {
  const double = await startMercadopago()
  return { double, provider: openAt(double) }
})

describe('notification signature', () => {
  const secret = 'v1-test-secret-not-a-real-key'
  const parts = { dataId: '123456', requestId: 'bb56a2f1-6aae-46ac-982e-9dcd3581d08e' }
  const known = '85aaea44adced84bf23e95db43da124f818caad473052e8d0ecd46c5319c231e'

  test('known values -> known signature', () => {
    const manifest = 'id:123456;request-id:bb56a2f1-6aae-46ac-982e-9dcd3581d08e;ts:1742505638683;'
    expect(manifestOf(parts, '1742505638683')).toBe(manifest)
    expect(signatureOf(manifest, secret)).toBe(known)
    expect(signedAt(`ts=1742505638683,v1=${known}`, parts, secret)).toBe(1_742_505_638_683)
    expect(signedAt(` ts=1742505638683, v1=${known} `, parts, secret)).toBe(1_742_505_638_683)
  })

  test('empty part -> left out; id -> signed in lower case', () => {
    expect(manifestOf({ dataId: 'ORD01JQ4S', requestId: null }, '1')).toBe('id:ord01jq4s;ts:1;')
    expect(manifestOf({ dataId: null, requestId: 'r' }, '1')).toBe('request-id:r;ts:1;')
  })

  test('ten-digit timestamp -> seconds, signed as received', () => {
    const value = signatureOf(manifestOf(parts, '1742505638'), secret)
    expect(signedAt(`ts=1742505638,v1=${value}`, parts, secret)).toBe(1_742_505_638_000)
  })

  test.each([
    ['another payment', `ts=1742505638683,v1=${known}`, { ...parts, dataId: '123457' }, secret],
    ['another request', `ts=1742505638683,v1=${known}`, { ...parts, requestId: null }, secret],
    ['another time', `ts=1742505638684,v1=${known}`, parts, secret],
    ['another secret', `ts=1742505638683,v1=${known}`, parts, `${secret}x`],
    ['no secret', `ts=1742505638683,v1=${known}`, parts, ''],
    ['a shorter value', `ts=1742505638683,v1=${known.slice(1)}`, parts, secret],
    ['no value', 'ts=1742505638683', parts, secret],
    ['no time', `v1=${known}`, parts, secret],
    ['nothing', '', parts, secret],
  ])('%s -> refused', (_name, header, signed, key) => {
    expect(signedAt(header, signed, key)).toBeNull()
  })
})

test('idempotency key -> a UUID per id', () => {
  expect(keyOf('K7M2PQ-1-r1')).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
  expect(keyOf('K7M2PQ-1-r1')).toBe(keyOf('K7M2PQ-1-r1'))
  expect(keyOf('K7M2PQ-1-r1')).not.toBe(keyOf('K7M2PQ-1-r2'))
})

const checkout: Checkout = {
  reference: 'K7M2PQ-1',
  amount: 2_505_000,
  currency: 'UYU',
  description: 'Trip K7M2PQ',
  payer: {
    id: 'rider',
    firstName: 'Ana',
    lastName: 'Silva',
    email: 'ana@example.com',
    phone: '+59899123456',
  },
  returnUrl: 'https://rides.example/pay/mercadopago/return/1',
  webhookUrl: 'https://rides.example/pay/mercadopago/webhook',
  locale: 'es',
}

const doubles: MercadopagoDouble[] = []
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.close()
})

async function started(change: Partial<Checkout> = {}) {
  const double = await startMercadopago()
  doubles.push(double)
  const provider = openAt(double)
  const params = { ...checkout, ...change }
  const { providerRef, step } = await provider.start(params)
  const payment: StartedPayment = { ...params, providerRef, providerId: null }
  const verify = async (providerId: string | null = null) => provider.verify?.({ ...payment, providerId })
  /** Handles the browser's return as the server does. */
  const comeBack = async (action: 'approve' | 'decline') => {
    const { back } = await double.pay(step, action)
    if (!back) throw new Error('no redirect')
    const reading = await provider.readReturn(incoming(back), payment)
    if (reading.kind !== 'back' || !reading.complete) throw new Error('refused')
    const done = await provider.complete?.(payment, reading.complete)
    if (done?.kind !== 'found') throw new Error('a challenge')
    return done.found
  }
  return { double, provider, payment, step, verify, comeBack }
}

const paid = { state: 'paid', reference: 'K7M2PQ-1', amount: 2_505_000, currency: 'UYU', live: false }

describe('preference', () => {
  test('checkout -> one item with a plain number, our reference, expires in one day', async () => {
    const { double, step, payment } = await started()
    expect(double.request('K7M2PQ-1')).toMatchObject({
      items: [{ title: 'Trip K7M2PQ', quantity: 1, unit_price: 250.5, currency_id: 'UYU' }],
      payer: { name: 'Ana', surname: 'Silva', email: 'ana@example.com', phone: { number: '+59899123456' } },
      back_urls: { success: checkout.returnUrl, pending: checkout.returnUrl, failure: checkout.returnUrl },
      auto_return: 'approved',
      external_reference: 'K7M2PQ-1',
      expires: true,
    })
    expect(step).toMatchObject({ kind: 'redirect', url: expect.stringContaining(payment.providerRef ?? '-') })
    expect(step.kind === 'redirect' && step.url).not.toContain('live')
  })

  test('return URL without TLS -> no auto_return, which Mercado Pago would reject', async () => {
    const { double } = await started({ returnUrl: 'http://127.0.0.1:8080/pay/mercadopago/return/1' })
    expect(double.request('K7M2PQ-1').auto_return).toBeUndefined()
  })

  test("takes: currency -> only the country's, integer pesos in Chile", async () => {
    const { double, provider } = await started()
    expect(provider.accepts('UYU', 10_100)).toBe(true)
    expect(provider.accepts('UYU', 10_110)).toBe(false)
    expect(provider.accepts('ARS', 10_100)).toBe(false)
    const chile = openAt(double, { MERCADOPAGO_SITE: 'MLC' })
    expect(chile.accepts('CLP', 10_000)).toBe(true)
    expect(chile.accepts('CLP', 15_000)).toBe(false)
  })
})

describe('several attempts of a payer', () => {
  test('rejected card, then a valid one -> paid once', async () => {
    const { double, step, verify } = await started()
    await double.pay(step, 'decline')
    expect(await verify()).toEqual({ state: 'pending' })
    await double.pay(step, 'approve')
    expect(await verify()).toMatchObject(paid)
    // The late notification of the rejected payment.
    expect(await verify('1300000001')).toMatchObject(paid)
  })

  test('return without payment -> failed, preference closed', async () => {
    const { double, step, payment, verify, comeBack } = await started()
    expect(await comeBack('decline')).toEqual({ state: 'failed' })
    await expect(double.pay(step, 'approve')).rejects.toThrow()
    expect(await verify()).toEqual({ state: 'pending' })
    // When the search index must be up to date.
    const options = mercadopagoVariables.schema.parse(double.environment)
    const later = (ms: number) =>
      mercadopagoPayments({ ...options, now: () => Date.now() + ms }).verify?.(payment)
    expect(await later(14 * 60_000)).toEqual({ state: 'pending' })
    expect(await later(16 * 60_000)).toEqual({ state: 'failed' })
  })

  test('return after payment while the search lags -> paid, preference closed', async () => {
    const { double, step, comeBack } = await started()
    double.searchLags = true
    expect(await comeBack('approve')).toMatchObject(paid)
    await expect(double.pay(step, 'approve')).rejects.toThrow()
  })

  test('payment under review -> pending, also on return', async () => {
    const { double, verify, comeBack } = await started()
    double.nextPayment = 'in_process'
    expect(await comeBack('approve')).toEqual({ state: 'pending' })
    expect(await verify()).toEqual({ state: 'pending' })
  })

  test('return names a payment of another reference -> ignored', async () => {
    const { double, provider, payment, step } = await started()
    const foreign = await provider.start({ ...checkout, reference: 'ANOTHR-1' })
    await double.pay(foreign.step, 'approve')
    const done = await provider.complete?.(payment, { payment: '1300000001' })
    expect(done).toEqual({ kind: 'found', found: { state: 'failed' } })
    const { back } = await double.pay(foreign.step, 'approve')
    if (!back) throw new Error('no redirect')
    expect((await provider.readReturn(incoming(back), payment)).kind).toBe('refused')
    await expect(double.pay(step, 'approve')).rejects.toThrow()
  })
})

describe('webhook', () => {
  test('payment notification -> attempt found through the API, body not trusted', async () => {
    const { double, provider, step } = await started()
    await double.pay(step, 'approve')
    const sent = incoming(await double.webhook('K7M2PQ-1'))
    const body = Buffer.from('{"data":{"id":"1"},"id":5}')
    const [first, second] = [await provider.readWebhook(sent), await provider.readWebhook({ ...sent, body })]
    expect(first).toMatchObject({ kind: 'event', event: { reference: 'K7M2PQ-1', providerId: '1300000001' } })
    expect(second).toEqual(first)
  })

  test('other topics -> ignored; old notification -> refused', async () => {
    const { double, provider, step } = await started()
    await double.pay(step, 'approve')
    const sent = incoming(await double.webhook('K7M2PQ-1'))
    const query = new URLSearchParams(sent.query)
    query.set('type', 'merchant_order')
    expect((await provider.readWebhook({ ...sent, query })).kind).toBe('ignored')
    const old = incoming(await double.webhook('K7M2PQ-1', { agedMs: 6 * 24 * 3_600_000 }))
    expect((await provider.readWebhook(old)).kind).toBe('refused')
  })

  test('API is down -> PaymentError, so that Mercado Pago retries', async () => {
    const { double, provider, step } = await started()
    await double.pay(step, 'approve')
    const sent = incoming(await double.webhook('K7M2PQ-1'))
    double.isDown = true
    await expect(provider.readWebhook(sent)).rejects.toMatchObject({ name: 'PaymentError', permanent: false })
  })
})

test('refund: takes time or lost its id -> checked until done', async () => {
  const { double, provider, payment, comeBack } = await started()
  const found = await comeBack('approve')
  double.nextRefund = 'in_process'
  const paidOne = { ...payment, providerId: 'providerId' in found ? found.providerId : null }
  const order = {
    id: 'r1',
    amount: 1_000_000,
    whole: false,
    refundedBefore: 0,
    repeated: false,
    reason: 'Asked',
  }
  expect(await provider.refund?.(paidOne, order)).toMatchObject({ state: 'pending' })
  expect(await provider.refund?.(paidOne, { ...order, repeated: true })).toMatchObject({ state: 'pending' })
  double.endRefunds?.('done')
  expect(double.refunded('K7M2PQ-1')).toBe(1_000_000)
  expect(await provider.refund?.(paidOne, { ...order, repeated: true })).toMatchObject({ state: 'done' })
  const byHand = { ...order, refundedBefore: 500_000, repeated: true }
  await expect(provider.refund?.(paidOne, byHand)).rejects.toMatchObject({
    name: 'PaymentError',
    permanent: true,
  })
  const request = { id: 'r1', amount: 1_000_000, refundedBefore: 0, providerRefundId: null }
  expect(await provider.refundState?.(paidOne, request)).toMatchObject({ state: 'done' })
  expect(double.refunded('K7M2PQ-1')).toBe(1_000_000)
  const tooMuch = await provider.refund?.(paidOne, { ...order, id: 'r2', amount: 2_000_000 })
  expect(tooMuch).toEqual({ state: 'failed', why: 'Invalid refund amount' })
})

test('wrong token -> error without the token', async () => {
  const { double, payment } = await started()
  const other = openAt(double, { MERCADOPAGO_ACCESS_TOKEN: 'TEST-no-token-of-this-account' })
  const error: unknown = await other.verify?.(payment).catch((reason: unknown) => reason)
  expect(error).toMatchObject({
    name: 'PaymentError',
    permanent: true,
    message: expect.stringContaining('401'),
  })
  expect(String(error)).not.toContain('no-token')
})
