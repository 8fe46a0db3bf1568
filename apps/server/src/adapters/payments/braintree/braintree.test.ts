import { type BraintreeDouble, startBraintree } from '@hansom/doubles/payments/braintree'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { incoming, paymentsSuite } from '../payments.suite.ts'
import type { PaymentProvider, RefundOrder, StartedPayment } from '../port.ts'
import { braintreePayments } from './braintree.ts'
import { foundBy } from './gateway.ts'
import { braintreeVariables } from './options.ts'
import { braintreeSignature, challengeAnswer, isSigned } from './webhook.ts'

const keys = { publicKey: 'integration_public_key', privateKey: 'integration_private_key' }
const open = (double: BraintreeDouble) =>
  braintreePayments(braintreeVariables.schema.parse(double.environment))

paymentsSuite('braintree', async () => {
  const double = await startBraintree()
  return { provider: open(double), double }
})

describe('braintree', () => {
  let double: BraintreeDouble
  let provider: PaymentProvider
  let count = 0

  beforeAll(async () => {
    double = await startBraintree()
    provider = open(double)
  })
  afterAll(() => double.close())

  function newPayment(): StartedPayment {
    count += 1
    const reference = `BRAIN-${count}`
    return { reference, amount: 240_000, currency: 'USD', providerRef: null, providerId: null }
  }

  async function settledPayment(): Promise<StartedPayment> {
    const payment = newPayment()
    await provider.complete?.(payment, { nonce: double.nonce('good') })
    const found = await provider.verify?.(payment)
    if (found?.state !== 'paid') throw new Error('not paid')
    double.endDay(payment.reference)
    return { ...payment, providerId: found.providerId }
  }

  const order = (payment: StartedPayment, change: Partial<RefundOrder>): RefundOrder => ({
    id: `${payment.reference}-r1`,
    amount: 60_000,
    whole: false,
    refundedBefore: 0,
    repeated: false,
    reason: 'The way was longer than shown',
    ...change,
  })

  test('refund: part and rest of a settled payment -> done; repeated order -> only once', async () => {
    const payment = await settledPayment()
    const first = await provider.refund?.(payment, order(payment, {}))
    const again = await provider.refund?.(payment, order(payment, { repeated: true }))
    expect(first?.state).toBe('pending')
    expect(again).toEqual(first)
    double.endRefunds?.('done')
    expect(double.refunded(payment.reference)).toBe(60_000)
    const rest = { id: `${payment.reference}-r2`, amount: 180_000, refundedBefore: 60_000 }
    const second = await provider.refund?.(payment, order(payment, rest))
    double.endRefunds?.('failed')
    const providerRefundId = second && 'providerRefundId' in second ? second.providerRefundId : null
    const after = await provider.refundState?.(payment, { ...rest, providerRefundId })
    expect(after).toEqual({ state: 'failed', why: 'braintree: settlement_declined' })
    expect(double.refunded(payment.reference)).toBe(60_000)
  })

  test('refund: complete unsettled payment -> voided once', async () => {
    const payment = newPayment()
    const done = await provider.complete?.(payment, { nonce: double.nonce('good') })
    const providerId = done?.kind === 'found' && done.found.state === 'paid' ? done.found.providerId : null
    const paid = { ...payment, providerId }
    const full = order(payment, { amount: 240_000, whole: true })
    expect(await provider.refund?.(paid, full)).toMatchObject({ state: 'done' })
    expect(await provider.refund?.(paid, { ...full, repeated: true })).toMatchObject({ state: 'done' })
    expect(double.refunded(payment.reference)).toBe(240_000)
  })

  test('complete: two pages with two cards at the same time -> charged once', async () => {
    const payment = newPayment()
    const inputs = [double.nonce('good'), double.nonce('good')].map((nonce) => ({ nonce }))
    const done = await Promise.all(inputs.map(async (input) => provider.complete?.(payment, input)))
    expect(done.map((one) => one?.kind === 'found' && one.found.state)).toEqual(['paid', 'paid'])
    expect(double.captures(payment.reference)).toBe(1)
  })

  test('complete: declined card -> failed; unknown nonce -> PaymentError', async () => {
    const declined = await provider.complete?.(newPayment(), { nonce: double.nonce('declined') })
    expect(declined).toEqual({ kind: 'found', found: { state: 'failed' } })
    const unknown = provider.complete?.(newPayment(), { nonce: 'tokencc_unknown' })
    await expect(unknown).rejects.toMatchObject({ name: 'PaymentError', permanent: true })
    await expect(provider.complete?.(newPayment(), {})).rejects.toMatchObject({ permanent: true })
  })

  test('takes: any currency -> only with a merchant account', () => {
    expect(provider.accepts('EUR', 100)).toBe(true)
    expect(provider.accepts('GBP', 100)).toBe(false)
    expect(provider.accepts('constructor', 100)).toBe(false)
  })

  test('webhook: challenge -> signed response', async () => {
    const challenge = '20f9f8ed05f77439fe955c977e4c8a53'
    const tried = { method: 'GET' as const, headers: {}, body: '' }
    const url = 'https://rides.example/pay/braintree/webhook?bt_challenge='
    expect(await provider.readWebhook(incoming({ ...tried, url: url + challenge }))).toEqual({
      kind: 'answer',
      body: 'integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4',
    })
    expect((await provider.readWebhook(incoming({ ...tried, url: `${url}zz` }))).kind).toBe('refused')
  })

  test('webhook: challenge response as message -> refused', async () => {
    const payload = '20f9f8ed05f77439fe955c977e4c8a53'
    const fields = { bt_signature: challengeAnswer(payload, keys), bt_payload: payload }
    const reading = await provider.readWebhook(
      incoming({
        method: 'POST',
        url: 'https://rides.example/',
        headers: {},
        body: new URLSearchParams(fields).toString(),
      }),
    )
    expect(reading).toEqual({ kind: 'refused', why: 'signature' })
  })

  test('wrong key -> permanent PaymentError', async () => {
    const wrong = { ...double.environment, BRAINTREE_PRIVATE_KEY: 'not_the_key' }
    const stranger = braintreePayments(braintreeVariables.schema.parse(wrong))
    await expect(stranger.verify?.(newPayment())).rejects.toMatchObject({ permanent: true })
  })
})

test('signature: several pairs -> raw SHA-1 of the private key, our pair found', () => {
  const signature = braintreeSignature('20f9f8ed05f77439fe955c977e4c8a53', keys.privateKey)
  expect(signature).toBe('d9b899556c966b3f06945ec21311865d35df3ce4')
  const payload = 'Zm9v'
  const ours = `integration_public_key|${braintreeSignature(payload, keys.privateKey)}`
  expect(isSigned(`another_key|abc&${ours}`, payload, keys)).toBe(true)
  expect(isSigned(`another_key|${braintreeSignature(payload, keys.privateKey)}`, payload, keys)).toBe(false)
  expect(isSigned(ours, 'Zm9w', keys)).toBe(false)
  expect(
    isSigned(`integration_public_key|${braintreeSignature('Zm9v\n', keys.privateKey)}`, payload, keys),
  ).toBe(true)
})

test('foundBy: authorized only -> pending', () => {
  const transaction = { id: '1', amount: '24.00', orderId: 'R-1', currencyIsoCode: 'USD' }
  const stateOf = (status: Parameters<typeof foundBy>[0]['status']) =>
    foundBy({ ...transaction, status }, false).state
  expect(stateOf('authorized')).toBe('pending')
  expect(stateOf('submitted_for_settlement')).toBe('paid')
  expect(stateOf('settled')).toBe('paid')
  expect(stateOf('voided')).toBe('failed')
  expect(stateOf('gateway_rejected')).toBe('failed')
})

test('variables: no merchant account -> rejected', () => {
  const { BRAINTREE_MERCHANT_ACCOUNT_USD: _, ...rest } = {
    BRAINTREE_ENV: 'live',
    BRAINTREE_MERCHANT_ID: 'm',
    BRAINTREE_PUBLIC_KEY: 'p',
    BRAINTREE_PRIVATE_KEY: 'k',
    BRAINTREE_MERCHANT_ACCOUNT_USD: 'a',
  }
  expect(braintreeVariables.schema.safeParse(rest).success).toBe(false)
  expect(
    braintreeVariables.schema.safeParse({ ...rest, BRAINTREE_MERCHANT_ACCOUNT_dollar: 'a' }).success,
  ).toBe(false)
  const known = { ...rest, BRAINTREE_MERCHANT_ACCOUNT_PEN: 'a' }
  expect(braintreeVariables.schema.safeParse(known).success).toBe(true)
  expect(braintreeVariables.schema.safeParse({ ...known, BRAINTREE_COLOUR: 'red' }).success).toBe(false)
})
