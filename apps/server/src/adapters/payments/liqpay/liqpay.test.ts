import { startLiqpay } from '@hansom/doubles/payments/liqpay'
import { describe, expect, test } from 'vitest'
import { incoming, paymentsSuite } from '../payments.suite.ts'
import { liqpayPayments } from './liqpay.ts'
import { liqpayVariables } from './options.ts'
import { foundBy, liqpaySignature, readSigned, signedRequest } from './response.ts'

async function open({ test: isTest = true } = {}) {
  const double = await startLiqpay({ test: isTest })
  return { double, provider: liqpayPayments(liqpayVariables.schema.parse(double.environment)) }
}

paymentsSuite('liqpay', open)

const checkout = {
  reference: 'K7M2PQ-1',
  amount: 1_234_500,
  currency: 'UAH',
  description: 'Trip K7M2PQ',
  payer: { id: '1', firstName: 'Ana', lastName: 'Sosa', email: 'rider@example.com', phone: null },
  returnUrl: 'https://rides.example/pay/liqpay/return/1',
  webhookUrl: 'https://rides.example/pay/liqpay/webhook',
  locale: 'uk',
}

describe('liqpay signature', () => {
  const privateKey = 'a4825234f4bae72a0be04eafe9e8e2bada209255'
  const data =
    'eyJwdWJsaWNfa2V5IjoiaTAwMDAwMDAwIiwidmVyc2lvbiI6IjMiLCJhY3Rpb24iOiJwYXkiLCJhbW91bnQiOiIzIiwiY3VycmVuY3kiOiJVQUgi' +
    'LCJkZXNjcmlwdGlvbiI6InRlc3QiLCJvcmRlcl9pZCI6IjAwMDAwMSJ9'

  test('documented example -> same value', () => {
    const content = {
      public_key: 'i00000000',
      version: '3',
      action: 'pay',
      amount: '3',
      currency: 'UAH',
      description: 'test',
      order_id: '000001',
    }
    expect(signedRequest(content, privateKey)).toEqual({ data, signature: 'wR+UZDC4jjeL/qUOvIsofIWpZh8=' })
    expect(liqpaySignature('base64_post_string', 'your_private_key')).toBe('tp+ZLmKm1/E83dIzUpx5ljcttP4=')
  })

  test('webhook: wrong signature -> refused before the content is read', () => {
    const form = new URLSearchParams({ data, signature: 'wR+UZDC4jjeL/qUOvIsofIWpZh8=' })
    expect(readSigned(form, privateKey)).toMatchObject({ order_id: '000001' })
    expect(readSigned(form, 'another')).toBeNull()
    for (const signature of ['', 'wR+UZDC4jjeL/qUOvIsofIWpZh9=', 'wR+U'])
      expect(readSigned(new URLSearchParams({ data, signature }), privateKey)).toBeNull()
    expect(readSigned(new URLSearchParams(), privateKey)).toBeNull()
  })
})

describe('liqpay', () => {
  test('start -> amount as a number in currency units, sandbox only when configured', async () => {
    for (const isTest of [true, false]) {
      const { double, provider } = await open({ test: isTest })
      const { step } = await provider.start(checkout)
      if (step.kind !== 'form') throw new Error('form')
      const [[name, data]] = step.fields as [[string, string]]
      expect(name).toBe('data')
      const sent = JSON.parse(Buffer.from(data, 'base64').toString('utf8'))
      expect(sent).toMatchObject({
        amount: 123.45,
        currency: 'UAH',
        language: 'uk',
        action: 'pay',
        version: 3,
      })
      expect(sent.sandbox).toBe(isTest ? 1 : undefined)
      expect(provider.live).toBe(!isTest)
      await double.close()
    }
  })

  test('verify: test payment in live mode -> not live', () => {
    const data = { order_id: 'K7M2PQ-1', payment_id: '1', amount: 3, currency: 'UAH' }
    expect(foundBy({ ...data, status: 'sandbox' }, false)).toMatchObject({ state: 'paid', live: false })
    expect(foundBy({ ...data, status: 'success' }, false)).toMatchObject({ state: 'paid', live: true })
    expect(foundBy({ ...data, status: 'success' }, true)).toMatchObject({ state: 'paid', live: false })
    expect(foundBy({ ...data, status: 'reversed' }, false)).toMatchObject({ state: 'refunded' })
    for (const status of ['wait_accept', 'processing', 'wait_secure', '3ds_verify', 'something new'])
      expect(foundBy({ ...data, status }, false)).toEqual({ state: 'pending' })
    for (const status of ['failure', 'error'])
      expect(foundBy({ ...data, status }, false)).toEqual({ state: 'failed' })
  })

  test('verify: unknown order -> pending', async () => {
    const { double, provider } = await open()
    const payment = { ...checkout, providerRef: null, providerId: null }
    expect(await provider.verify?.(payment)).toEqual({ state: 'pending' })
    await double.close()
  })

  test('return: another payment -> refused; plain GET -> no event', async () => {
    const { double, provider } = await open()
    const { step } = await provider.start(checkout)
    const { back } = await double.pay(step, 'approve')
    if (!back) throw new Error('back')
    const payment = { ...checkout, providerRef: null, providerId: null }
    expect(await provider.readReturn(incoming(back), payment)).toMatchObject({ kind: 'back' })
    const other = { ...payment, reference: 'K7M2PQ-2' }
    expect(await provider.readReturn(incoming(back), other)).toMatchObject({ kind: 'refused' })
    const bare = incoming({ ...back, method: 'GET', body: '' })
    expect(await provider.readReturn(bare, payment)).toEqual({ kind: 'back', event: null })
    await double.close()
  })

  test('refund: unclear whether the first attempt arrived -> not repeated', async () => {
    const { double, provider } = await open()
    const { step } = await provider.start(checkout)
    await double.pay(step, 'approve')
    const payment = { ...checkout, providerRef: null, providerId: null }
    const order = { id: 'r', amount: 100_000, whole: false, refundedBefore: 0, reason: 'x' }
    await expect(provider.refund?.(payment, { ...order, repeated: true })).rejects.toMatchObject({
      name: 'PaymentError',
      permanent: true,
    })
    expect(double.refunded(checkout.reference)).toBe(0)
    expect(await provider.refund?.(payment, { ...order, repeated: false })).toMatchObject({ state: 'done' })
    expect(await provider.refund?.(payment, { ...order, repeated: false })).toMatchObject({ state: 'failed' })
    expect(double.refunded(checkout.reference)).toBe(100_000)
    await double.close()
  })

  test('double -> serves its page, sends the webhook, redirects the browser', async () => {
    const { double, provider } = await open()
    const { step } = await provider.start({
      ...checkout,
      webhookUrl: `${double.environment.LIQPAY_URL}/nowhere`,
    })
    if (step.kind !== 'form') throw new Error('form')
    const page = await fetch(step.action, { method: 'POST', body: new URLSearchParams(step.fields) })
    expect(await page.text()).toContain('value="approve">Pay<')
    const forged = step.fields.map(([name, value]): [string, string] => [name, `${value}A`])
    expect((await fetch(step.action, { method: 'POST', body: new URLSearchParams(forged) })).status).toBe(400)
    const body = new URLSearchParams({ reference: checkout.reference, decision: 'approve' })
    const back = await fetch(new URL('/decide', step.action), { method: 'POST', body })
    expect(await back.text()).toContain(checkout.returnUrl)
    expect(double.captures(checkout.reference)).toBe(1)
    await double.close()
  })
})
