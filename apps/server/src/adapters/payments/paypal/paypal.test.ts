import { generateKeyPairSync } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { selfSigned } from '@hansom/doubles/payments/certificate'
import { type PaypalDouble, startPaypal } from '@hansom/doubles/payments/paypal'
import { afterEach, describe, expect, test } from 'vitest'
import { paypalVariables } from '../../../config/payments/paypal.ts'
import { incoming, paymentsSuite } from '../payments.suite.ts'
import type { Checkout, StartedPayment } from '../port.ts'
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
  const asked = { ...checkout, ...change }
  const { providerRef, step } = await provider.start(asked)
  const payment: StartedPayment = { ...asked, providerRef, providerId: null }
  const found = async () => provider.verify?.(payment)
  const complete = async (input: Record<string, string> = {}) => {
    const done = await provider.complete?.(payment, input)
    if (done?.kind !== 'found') throw new Error('a challenge')
    return done.found
  }
  return { double, provider, payment, step, found, complete }
}

test('the checksum that is signed: the check value of CRC-32', () => {
  expect(crc32('123456789')).toBe(3_421_780_262)
})

test('asks for an order that can be paid once, in words and text amounts', async () => {
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

test('takes what PayPal takes', async () => {
  const { provider } = await started()
  expect(provider.takes('HUF', 10_000)).toBe(true)
  expect(provider.takes('HUF', 15_000)).toBe(false)
  expect(provider.takes('EUR', 10_100)).toBe(true)
  expect(provider.takes('EUR', 10_110)).toBe(false)
  expect(provider.takes('EUR', 0)).toBe(false)
  expect(provider.takes('INR', 10_000)).toBe(false)
})

describe('the capture', () => {
  test('no money moves before it; an approved order says that it waits for us', async () => {
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

  test('made a hundred times at once takes the money once', async () => {
    const { double, step, complete } = await started()
    await double.pay(step, 'approve')
    const all = await Promise.all(Array.from({ length: 100 }, () => complete()))
    expect(new Set(all.map((one) => one.state))).toEqual(new Set(['paid']))
    expect(double.captures('K7M2PQ-1')).toBe(1)
  })

  test('before the payer has agreed changes nothing', async () => {
    const { complete, double } = await started()
    expect(await complete()).toEqual({ state: 'pending' })
    expect(double.captures('K7M2PQ-1')).toBe(0)
  })

  test.each([
    ['PENDING', 'pending'],
    ['DECLINED', 'failed'],
    ['INSTRUMENT_DECLINED', 'failed'],
  ] as const)('%s is %s', async (next, state) => {
    const { double, step, complete } = await started()
    double.nextCapture = next
    await double.pay(step, 'approve')
    expect(await complete()).toEqual({ state })
  })

  test('a second start of the same attempt is the same order', async () => {
    const { double, step, complete, payment, provider } = await started()
    await double.pay(step, 'approve')
    await complete()
    const again = await provider.start(checkout)
    expect(again.providerRef).toBe(payment.providerRef)
    expect(await provider.verify?.(payment)).toMatchObject({ state: 'paid' })
  })

  test('who turns back has not paid; who turns back after paying has', async () => {
    const { double, provider, step, complete, payment } = await started()
    const { back } = await double.pay(step, 'decline')
    if (!back) throw new Error('nothing came back')
    const reading = await provider.readReturn(incoming(back), payment)
    expect(reading).toEqual({ kind: 'back', news: null, complete: { cancelled: '1' } })
    expect(await complete({ cancelled: '1' })).toEqual({ state: 'failed' })
    await double.pay(step, 'approve')
    await complete()
    expect(await complete({ cancelled: '1' })).toMatchObject({ state: 'paid' })
  })

  test('a way back that names another order is refused', async () => {
    const { provider, payment } = await started()
    const back = incoming({ method: 'GET', url: `${checkout.returnUrl}?token=OTHER`, headers: {}, body: '' })
    expect((await provider.readReturn(back, payment)).kind).toBe('refused')
  })
})

describe('the events', () => {
  async function paid() {
    const all = await started()
    await all.double.pay(all.step, 'approve')
    return all
  }

  test('that a payer has agreed names the attempt and the order, before anything is captured', async () => {
    const { double, provider, payment } = await paid()
    const reading = await provider.readWebhook(incoming(double.approvedEvent('K7M2PQ-1')))
    expect(reading).toMatchObject({
      kind: 'news',
      news: { reference: 'K7M2PQ-1', providerRef: payment.providerRef, providerId: null },
    })
  })

  test('are refused without a question when they are plainly not from PayPal', async () => {
    const { double, provider } = await paid()
    const sent = incoming(double.approvedEvent('K7M2PQ-1'))
    const asked = double.asked
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
    expect(double.asked).toBe(asked)
  })

  test('an event whose certificate cannot be fetched is not lost: it has to come again', async () => {
    const { double, provider } = await paid()
    const sent = incoming(double.approvedEvent('K7M2PQ-1'))
    double.down = true
    await expect(provider.readWebhook(sent)).rejects.toMatchObject({ name: 'PaymentError', permanent: false })
    double.down = false
    expect((await provider.readWebhook(sent)).kind).toBe('news')
  })

  test('1,000 forged events -> at most six questions, none of them with our account', async () => {
    const { double, provider } = await paid()
    const { tokens, asked } = double
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
    expect(double.asked - asked).toBeLessThanOrEqual(6)
    expect(double.tokens).toBe(tokens)
  })

  test('forged events do not keep real ones out once the certificate is known', async () => {
    const { double, provider } = await paid()
    const real = () => provider.readWebhook(incoming(double.approvedEvent('K7M2PQ-1')))
    expect((await real()).kind).toBe('news')
    const asked = double.asked
    for (let turn = 0; turn < 50; turn += 1) {
      const forged = incoming(double.approvedEvent('K7M2PQ-1', { forged: true }))
      expect((await provider.readWebhook(forged)).kind).toBe('refused')
      expect((await real()).kind).toBe('news')
    }
    expect(double.asked).toBe(asked)
  })

  test('a certificate of another owner, or expired -> the event is refused', async () => {
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
      expect(reading).toEqual({ kind: 'refused', why: 'not a certificate of PayPal' })
    }
  })

  test('for another webhook are refused', async () => {
    const { double } = await paid()
    const other = openAt(double, { PAYPAL_WEBHOOK_ID: 'ANOTHER' })
    expect((await other.readWebhook(incoming(double.approvedEvent('K7M2PQ-1')))).kind).toBe('refused')
  })

  test('are checked letter for letter', async () => {
    const { double, provider } = await paid()
    const sent = incoming(double.approvedEvent('K7M2PQ-1'))
    const spaced = Buffer.from(sent.body.toString().replace('EUR', 'EUR '))
    expect((await provider.readWebhook({ ...sent, body: spaced })).kind).toBe('refused')
    expect((await provider.readWebhook(sent)).kind).toBe('news')
  })
})

describe('the account', () => {
  test('one token serves many questions, and one that was withdrawn is replaced', async () => {
    const { double, found } = await started()
    await found()
    await found()
    expect(double.tokens).toBe(1)
    double.withdrawTokens()
    expect(await found()).toEqual({ state: 'pending' })
    expect(double.tokens).toBe(2)
  })

  test('a wrong secret is told without it', async () => {
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

  test('an order that PayPal does not know is not paid', async () => {
    const { provider, payment } = await started()
    expect(await provider.verify?.({ ...payment, providerRef: 'UNKNOWN' })).toEqual({ state: 'failed' })
  })
})

test('a refund that was sent before is found again by our own id', async () => {
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
