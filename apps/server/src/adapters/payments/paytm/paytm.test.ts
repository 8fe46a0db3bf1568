import { startPaytm } from '@hansom/doubles/payments/paytm'
import { describe, expect, test } from 'vitest'
import { incoming, paymentsSuite } from '../payments.suite.ts'
import { paytmVariables } from './options.ts'
import { paytmPayments } from './paytm.ts'
import { checksumOf, formText, isChecksumOf } from './service.ts'

async function open() {
  const double = await startPaytm()
  return { double, provider: paytmPayments(paytmVariables.schema.parse(double.environment)) }
}

paymentsSuite('paytm', open)

describe('paytm checksum', () => {
  const key = '0123456789abcdef'
  const form = new Map(Object.entries({ TXNAMOUNT: '10.00', ORDERID: 'ORDER_1', MID: 'TESTMID01' }))
  const ofForm =
    '8Ih6G6nLaB1VvwwXwmYUPs1yMVfeTIVHnaDw3M7EA+GPIPJrTUU6cbbpsAdGXN7L3LXadimlG8ElBvI8TvwRQB2PnQR3qPt4id29OrKzRj4='
  const body = '{"mid":"TESTMID01","orderId":"ORDER_1"}'
  const ofBody =
    'ZoPi6Ad8D0NxfYinoPaRVJU84baCXhQDwzbKUn9NO5gQwOR2pUj6I2UXqBoBuGR5YIz27tXvpg+5E8PiZk2JtFA9tJGesJx67pPoT9wCL/k='

  test("known text -> same as the vendor's package", () => {
    expect(formText(form)).toBe('TESTMID01|ORDER_1|10.00')
    expect(checksumOf(formText(form), key, 'abcd')).toBe(ofForm)
    expect(checksumOf(body, key, 'abcd')).toBe(ofBody)
    expect(isChecksumOf(formText(form), ofForm, key)).toBe(true)
    expect(isChecksumOf(body, ofBody, key)).toBe(true)
  })

  test('same text twice -> different salts, both valid', () => {
    const [first, second] = [checksumOf(body, key), checksumOf(body, key)]
    expect(first).not.toBe(second)
    expect(isChecksumOf(body, first, key)).toBe(true)
    expect(isChecksumOf(body, second, key)).toBe(true)
  })

  test('another text, another key or garbage -> refused', () => {
    expect(isChecksumOf(`${body} `, ofBody, key)).toBe(false)
    expect(isChecksumOf(body, ofBody, 'fedcba9876543210')).toBe(false)
    expect(isChecksumOf(body, ofForm, key)).toBe(false)
    for (const checksum of ['', 'AAAA', '!', ofBody.slice(0, 24), ofBody.slice(4)])
      expect(isChecksumOf(body, checksum, key)).toBe(false)
  })

  test('form text -> "null" is empty, the checksum itself is omitted', () => {
    const posted = new Map(Object.entries({ b: 'null', a: '1', c: '', CHECKSUMHASH: 'x' }))
    expect(formText(posted)).toBe('1||')
  })
})

const checkout = {
  reference: 'K7M2PQ-1',
  amount: 1_000_000,
  currency: 'INR',
  description: 'Trip K7M2PQ',
  payer: { id: '1', firstName: 'Ana', lastName: 'Söhne', email: 'rider@example.com', phone: '+919876543210' },
  returnUrl: 'https://rides.example/pay/paytm/return/1',
  webhookUrl: 'https://rides.example/pay/paytm/webhook',
  locale: 'en',
}
const payment = { ...checkout, providerRef: null, providerId: null }

describe('paytm', () => {
  test('start -> a form with a token that opens the page', async () => {
    const { double, provider } = await open()
    const { step } = await provider.start(checkout)
    if (step.kind !== 'form') throw new Error('form')
    expect(step.fields.map(([name]) => name)).toEqual(['mid', 'orderId', 'txnToken'])
    const page = await fetch(step.action, { method: 'POST', body: new URLSearchParams(step.fields) })
    expect(await page.text()).toContain('value="approve">Pay<')
    const other = new URLSearchParams([...step.fields.slice(0, 2), ['txnToken', 'guessed']])
    expect((await fetch(step.action, { method: 'POST', body: other })).status).toBe(400)
    await double.close()
  })

  test('start: refused by paytm or already paid -> PaymentError', async () => {
    const { double, provider } = await open()
    await double.pay((await provider.start(checkout)).step, 'approve')
    await expect(provider.start(checkout)).rejects.toMatchObject({
      message: 'paytm: 1008 Duplicate order',
      permanent: true,
    })
    const options = { ...paytmVariables.schema.parse(double.environment), merchantKey: 'fedcba9876543210' }
    await expect(paytmPayments(options).start(checkout)).rejects.toMatchObject({ name: 'PaymentError' })
    await double.close()
  })

  test('verify: unknown order -> pending; declined order -> failed', async () => {
    const { double, provider } = await open()
    expect(await provider.verify?.(payment)).toEqual({ state: 'pending' })
    const { step } = await provider.start(checkout)
    expect(await provider.verify?.(payment)).toEqual({ state: 'pending' })
    await double.pay(step, 'decline')
    expect(await provider.verify?.(payment)).toEqual({ state: 'failed' })
    await double.close()
  })

  test('return: another payment or forged -> refused', async () => {
    const { double, provider } = await open()
    const { back } = await double.pay((await provider.start(checkout)).step, 'approve')
    if (!back) throw new Error('back')
    expect(await provider.readReturn(incoming(back), payment)).toMatchObject({ kind: 'back' })
    const other = { ...payment, reference: 'K7M2PQ-2' }
    expect(await provider.readReturn(incoming(back), other)).toMatchObject({ kind: 'refused' })
    const changed = { ...back, body: back.body.replace('TXN_SUCCESS', 'TXN_FAILURE') }
    expect(await provider.readReturn(incoming(changed), payment)).toEqual({
      kind: 'refused',
      why: 'checksum',
    })
    const twice = incoming({ ...back, body: `ORDERID=K7M2PQ-2&${back.body}` })
    expect(await provider.readReturn(twice, other)).toEqual({ kind: 'refused', why: 'different payment' })
    await double.close()
  })

  test('refund: repeated -> state of the first one', async () => {
    const { double, provider } = await open()
    await double.pay((await provider.start(checkout)).step, 'approve')
    const found = await provider.verify?.(payment)
    if (found?.state !== 'paid') throw new Error('paid')
    const paid = { ...payment, providerId: found.providerId }
    const order = { id: 'r', amount: 400_000, whole: false, refundedBefore: 0, repeated: false, reason: 'x' }
    expect(await provider.refund?.(paid, order)).toMatchObject({ state: 'pending' })
    double.endRefunds?.('done')
    expect(await provider.refund?.(paid, { ...order, repeated: true })).toMatchObject({ state: 'done' })
    expect(double.refunded(checkout.reference)).toBe(400_000)
    const tooMuch = { ...order, id: 'r2', amount: 700_000, refundedBefore: 400_000 }
    expect(await provider.refund?.(paid, tooMuch)).toEqual({
      state: 'failed',
      why: 'paytm: 619 Invalid refund amount',
    })
    await double.close()
  })

  test('variables: key without 16 characters -> rejected', () => {
    const set = { PAYTM_ENV: 'sandbox', PAYTM_MID: 'm' }
    expect(paytmVariables.schema.safeParse({ ...set, PAYTM_MERCHANT_KEY: 'short' }).success).toBe(false)
    expect(paytmVariables.schema.safeParse({ ...set, PAYTM_MERCHANT_KEY: '0123456789abcdef' }).success).toBe(
      true,
    )
  })
})
