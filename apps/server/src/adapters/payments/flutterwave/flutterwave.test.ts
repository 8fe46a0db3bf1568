import { asJson, startDoubleServer } from '@hansom/doubles/payments/double-server'
import { startFlutterwave } from '@hansom/doubles/payments/flutterwave'
import { expect, test } from 'vitest'
import { incoming, paymentsSuite } from '../payments.suite.ts'
import type { IncomingMessage } from '../port.ts'
import { flutterwavePayments } from './flutterwave.ts'
import { flutterwaveVariables } from './options.ts'
import { flutterwaveSignature, isSigned } from './response.ts'

paymentsSuite('flutterwave', async () => {
  const double = await startFlutterwave()
  return { provider: flutterwavePayments(flutterwaveVariables.schema.parse(double.environment)), double }
})

const body = '{"event":"charge.completed","data":{"id":1,"tx_ref":"ORDER_1"}}'
const message = (headers: Record<string, string>): IncomingMessage =>
  incoming({ method: 'POST', url: 'https://rides.example/', headers, body })

test('signature: secret hash as key -> known value', () => {
  const signature = 'H8KlHiQaEH58Y44eMJ1p6394eBRGUIwgmvF8ZGaccOY='
  expect(flutterwaveSignature(Buffer.from(body), 'example-secret-hash')).toBe(signature)
  expect(isSigned(message({ 'flutterwave-signature': signature }), 'example-secret-hash')).toBe(true)
  expect(isSigned(message({ 'flutterwave-signature': signature }), 'another-secret-hash')).toBe(false)
})

test('webhook: secret hash itself -> accepted; wrong signature or empty secret -> refused', () => {
  expect(isSigned(message({ 'verif-hash': 'example-secret-hash' }), 'example-secret-hash')).toBe(true)
  expect(isSigned(message({ 'verif-hash': 'example-secret-hasH' }), 'example-secret-hash')).toBe(false)
  expect(isSigned(message({}), 'example-secret-hash')).toBe(false)
  expect(isSigned(message({ 'verif-hash': '' }), '')).toBe(false)
  const both = { 'verif-hash': 'example-secret-hash', 'flutterwave-signature': 'AAAA' }
  expect(isSigned(message(both), 'example-secret-hash')).toBe(false)
})

test('webhook: not about a charge -> ignored', async () => {
  const provider = flutterwavePayments({ secretKey: 'FLWSECK-1-X', secretHash: 'hash-hash', currencies: [] })
  const text = '{"event":"test_assess","data":{}}'
  const read = await provider.readWebhook({
    ...message({ 'verif-hash': 'hash-hash' }),
    body: Buffer.from(text),
  })
  expect(read.kind).toBe('ignored')
  expect(provider.live).toBe(true)
})

test('takes: currencies without decimals -> no fractions', () => {
  const options = { secretKey: 'FLWSECK-1-X', secretHash: 'hash-hash', currencies: ['UGX', 'NGN'] }
  const provider = flutterwavePayments(options)
  expect(provider.accepts('NGN', 15_000)).toBe(true)
  expect(provider.accepts('NGN', 15_050)).toBe(false)
  expect(provider.accepts('UGX', 15_000)).toBe(false)
  expect(provider.accepts('UGX', 20_000)).toBe(true)
})

test('verify: unpaid reference and id -> pending', async () => {
  const double = await startFlutterwave()
  try {
    const provider = flutterwavePayments(flutterwaveVariables.schema.parse(double.environment))
    const unpaid = { reference: 'UNKNOWN-1', amount: 1, currency: 'NGN', providerRef: null, providerId: '99' }
    expect(await provider.verify?.(unpaid)).toEqual({ state: 'pending' })
  } finally {
    await double.close()
  }
})

test('refund: accepted with an unknown response -> never failed', async () => {
  const server = await startDoubleServer(
    ({ route }) => asJson(route.startsWith('GET') ? { data: [] } : {}),
    () => false,
  )
  try {
    const provider = flutterwavePayments({
      url: server.origin,
      secretKey: 'FLWSECK_TEST-1',
      secretHash: 'hash',
      currencies: ['USD'],
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
