import { asJson, startDoubleServer } from '@hansom/doubles/payments/double-server'
import { startPaystack } from '@hansom/doubles/payments/paystack'
import { expect, test } from 'vitest'
import { paymentsSuite } from '../payments.suite.ts'
import { paystackVariables } from './options.ts'
import { paystackPayments } from './paystack.ts'
import { foundBy, isSigned, paystackSignature } from './response.ts'

paymentsSuite('paystack', async () => {
  const double = await startPaystack()
  return { provider: paystackPayments(paystackVariables.schema.parse(double.environment)), double }
})

test('signature: raw body -> keyed with the secret key', () => {
  const body = Buffer.from('{"event":"charge.success","data":{"reference":"ORDER_1"}}')
  const signature =
    '68f3a05d01ce8f98679e20f4121f16a01e34f0fb37ef743471b23b534f96444090088afea6297297e674f1e2f34a272e91ed128271652b2cecb96fe7da878eda'
  expect(paystackSignature(body, 'sk_test_example')).toBe(signature)
  expect(isSigned(body, signature, 'sk_test_example')).toBe(true)
  expect(isSigned(Buffer.concat([body, Buffer.from(' ')]), signature, 'sk_test_example')).toBe(false)
  expect(isSigned(body, undefined, 'sk_test_example')).toBe(false)
  expect(isSigned(body, paystackSignature(body, ''), '')).toBe(false)
})

const data = { id: '1', reference: 'R-1', domain: 'test', status: 'success', currency: 'NGN' }

test('foundBy: payer bears the fee -> requested amount', () => {
  // The vendor's documented example: 403.33 paid for 300.50 requested.
  expect(foundBy({ ...data, amount: 40_333, requested_amount: 30_050 })).toMatchObject({ amount: 3_005_000 })
  expect(foundBy({ ...data, amount: 40_333 })).toMatchObject({ amount: 4_033_300 })
})

test('foundBy: less paid than requested -> paid amount', () => {
  expect(foundBy({ ...data, amount: 100, requested_amount: 30_050 })).toMatchObject({ amount: 10_000 })
})

test('foundBy: test mode, declined, abandoned, refunded -> their states', () => {
  const paid = { ...data, amount: 100 }
  expect(foundBy(paid)).toMatchObject({ state: 'paid', live: false })
  expect(foundBy({ ...paid, domain: 'live' })).toMatchObject({ live: true })
  expect(foundBy({ ...paid, status: 'failed' }).state).toBe('failed')
  expect(foundBy({ ...paid, status: 'abandoned' }).state).toBe('pending')
  expect(foundBy({ ...paid, status: 'ongoing' }).state).toBe('pending')
  expect(foundBy({ ...paid, status: 'reversed' }).state).toBe('refunded')
})

test('refund: accepted with an unknown response -> never failed', async () => {
  const server = await startDoubleServer(
    ({ route }) => asJson(route.startsWith('GET') ? { status: true, data: [] } : {}),
    () => false,
  )
  try {
    const provider = paystackPayments({ url: server.origin, secretKey: 'sk_test_1', currencies: ['USD'] })
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
