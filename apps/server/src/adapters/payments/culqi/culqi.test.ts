import { type CulqiDouble, startCulqi } from '@hansom/doubles/payments/culqi'
import { asJson, startDoubleServer } from '@hansom/doubles/payments/double-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { incoming, paymentsSuite } from '../payments.suite.ts'
import type { PaymentProvider, StartedPayment } from '../port.ts'
import { culqiPayments, readWebhook } from './culqi.ts'
import { culqiVariables } from './options.ts'

const open = (double: CulqiDouble) => culqiPayments(culqiVariables.schema.parse(double.environment))

paymentsSuite('culqi', async () => {
  const double = await startCulqi()
  return { provider: open(double), double }
})

describe('culqi', () => {
  let double: CulqiDouble
  let provider: PaymentProvider
  let count = 0

  beforeAll(async () => {
    double = await startCulqi()
    provider = open(double)
  })
  afterAll(() => double.close())

  function newPayment(): StartedPayment {
    count += 1
    return {
      reference: `CULQI-${count}`,
      amount: 255_000,
      currency: 'PEN',
      providerRef: null,
      providerId: null,
    }
  }
  const payer = {
    email: 'rider@example.com',
    firstName: 'Ana',
    lastName: 'Quispe',
    phone: '+51999888777',
    device: 'd',
  }

  test('complete: card needs 3-D Secure -> challenge, then paid with the same token', async () => {
    const payment = newPayment()
    const token = double.token('proven')
    const first = await provider.complete?.(payment, { ...payer, token })
    expect(first).toEqual({ kind: 'challenge', data: {} })
    expect(await provider.verify?.(payment)).toEqual({ state: 'pending' })
    const second = await provider.complete?.(payment, { ...payer, token, ...double.proof })
    expect(second).toMatchObject({
      kind: 'found',
      found: { state: 'paid', amount: 255_000, currency: 'PEN', reference: payment.reference, live: false },
    })
    expect(double.captures(payment.reference)).toBe(1)
  })

  test('complete: wrong 3-D Secure result -> not paid', async () => {
    const payment = newPayment()
    const token = double.token('proven')
    const wrong = { ...payer, token, ...double.proof, cavv: 'AAAA' }
    await expect(provider.complete?.(payment, wrong)).rejects.toMatchObject({ permanent: true })
    expect(double.captures(payment.reference)).toBe(0)
  })

  test('complete: two pages with two cards at the same time -> charged once', async () => {
    const payment = newPayment()
    const inputs = [double.token('good'), double.token('good')].map((token) => ({ ...payer, token }))
    const done = await Promise.all(inputs.map(async (input) => provider.complete?.(payment, input)))
    expect(done.map((one) => one?.kind === 'found' && one.found.state)).toEqual(['paid', 'paid'])
    expect(double.captures(payment.reference)).toBe(1)
  })

  test('complete: declined card -> failed; another card afterwards -> paid', async () => {
    const payment = newPayment()
    const declined = { ...payer, token: double.token('declined') }
    expect(await provider.complete?.(payment, declined)).toEqual({
      kind: 'found',
      found: { state: 'failed' },
    })
    const good = { ...payer, token: double.token('good') }
    expect(await provider.complete?.(payment, good)).toMatchObject({ found: { state: 'paid' } })
  })

  test('complete: invalid token -> PaymentError', async () => {
    const unknown = { ...payer, token: '../refunds' }
    await expect(provider.complete?.(newPayment(), unknown)).rejects.toThrow('no card')
  })

  test('takes: amount -> only within the documented range', () => {
    expect(provider.accepts('PEN', 29_900)).toBe(false)
    expect(provider.accepts('PEN', 30_000)).toBe(true)
    expect(provider.accepts('USD', 99_990_000)).toBe(true)
    expect(provider.accepts('USD', 99_990_100)).toBe(false)
    expect(provider.accepts('EUR', 30_000)).toBe(false)
  })

  test('start: data for the page -> contains no secret', async () => {
    const started = await provider.start({
      ...newPayment(),
      description: 'Trip',
      payer: { id: '1', ...payer },
      returnUrl: 'https://rides.example/return',
      webhookUrl: 'https://rides.example/webhook',
      locale: 'es',
    })
    expect(JSON.stringify(started)).not.toContain('sk_test_')
    expect(started.step).toMatchObject({ kind: 'page', data: { amount: '2550', currency: 'PEN' } })
  })
})

test('webhook: no account configured or no password -> refused', async () => {
  const message = incoming({ method: 'POST', url: 'https://rides.example/', headers: {}, body: '{}' })
  expect(readWebhook(message, null)).toMatchObject({ kind: 'refused' })
  expect(readWebhook(message, { user: 'a', password: 'b' })).toMatchObject({ kind: 'refused' })
  const authorization = `Basic ${Buffer.from('a:b').toString('base64')}`
  const known = { ...message, headers: { authorization } }
  expect(readWebhook(known, { user: 'a', password: 'b' })).toMatchObject({ kind: 'ignored' })
  expect(readWebhook(known, { user: 'a', password: 'c' })).toMatchObject({ kind: 'refused' })
})

test('variables: keys of different modes -> rejected', () => {
  const keys = { CULQI_PUBLIC_KEY: 'pk_live_1', CULQI_SECRET_KEY: 'sk_test_1' }
  expect(culqiVariables.schema.safeParse(keys).success).toBe(false)
})

test('refund: accepted with an unknown response -> never failed', async () => {
  const server = await startDoubleServer(
    ({ route }) => asJson(route.startsWith('GET') ? { data: [] } : {}),
    () => false,
  )
  try {
    const provider = culqiPayments({
      url: server.origin,
      publicKey: 'pk_test_1',
      secretKey: 'sk_test_1',
      webhook: null,
    })
    const paid = { reference: 'R-1', amount: 300_000, currency: 'USD', providerRef: null, providerId: '7' }
    const order = {
      id: 'R-1-r1',
      amount: 300_000,
      whole: true,
      refundedBefore: 0,
      repeated: false,
      reason: '',
    }
    await expect(provider.refund?.(paid, order)).rejects.toMatchObject({ permanent: false })
  } finally {
    await server.close()
  }
})
