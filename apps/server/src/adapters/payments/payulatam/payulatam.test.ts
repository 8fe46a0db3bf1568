import { startPayulatam } from '@hansom/doubles/payments/payulatam'
import { describe, expect, test } from 'vitest'
import { incoming, paymentsSuite } from '../payments.suite.ts'
import { payulatamVariables } from './options.ts'
import { foundIn } from './order.ts'
import { formSignature, isSignedConfirmation, payulatamPayments } from './payulatam.ts'

async function open(algorithm: 'MD5' | 'HMAC-SHA256' = 'MD5') {
  const double = await startPayulatam({ algorithm })
  return { double, provider: payulatamPayments(payulatamVariables.schema.parse(double.environment)) }
}

paymentsSuite('payulatam', open)

const apiKey = '4Vj8eK4rloUd272L48hsrarnUA'

describe('payulatam signatures', () => {
  const form = { merchantId: '508029', referenceCode: 'TestPayU', amount: '20000', currency: 'COP' }

  test('form -> same as the documentation', () => {
    expect(formSignature(form, { apiKey, algorithm: 'MD5' })).toBe('7ee7cf808ce6a39b17481c54f2c57acc')
    expect(formSignature(form, { apiKey, algorithm: 'SHA' })).toBe('fa890d3f94e12b5cdb62e8771453b99b78e7ccdc')
    expect(formSignature(form, { apiKey, algorithm: 'SHA256' })).toBe(
      'af3899a22336b79db46006491d15813158826f944599bf3bf601e2327f898022',
    )
    expect(formSignature(form, { apiKey, algorithm: 'HMAC-SHA256' })).toBe(
      'eaf61598d5593b366086c9a00aa5746ccad1a6e9b209a1a242fce224202b2b36',
    )
    expect(formSignature(form, { apiKey, algorithm: 'HMAC-SHA256', hmacSecret: 'secret123' })).toBe(
      '9b269405c01c725fcc5d1667a2e1166a810fd34b5a5ac82295d0f59fddf1c472',
    )
  })

  const confirmation = (change: Record<string, string>) =>
    new URLSearchParams({
      merchant_id: '508029',
      reference_sale: 'TestPayU05',
      value: '150.26',
      currency: 'USD',
      state_pol: '4',
      sign: '1d95778a651e11a0ab93c2169a519cd6',
      ...change,
    })
  const secrets = { apiKey, algorithm: 'MD5' } as const

  test('confirmation -> same as the documentation, with its rounding rule', () => {
    expect(isSignedConfirmation(confirmation({}), secrets)).toBe(true)
    const confirmed = { reference_sale: 'TestPayU04', sign: 'b607a2c2fa100e0947b206d41864fb86' }
    for (const value of ['150.00', '150.0', '150'])
      expect(isSignedConfirmation(confirmation({ ...confirmed, value }), secrets)).toBe(true)
    // The documentation prints this example with state 6, which does not match its hash.
    expect(
      isSignedConfirmation(confirmation({ ...confirmed, value: '150.00', state_pol: '6' }), secrets),
    ).toBe(false)
    const sign = 'df67936f918887b2aa31688a77a10fe1'
    expect(
      isSignedConfirmation(confirmation({ ...confirmed, value: '150.00', state_pol: '6', sign }), secrets),
    ).toBe(true)
    const other = confirmation({
      merchant_id: '500238',
      reference_sale: '2015-05-27 13:04:37',
      value: '100.00',
      state_pol: '6',
      sign: 'e1b0939bbdc99ea84387bee9b90e4f5c',
    })
    expect(isSignedConfirmation(other, { apiKey: '6u39nqhq8ftd0hlvnjfs66eh8c', algorithm: 'MD5' })).toBe(true)
  })

  test('changed content or missing amount -> refused', () => {
    const changes: Record<string, string>[] = [
      { value: '150.27' },
      { value: '1' },
      { value: 'many' },
      { value: '' },
      { state_pol: '6' },
      { currency: 'COP' },
      { reference_sale: 'TestPayU06' },
      { sign: '' },
    ]
    for (const change of changes) expect(isSignedConfirmation(confirmation(change), secrets)).toBe(false)
    expect(isSignedConfirmation(new URLSearchParams(), secrets)).toBe(false)
  })
})

const checkout = {
  reference: 'K7M2PQ-1',
  amount: 200_000_000,
  currency: 'COP',
  description: 'Trip K7M2PQ',
  payer: { id: '1', firstName: 'Ana', lastName: 'Sosa', email: 'rider@example.com', phone: null },
  returnUrl: 'https://rides.example/pay/payulatam/return/1',
  webhookUrl: 'https://rides.example/pay/payulatam/webhook',
  locale: 'es',
}
const payment = { ...checkout, providerRef: null, providerId: null }

describe('payulatam', () => {
  test('form and confirmation -> signed with the configured algorithm', async () => {
    const { double, provider } = await open('HMAC-SHA256')
    const { step } = await provider.start(checkout)
    await double.pay(step, 'approve')
    const message = incoming(await double.webhook(checkout.reference))
    expect(await provider.readWebhook(message)).toMatchObject({ kind: 'event' })
    const forged = incoming(await double.webhook(checkout.reference, { forged: true }))
    expect(await provider.readWebhook(forged)).toEqual({ kind: 'refused', why: 'signature' })
    await double.close()
  })

  test('takes: currency -> only of countries with an account', async () => {
    const { double, provider } = await open()
    expect(provider.accepts('COP', 10_000)).toBe(true)
    expect(provider.accepts('USD', 10_100)).toBe(true)
    expect(provider.accepts('USD', 10_101)).toBe(false)
    expect(provider.accepts('PEN', 10_000)).toBe(false)
    expect(provider.accepts('toString', 10_000)).toBe(false)
    await double.close()
  })

  test('verify: no order -> pending; every order declined -> failed', async () => {
    const { double, provider } = await open()
    const { step } = await provider.start(checkout)
    expect(await provider.verify?.(payment)).toEqual({ state: 'pending' })
    await double.pay(step, 'decline')
    expect(await provider.verify?.(payment)).toEqual({ state: 'failed' })
    await double.close()
  })

  test('verify: second order after a declined one -> paid', () => {
    const declined = { id: '1', status: 'DECLINED', referenceCode: 'R', transactions: [] }
    const paid = {
      id: '2',
      status: 'CAPTURED',
      referenceCode: 'R',
      isTest: false,
      additionalValues: { TX_VALUE: { value: 150.2, currency: 'USD' } },
      transactions: [
        { id: 'a', type: 'AUTHORIZATION_AND_CAPTURE', transactionResponse: { state: 'DECLINED' } },
        { id: 'b', type: 'AUTHORIZATION_AND_CAPTURE', transactionResponse: { state: 'APPROVED' } },
      ],
    }
    expect(foundIn([declined, paid], true)).toEqual({
      state: 'paid',
      reference: 'R',
      providerId: 'b',
      amount: 1_502_000,
      currency: 'USD',
      live: true,
    })
    expect(foundIn([{ ...paid, isTest: true }], true)).toMatchObject({ live: false })
    expect(foundIn([{ ...paid, transactions: [] }], true)).toEqual({ state: 'pending' })
  })

  test('refund: declined by PayU -> failed with its reason', async () => {
    const { double, provider } = await open()
    await double.pay((await provider.start(checkout)).step, 'approve')
    const order = {
      id: 'r',
      amount: checkout.amount,
      whole: true,
      refundedBefore: 0,
      repeated: false,
      reason: 'x',
    }
    const pending = await provider.refund?.(payment, order)
    if (pending?.state !== 'pending') throw new Error('pending')
    const { providerRefundId } = pending
    expect(await provider.refund?.(payment, { ...order, repeated: true })).toEqual(pending)
    expect(await provider.refundState?.(payment, { ...order, providerRefundId })).toEqual(pending)
    double.endRefunds?.('failed')
    expect(await provider.refundState?.(payment, { ...order, providerRefundId })).toMatchObject({
      state: 'failed',
    })
    expect(double.refunded(checkout.reference)).toBe(0)
    await double.close()
  })

  test('variables: no account -> rejected', () => {
    const set = { PAYU_ENV: 'sandbox', PAYU_API_KEY: 'k', PAYU_API_LOGIN: 'l', PAYU_MERCHANT_ID: '1' }
    expect(payulatamVariables.schema.safeParse(set).success).toBe(false)
    expect(payulatamVariables.schema.safeParse({ ...set, PAYU_ACCOUNT_ID_CO: '1' }).success).toBe(true)
    expect(payulatamVariables.schema.safeParse({ ...set, PAYU_ACCOUNT_ID_XX: '1' }).success).toBe(false)
  })
})
