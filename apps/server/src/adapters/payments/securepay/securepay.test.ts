import { startSecurepay } from '@hansom/doubles/payments/securepay'
import { describe, expect, test } from 'vitest'
import { incoming, paymentsSuite } from '../payments.suite.ts'
import { securepayVariables } from './options.ts'
import { readResult, requestFingerprint, resultFingerprint } from './result.ts'
import { refundMessage, securepayPayments } from './securepay.ts'

async function open({ surchargePercent = 0 } = {}) {
  const double = await startSecurepay({ surchargePercent })
  return { double, provider: securepayPayments(securepayVariables.schema.parse(double.environment)) }
}

paymentsSuite('securepay', open)

const account = { merchantId: 'ABC0001', password: 'abc123' }

describe('securepay fingerprints', () => {
  test('request and result -> same as the documentation and other integrations', () => {
    const result = { refid: 'Test Reference', amount: '100', timestamp: '20140520221931', summarycode: '1' }
    expect(resultFingerprint(account, result)).toBe('f56581336bd275c916f0c3d7490fb266505a5845')
    const picnic = { txnType: '0', primaryRef: 'Picnic-Buy', amount: '1337.00', timestamp: '20120906140000' }
    expect(requestFingerprint(account, picnic)).toBe('770258d70df0dfa6e186d5b6f7635d870abfea2b')
    const order = { txnType: '0', primaryRef: 'ORDER_1', amount: '1000', timestamp: '20260101000000' }
    expect(requestFingerprint(account, order)).toBe('f5d66de419c3bf20fc4b126d2981be5e955ca6db')
  })
})

const at = Date.UTC(2026, 0, 1)
const signed = (change: Record<string, string> = {}, unsigned: Record<string, string> = {}) => {
  const result = {
    refid: 'K7M2PQ-1',
    amount: '2500',
    timestamp: '20260101000000',
    summarycode: '1',
    ...change,
  }
  return new URLSearchParams({ ...result, fingerprint: resultFingerprint(account, result), ...unsigned })
}
const read = (fields: URLSearchParams) => readResult(fields, account, { live: true, at })

describe('securepay result', () => {
  test('approved -> paid; anything else -> not paid', () => {
    expect(read(signed({}, { txnid: '1' }))).toEqual({
      event: {
        eventKey: expect.stringMatching(/^K7M2PQ-1:20260101000000:1:[0-9a-f]{12}$/),
        reference: 'K7M2PQ-1',
        providerRef: null,
        providerId: '1',
        found: {
          state: 'paid',
          reference: 'K7M2PQ-1',
          providerId: '1',
          amount: 250_000,
          currency: 'AUD',
          live: true,
        },
      },
    })
    for (const summarycode of ['0', '2', '3', '4'])
      expect(read(signed({ summarycode }))).toMatchObject({ event: { found: { state: 'failed' } } })
  })

  test('unsigned part changed -> different event key', () => {
    const keyOf = (unsigned: Record<string, string>) => {
      const reading = read(signed({}, unsigned))
      return 'refused' in reading ? null : reading.event.eventKey
    }
    expect(keyOf({ txnid: '1' })).toBe(keyOf({ txnid: '1', restext: 'Approved' }))
    expect(keyOf({ txnid: '1' })).not.toBe(keyOf({ txnid: '2' }))
    expect(keyOf({ txnid: '1' })).not.toBe(keyOf({ txnid: '1', currency: 'NZD' }))
  })

  test('signed part changed, too old or another merchant -> refused', () => {
    for (const [name, value] of [
      ['refid', 'K7M2PQ-2'],
      ['amount', '2501'],
      ['timestamp', '20260101000001'],
      ['summarycode', '2'],
      ['fingerprint', ''],
    ] as const)
      expect(read(signed({}, { [name]: value }))).toEqual({ refused: 'fingerprint' })
    for (const timestamp of ['20251201000000', '20260301000000', '20261301000000'])
      expect(read(signed({ timestamp }))).toEqual({ refused: 'too old' })
    expect(read(signed({}, { merchant: 'XYZ0001' }))).toEqual({ refused: 'different merchant' })
  })

  test("the payer's form reinterpreted as a result -> refused", () => {
    const form = { txnType: '0', primaryRef: 'K7M2PQ-1', amount: '2500', timestamp: '20260101000000' }
    const fingerprint = requestFingerprint(account, form)
    const shifted = { refid: '0', amount: 'K7M2PQ-1', timestamp: '2500', summarycode: '20260101000000' }
    expect(resultFingerprint(account, shifted)).toBe(fingerprint)
    expect(read(new URLSearchParams({ ...shifted, fingerprint }))).toEqual({ refused: 'unknown content' })
    const bar = signed({ refid: 'K7M2PQ-1|2500' })
    expect(read(bar)).toEqual({ refused: 'unknown content' })
  })

  test('surcharge -> excluded, never more than was paid', () => {
    const found = (parts: Record<string, string>) => {
      const reading = read(signed({ amount: '2550' }, parts))
      return !('refused' in reading) && reading.event.found?.state === 'paid'
        ? reading.event.found.amount
        : null
    }
    expect(found({ baseamount: '2500', suramount: '50' })).toBe(250_000)
    expect(found({ baseamount: '2500', suramount: '40' })).toBe(255_000)
    expect(found({ baseamount: '9999', suramount: '-7449' })).toBeNull()
    expect(found({})).toBe(255_000)
  })
})

const checkout = {
  reference: 'K7M2PQ-1',
  amount: 250_000,
  currency: 'AUD',
  description: 'Trip K7M2PQ',
  payer: { id: '1', firstName: 'Ana', lastName: 'Sosa', email: 'rider@example.com', phone: null },
  returnUrl: 'https://rides.example/pay/securepay/return/1',
  webhookUrl: 'https://rides.example/pay/securepay/webhook',
  locale: 'en',
}
const payment = { ...checkout, providerRef: null, providerId: null }

describe('securepay', () => {
  test('return: posted or in the URL -> event, only for its payment', async () => {
    const { double, provider } = await open({ surchargePercent: 2 })
    const { back } = await double.pay((await provider.start(checkout)).step, 'approve')
    if (!back) throw new Error('back')
    const found = { state: 'paid', amount: 250_000 }
    expect(await provider.readReturn(incoming(back), payment)).toMatchObject({
      kind: 'back',
      event: { found },
    })
    const posted = {
      ...back,
      method: 'POST' as const,
      url: checkout.returnUrl,
      body: new URL(back.url).search.slice(1),
    }
    expect(await provider.readReturn(incoming(posted), payment)).toMatchObject({
      kind: 'back',
      event: { found },
    })
    const other = { ...payment, reference: 'K7M2PQ-2' }
    expect(await provider.readReturn(incoming(back), other)).toMatchObject({ kind: 'refused' })
    const bare = incoming({ ...back, url: checkout.returnUrl })
    expect(await provider.readReturn(bare, payment)).toEqual({ kind: 'back', event: null })
    await double.close()
  })

  test('webhook: result from last week -> refused', async () => {
    const { double, provider } = await open()
    await double.pay((await provider.start(checkout)).step, 'approve')
    const old = await double.webhook(checkout.reference, { agedMs: 7 * 24 * 3_600_000 })
    expect(await provider.readWebhook(incoming(old))).toEqual({ kind: 'refused', why: 'too old' })
    await double.close()
  })

  test('refund: transaction of another reference or repeated -> not refunded', async () => {
    const { double, provider } = await open()
    await double.pay((await provider.start(checkout)).step, 'approve')
    const reading = await provider.readWebhook(incoming(await double.webhook(checkout.reference)))
    if (reading.kind !== 'event') throw new Error('not an event')
    const { providerId } = reading.event
    const order = { id: 'r', amount: 100_000, whole: false, refundedBefore: 0, repeated: false, reason: 'x' }
    const wrong = { ...payment, providerId: '5' }
    expect(await provider.refund?.(wrong, order)).toMatchObject({ state: 'failed' })
    const paid = { ...payment, providerId }
    await expect(provider.refund?.(paid, { ...order, repeated: true })).rejects.toMatchObject({
      name: 'PaymentError',
      permanent: true,
    })
    expect(double.refunded(checkout.reference)).toBe(0)
    expect(await provider.refund?.(paid, order)).toMatchObject({ state: 'done' })
    expect(double.refunded(checkout.reference)).toBe(100_000)
    await double.close()
  })

  test('refund message -> day before month, XML escaped', () => {
    const refund = {
      id: 'K7M2PQ-1-r1',
      at: Date.UTC(2026, 10, 21, 20, 45, 1, 7),
      cents: 1,
      reference: 'a<b',
      txnId: '1',
    }
    const xml = refundMessage({ merchantId: 'ABC0001', password: 'a&b' }, refund)
    expect(xml).toContain('<messageTimestamp>20262111204501007000+000</messageTimestamp>')
    expect(xml).toContain('<password>a&#38;b</password>')
    expect(xml).toContain('<purchaseOrderNo>a&#60;b</purchaseOrderNo>')
  })
})
