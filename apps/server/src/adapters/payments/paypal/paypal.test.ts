import { generateKeyPairSync } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { selfSigned } from '@hansom/doubles/payments/certificate'
import { type PaypalDouble, startPaypal } from '@hansom/doubles/payments/paypal'
import { afterEach, describe, expect, test } from 'vitest'
import { incoming, paymentsSuite } from '../payments.suite.ts'
import type { Checkout, StartedPayment } from '../port.ts'
import { paypalVariables } from './options.ts'
import { paypalPayments } from './paypal.ts'

const openAt = (double: PaypalDouble, change: Record<string, string> = {}) =>
  paypalPayments(paypalVariables.schema.parse({ ...double.environment, ...change }))

paymentsSuite('paypal', async () => {
  const double = await startPaypal()
  return { double, provider: openAt(double) }
})

const checkout: Checkout = {
  reference: 'K7M2PQ-1',
  amount: 250_000,
  currency: 'EUR',
  description: 'Trip K7M2PQ',
  payer: { id: 'rider', firstName: 'Ana', lastName: 'Silva', email: 'ana@example.com', phone: null },
  returnUrl: 'https://rides.example/pay/paypal/return/1',
  webhookUrl: 'https://rides.example/pay/paypal/webhook',
  locale: 'en',
}

const doubles: PaypalDouble[] = []
afterEach(async () => {
  for (const double of doubles.splice(0)) await double.close()
})

async function started(change: Partial<Checkout> = {}) {
  const double = await startPaypal()
  doubles.push(double)
  const provider = openAt(double)
  const params = { ...checkout, ...change }
  const { providerRef, step } = await provider.start(params)
  const payment: StartedPayment = { ...params, providerRef, providerId: null }
  const found = async () => provider.verify?.(payment)
  const complete = async (input: Record<string, string> = {}) => {
    const done = await provider.complete?.(payment, input)
    if (done?.kind !== 'found') throw new Error('a challenge')
    return done.found
  }
  return { double, provider, payment, step, found, complete }
}

test('crc32 -> standard check value', () => {
  expect(crc32('123456789')).toBe(3_421_780_262)
})

test('start -> an order that can be paid once, amounts as strings', async () => {
  const { double, step, payment } = await started({ description: 'x'.repeat(200) })
  expect(double.request('K7M2PQ-1')).toMatchObject({
    intent: 'CAPTURE',
    purchase_units: [
      {
        custom_id: 'K7M2PQ-1',
        invoice_id: 'K7M2PQ-1',
        description: 'x'.repeat(127),
        amount: { currency_code: 'EUR', value: '25.00' },
      },
    ],
    payment_source: {
      paypal: {
        experience_context: {
          return_url: checkout.returnUrl,
          cancel_url: `${checkout.returnUrl}?cancelled=1`,
          user_action: 'PAY_NOW',
          shipping_preference: 'NO_SHIPPING',
        },
      },
    },
  })
  expect(step).toMatchObject({ kind: 'redirect', url: expect.stringContaining(payment.providerRef ?? '-') })
  await started({ currency: 'JPY', amount: 50_000_000 })
  expect(doubles.at(-1)?.request('K7M2PQ-1').purchase_units?.[0]?.amount?.value).toBe('5000')
})

test("takes -> PayPal's currencies and decimals", async () => {
  const { provider } = await started()
  expect(provider.accepts('HUF', 10_000)).toBe(true)
  expect(provider.accepts('HUF', 15_000)).toBe(false)
  expect(provider.accepts('EUR', 10_100)).toBe(true)
  expect(provider.accepts('EUR', 10_110)).toBe(false)
  expect(provider.accepts('EUR', 0)).toBe(false)
  expect(provider.accepts('INR', 10_000)).toBe(false)
})

describe('capture', () => {
  test('approved order -> pending with complete, no money moved', async () => {
    const { double, step, found, complete } = await started()
    expect(await found()).toEqual({ state: 'pending' })
    await double.pay(step, 'approve')
    expect(await found()).toEqual({ state: 'pending', complete: {} })
    expect(double.captures('K7M2PQ-1')).toBe(0)
    expect(await complete()).toMatchObject({
      state: 'paid',
      reference: 'K7M2PQ-1',
      amount: 250_000,
      currency: 'EUR',
    })
  })

  test('a hundred concurrent calls -> charged once', async () => {
    const { double, step, complete } = await started()
    await double.pay(step, 'approve')
    const all = await Promise.all(Array.from({ length: 100 }, () => complete()))
    expect(new Set(all.map((one) => one.state))).toEqual(new Set(['paid']))
    expect(double.captures('K7M2PQ-1')).toBe(1)
  })

  test('before approval -> no change', async () => {
    const { complete, double } = await started()
    expect(await complete()).toEqual({ state: 'pending' })
    expect(double.captures('K7M2PQ-1')).toBe(0)
  })

  test.each([
    ['PENDING', 'pending'],
    ['DECLINED', 'failed'],
    ['INSTRUMENT_DECLINED', 'failed'],
  ] as const)('%s -> %s', async (next, state) => {
    const { double, step, complete } = await started()
    double.nextCapture = next
    await double.pay(step, 'approve')
    expect(await complete()).toEqual({ state })
  })

  test('start: same attempt again -> same order', async () => {
    const { double, step, complete, payment, provider } = await started()
    await double.pay(step, 'approve')
    await complete()
    const again = await provider.start(checkout)
    expect(again.providerRef).toBe(payment.providerRef)
    expect(await provider.verify?.(payment)).toMatchObject({ state: 'paid' })
  })

  test('return: payer cancels -> not paid, unless already paid', async () => {
    const { double, provider, step, complete, payment } = await started()
    const { back } = await double.pay(step, 'decline')
    if (!back) throw new Error('no redirect')
    const reading = await provider.readReturn(incoming(back), payment)
    expect(reading).toEqual({ kind: 'back', event: null, complete: { cancelled: '1' } })
    expect(await complete({ cancelled: '1' })).toEqual({ state: 'failed' })
    await double.pay(step, 'approve')
    await complete()
    expect(await complete({ cancelled: '1' })).toMatchObject({ state: 'paid' })
  })

  test('return: names another order -> refused', async () => {
    const { provider, payment } = await started()
    const back = incoming({ method: 'GET', url: `${checkout.returnUrl}?token=OTHER`, headers: {}, body: '' })
    expect((await provider.readReturn(back, payment)).kind).toBe('refused')
  })
})

describe('webhook', () => {
  async function paid() {
    const all = await started()
    await all.double.pay(all.step, 'approve')
    return all
  }

  test('order approved -> names attempt and order, nothing captured', async () => {
    const { double, provider, payment } = await paid()
    const reading = await provider.readWebhook(incoming(double.approvedEvent('K7M2PQ-1')))
    expect(reading).toMatchObject({
      kind: 'event',
      event: { reference: 'K7M2PQ-1', providerRef: payment.providerRef, providerId: null },
    })
  })

  test('obviously forged -> refused without any request', async () => {
    const { double, provider } = await paid()
    const sent = incoming(double.approvedEvent('K7M2PQ-1'))
    const asked = double.requestCount
    const read = (headers: Record<string, string>) =>
      provider.readWebhook({ ...sent, headers: { ...sent.headers, ...headers } })
    const own = 'https://api.sandbox.paypal.com/v1/notifications/certs/'
    for (const cert of [
      'https://paypal.com.evil.example/v1/notifications/certs/CERT-1',
      'http://api.sandbox.paypal.com/v1/notifications/certs/CERT-1',
      'https://evil.paypal.com/v1/notifications/certs/CERT-1',
      'https://api.paypal.com/v1/notifications/certs/CERT-1',
      'https://api.sandbox.paypal.com:8443/v1/notifications/certs/CERT-1',
      `${own}../other/CERT-1`,
      `${own}CERT-1?x=1`,
      '',
    ]) {
      expect((await read({ 'paypal-cert-url': cert })).kind).toBe('refused')
    }
    expect((await read({ 'paypal-transmission-sig': '' })).kind).toBe('refused')
    expect((await read({ 'paypal-auth-algo': 'none' })).kind).toBe('refused')
    expect((await read({ 'paypal-transmission-time': '2020-01-01T00:00:00Z' })).kind).toBe('refused')
    expect((await provider.readWebhook({ ...sent, body: Buffer.from('{"id":') })).kind).toBe('refused')
    expect(double.requestCount).toBe(asked)
  })

  test('certificate cannot be fetched -> PaymentError, so that PayPal retries', async () => {
    const { double, provider } = await paid()
    const sent = incoming(double.approvedEvent('K7M2PQ-1'))
    double.isDown = true
    await expect(provider.readWebhook(sent)).rejects.toMatchObject({ name: 'PaymentError', permanent: false })
    double.isDown = false
    expect((await provider.readWebhook(sent)).kind).toBe('event')
  })

  test('1,000 forged events -> at most six requests, none with our credentials', async () => {
    const { double, provider } = await paid()
    const { tokens, requestCount: asked } = double
    const forge = async (certificate: string) => {
      const sent = incoming(double.approvedEvent('K7M2PQ-1', { forged: true }))
      const headers = { ...sent.headers, 'paypal-cert-url': certificate }
      return provider.readWebhook({ ...sent, headers }).then(
        ({ kind }) => kind,
        ({ name }: Error) => name,
      )
    }
    const own = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-'
    const outcomes = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => forge(`${own}${index % 500}`)),
    )
    expect(outcomes.every((one) => one === 'refused' || one === 'PaymentError')).toBe(true)
    expect(double.requestCount - asked).toBeLessThanOrEqual(6)
    expect(double.tokens).toBe(tokens)
  })

  test('forged events with a known certificate -> genuine events still accepted', async () => {
    const { double, provider } = await paid()
    const real = () => provider.readWebhook(incoming(double.approvedEvent('K7M2PQ-1')))
    expect((await real()).kind).toBe('event')
    const asked = double.requestCount
    for (let turn = 0; turn < 50; turn += 1) {
      const forged = incoming(double.approvedEvent('K7M2PQ-1', { forged: true }))
      expect((await provider.readWebhook(forged)).kind).toBe('refused')
      expect((await real()).kind).toBe('event')
    }
    expect(double.requestCount).toBe(asked)
  })

  test('certificate of another owner or expired -> refused', async () => {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const day = 86_400_000
    const now = Date.now()
    const name = 'messageverificationcerts.sandbox.paypal.com'
    for (const certificate of [
      selfSigned('messageverificationcerts.paypal.com.evil.example', pair, [now - day, now + day]),
      selfSigned('paypal.com', pair, [now - day, now + day]),
      selfSigned(name, pair, [now - 2 * day, now - day]),
      selfSigned(name, pair, [now + day, now + 2 * day]),
      'nonsense',
    ]) {
      const { double, provider } = await paid()
      double.certificate = certificate
      const reading = await provider.readWebhook(incoming(double.approvedEvent('K7M2PQ-1')))
      expect(reading).toEqual({ kind: 'refused', why: 'not a PayPal certificate' })
    }
  })

  test('signed for another webhook -> refused', async () => {
    const { double } = await paid()
    const other = openAt(double, { PAYPAL_WEBHOOK_ID: 'ANOTHER' })
    expect((await other.readWebhook(incoming(double.approvedEvent('K7M2PQ-1')))).kind).toBe('refused')
  })

  test('any changed byte -> refused', async () => {
    const { double, provider } = await paid()
    const sent = incoming(double.approvedEvent('K7M2PQ-1'))
    const spaced = Buffer.from(sent.body.toString().replace('EUR', 'EUR '))
    expect((await provider.readWebhook({ ...sent, body: spaced })).kind).toBe('refused')
    expect((await provider.readWebhook(sent)).kind).toBe('event')
  })
})

describe('account', () => {
  test('access token -> reused; revoked -> replaced', async () => {
    const { double, found } = await started()
    await found()
    await found()
    expect(double.tokens).toBe(1)
    double.withdrawTokens()
    expect(await found()).toEqual({ state: 'pending' })
    expect(double.tokens).toBe(2)
  })

  test('wrong secret -> error without the secret', async () => {
    const { double, payment } = await started()
    const provider = openAt(double, { PAYPAL_CLIENT_SECRET: 'no-secret-of-this-account' })
    const error: unknown = await provider.verify?.(payment).catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      name: 'PaymentError',
      permanent: true,
      message: expect.stringContaining('401'),
    })
    expect(String(error)).not.toContain('no-secret')
  })

  test('unknown order -> not paid', async () => {
    const { provider, payment } = await started()
    expect(await provider.verify?.({ ...payment, providerRef: 'UNKNOWN' })).toEqual({ state: 'failed' })
  })
})

test('refund: repeated -> found by our id', async () => {
  const { double, provider, payment, step, complete } = await started()
  await double.pay(step, 'approve')
  const found = await complete()
  const paid = { ...payment, providerId: 'providerId' in found ? found.providerId : null }
  const order = {
    id: 'r1',
    amount: 100_000,
    whole: false,
    refundedBefore: 0,
    repeated: false,
    reason: 'Asked',
  }
  const first = await provider.refund?.(paid, order)
  expect(first).toMatchObject({ state: 'pending' })
  double.endRefunds?.('failed')
  expect(await provider.refund?.(paid, { ...order, repeated: true })).toEqual({
    state: 'failed',
    why: 'FAILED',
  })
  expect(await provider.refundState?.(paid, { ...order, providerRefundId: null })).toMatchObject({
    state: 'failed',
  })
  expect(await provider.refundState?.(paid, { ...order, id: 'r9', providerRefundId: null })).toMatchObject({
    state: 'failed',
  })
  expect(double.refunded('K7M2PQ-1')).toBe(0)
})
