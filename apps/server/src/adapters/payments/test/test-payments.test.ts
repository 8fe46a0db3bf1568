import type { ProviderDouble } from '@hansom/doubles/payments/double'
import { expect, test } from 'vitest'
import { incoming, paymentsSuite } from '../payments.suite.ts'
import { PaymentError } from '../port.ts'
import {
  readSigned,
  signMessage,
  type TestPayment,
  type TestPaymentStore,
  testPayments,
} from './test-payments.ts'

const secret = 'the secret of the test provider'
const sample = { currency: 'UYU', amount: 1_100_000 }

/** In-memory storage, and the page's buttons. */
function openDouble() {
  const payments = new Map<string, TestPayment & { refunds: Map<string, number> }>()
  const captures = new Map<string, number>()
  let sent = 0
  const opened = <T>(value: T): T => {
    if (double.isDown) throw new PaymentError('storage is unavailable', { permanent: false })
    return value
  }
  const book: TestPaymentStore = {
    read: async (reference) => opened(payments.get(reference) ?? null),
    open: async (payment) => {
      if (!payments.has(payment.reference)) {
        payments.set(payment.reference, { ...payment, state: 'open', refunded: 0, refunds: new Map() })
      }
    },
    decide: async (reference, state) => {
      const payment = payments.get(reference)
      if (!payment || payment.state === 'paid') return
      payment.state = state
      if (state === 'paid') captures.set(reference, (captures.get(reference) ?? 0) + 1)
    },
    refund: async (reference, id, amount) => {
      const payment = payments.get(reference)
      if (!payment) return false
      if (payment.refunds.has(id)) return true
      if (payment.refunded + amount > payment.amount) return false
      payment.refunds.set(id, amount)
      payment.refunded += amount
      return true
    },
  }
  const double: ProviderDouble = {
    environment: { PAYMENT_TEST_SECRET: secret },
    sample,
    pay: async (_step, action) =>
      action === 'leave' ? {} : { complete: { decision: action === 'approve' ? 'approve' : 'decline' } },
    webhook: async (reference, { forged, agedMs = 0, amount } = {}) => {
      sent += 1
      const message = { reference, event: `event-${sent}`, issuedAt: Date.now() - agedMs }
      const fields = signMessage(message, forged ? 'another' : secret)
      if (amount !== undefined) fields.payload = `${fields.payload}x`
      return {
        method: 'POST',
        url: 'https://rides.example/pay/test/webhook',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      }
    },
    falsify: (reference, falsified) => {
      Object.assign(payments.get(reference) ?? {}, falsified)
    },
    reverse: () => {},
    refunded: (reference) => payments.get(reference)?.refunded ?? 0,
    captures: (reference) => captures.get(reference) ?? 0,
    isDown: false,
    close: async () => {},
  }
  return { double, provider: testPayments({ secret, store: book }) }
}

paymentsSuite('test', async () => openDouble())

test('message -> valid for 15 minutes', async () => {
  const { double, provider } = openDouble()
  const aged = async (agedMs: number) =>
    (await provider.readWebhook(incoming(await double.webhook('K7M2PQ-1', { agedMs })))).kind
  expect([await aged(14 * 60_000), await aged(16 * 60_000), await aged(-16 * 60_000)]).toEqual([
    'event',
    'refused',
    'refused',
  ])
})

test('signature -> same as calculated independently', () => {
  const fields = signMessage({ reference: 'K7M2PQ-1', event: 'e', issuedAt: 1 }, 'key')
  expect(fields).toEqual({
    payload: 'eyJyZWZlcmVuY2UiOiJLN00yUFEtMSIsImV2ZW50IjoiZSIsImlzc3VlZEF0IjoxfQ',
    signature: '339eca59a386c3ed37cc335a67241cdfef8e78fc91ae7167ef7cb27ca8a620c2',
  })
  expect(readSigned(new URLSearchParams(fields), 'key', 1)).toMatchObject({ reference: 'K7M2PQ-1' })
  expect(readSigned(new URLSearchParams(fields), 'yek', 1)).toBe('wrong signature')
  expect(readSigned(new URLSearchParams(), 'key', 1)).toBe('wrong signature')
})

test('pending payment -> can still be decided', async () => {
  const { provider } = openDouble()
  const payment = { reference: 'K7M2PQ-9', ...sample, providerRef: null, providerId: null }
  const { complete, verify } = provider
  if (!complete || !verify) throw new Error('it has both')
  const payer = { id: 'p', firstName: 'Ana', lastName: 'Test', email: 'ana@test.example', phone: null }
  await provider.start({ ...payment, description: '', payer, returnUrl: '', webhookUrl: '', locale: 'en' })
  for (const [decision, state] of [
    ['', 'pending'],
    ['leave_pending', 'pending'],
    ['decline', 'failed'],
    ['approve', 'paid'],
    ['decline', 'paid'],
  ] as const) {
    await complete(payment, { decision })
    expect((await verify(payment)).state).toBe(state)
  }
})
