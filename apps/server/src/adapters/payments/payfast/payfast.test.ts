import { startPayfast } from '@hansom/doubles/payments/payfast'
import { describe, expect, test } from 'vitest'
import { incoming, paymentsSuite } from '../payments.suite.ts'
import { readItn, sourceCheck } from './itn.ts'
import { payfastVariables } from './options.ts'
import { payfastPayments } from './payfast.ts'
import { apiSignature, formSignature, phpUrlencode } from './signature.ts'

async function open() {
  const double = await startPayfast()
  return { double, provider: payfastPayments(payfastVariables.schema.parse(double.environment)) }
}

paymentsSuite('payfast', open)

const passphrase = 'jt7NOE43FZPn'
const fieldsOf = (text: string) =>
  text.split(' | ').map((pair): [string, string] => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
const posted = (text: string, signature: string) =>
  Buffer.from(new URLSearchParams([...fieldsOf(text), ['signature', signature]]).toString())

const itn =
  'm_payment_id=1234 | pf_payment_id=1221576 | payment_status=COMPLETE | item_name=Order#123 | item_description= | ' +
  'amount_gross=10.00 | amount_fee=-0.23 | amount_net=9.77 | custom_str1= | custom_str2= | custom_str3= | custom_str4= | ' +
  'custom_str5= | custom_int1= | custom_int2= | custom_int3= | custom_int4= | custom_int5= | name_first=First | ' +
  'name_last=Last | email_address=test@test.com | merchant_id=10000100'

describe('payfast signatures', () => {
  test("form -> same as the vendor's, in field order", () => {
    const fields = fieldsOf(
      'merchant_id=10028084 | merchant_key=4hjoenwbwnuso | return_url=https://test.com/billing/success | ' +
        'cancel_url=https://test.com/billing/cancel | notify_url=https://test.com/payfast/webhook | name_first=Test | ' +
        'name_last=Test | email_address=test@test.com | m_payment_id=5 | amount=5.00 | item_name=Test | custom_int1=1 | ' +
        'custom_int2=1 | custom_str1=U29tZSBUZXN0IFN0cmluZw | custom_str2=QW5vdGhlciBUZXN0IFN0cmluZw | ' +
        'email_confirmation=1 | confirmation_address=test@test.test | subscription_type=1 | billing_date=2023-01-01 | ' +
        'recurring_amount=5 | frequency=3 | cycles=0',
    )
    expect(formSignature(fields, 'payfastsandbox')).toBe('3441682c5d8a65486f5b7cc8ce41d146')
    expect(formSignature([...fields, ['item_description', ' ']], 'payfastsandbox')).toBe(
      '3441682c5d8a65486f5b7cc8ce41d146',
    )
    expect(formSignature(fields.toReversed(), 'payfastsandbox')).not.toBe('3441682c5d8a65486f5b7cc8ce41d146')
  })

  test('notification -> all fields, including empty ones', () => {
    expect(readItn(posted(itn, 'ac4c3e993d31b5b9d525dc0087051437'), passphrase)).not.toBeNull()
    const care =
      'm_payment_id=ORDER_1 | pf_payment_id=1000001 | payment_status=COMPLETE | item_name=Trip fare (1) | ' +
      'item_description= | amount_gross=15.00 | amount_fee=-2.30 | amount_net=12.70 | custom_str1= | custom_int1= | ' +
      'name_first=Test | name_last= | email_address=rider+1@example.com | merchant_id=10000100'
    const read = readItn(posted(care, '8d44cfb586c747eb8ccd054b2fe19dba'), passphrase)
    expect(read?.values.get('item_name')).toBe('Trip fare (1)')
    const without = care.replace('item_description= | ', '')
    expect(readItn(posted(without, '8d44cfb586c747eb8ccd054b2fe19dba'), passphrase)).toBeNull()
    expect(readItn(posted(care, '8d44cfb586c747eb8ccd054b2fe19dba'), 'another')).toBeNull()
    expect(readItn(posted(care, ''), passphrase)).toBeNull()
    expect(readItn(Buffer.from(''), passphrase)).toBeNull()
  })

  test('notification: fields after the signature -> ignored', () => {
    const body = posted(itn, 'ac4c3e993d31b5b9d525dc0087051437')
    const longer = Buffer.concat([body, Buffer.from('&amount_gross=99.00')])
    expect(readItn(longer, passphrase)?.values.get('amount_gross')).toBe('10.00')
  })

  test('REST API -> sorted by name', () => {
    const headers = { 'merchant-id': '10000100', timestamp: '2026-01-01T12:00:00+02:00', version: 'v1' }
    expect(apiSignature(headers, passphrase)).toBe('aa89daa2324897a7c9358ed0ae9463d7')
  })

  test('encoding -> same as PHP', () => {
    expect(phpUrlencode("Ana María's ~(1)!*-_.&=+/%")).toBe(
      'Ana+Mar%C3%ADa%27s+%7E%281%29%21%2A-_.%26%3D%2B%2F%25',
    )
  })
})

const checkout = {
  reference: 'K7M2PQ-1',
  amount: 1_500_000,
  currency: 'ZAR',
  description: 'Trip K7M2PQ',
  payer: {
    id: '1',
    firstName: 'Zoë',
    lastName: "O'Neill & Söhne",
    email: 'rider+1@example.com',
    phone: null,
  },
  returnUrl: 'https://rides.example/pay/payfast/return/1',
  webhookUrl: 'https://rides.example/pay/payfast/webhook',
  locale: 'en',
}

describe('payfast', () => {
  test("webhook: sender -> only the IP addresses of Payfast's hosts; error if they cannot be resolved", async () => {
    let works = true
    const resolve = async (host: string) => {
      if (!works) throw new Error('no names')
      return [host === 'www' ? '197.97.145.144' : '2001:db8::1']
    }
    const isFrom = sourceCheck(['www', 'sandbox'], resolve)
    expect(await isFrom('197.97.145.144', 0)).toBe(true)
    expect(await isFrom('::ffff:197.97.145.144', 0)).toBe(true)
    expect(await isFrom('2001:db8::1', 0)).toBe(true)
    expect(await isFrom('192.0.2.1', 0)).toBe(false)
    works = false
    expect(await isFrom('197.97.145.144', 3_600_000)).toBe(true)
    await expect(sourceCheck(['www'], resolve)('197.97.145.144', 0)).rejects.toMatchObject({
      name: 'PaymentError',
      permanent: false,
    })
  })

  test('webhook: valid signature from another sender or for another merchant -> refused', async () => {
    const { double, provider } = await open()
    await double.pay((await provider.start(checkout)).step, 'approve')
    const message = incoming(await double.webhook(checkout.reference))
    expect(await provider.readWebhook(message)).toMatchObject({ kind: 'event' })
    expect(await provider.readWebhook({ ...message, from: '192.0.2.1' })).toMatchObject({ kind: 'refused' })
    const options = { ...payfastVariables.schema.parse(double.environment), merchantId: '10000101' }
    expect(await payfastPayments(options).readWebhook(message)).toMatchObject({ kind: 'refused' })
    await double.close()
  })

  test('verify: notification -> accepted only if Payfast confirms it and it is for this payment', async () => {
    const { double, provider } = await open()
    await double.pay((await provider.start(checkout)).step, 'approve')
    const { body } = incoming(await double.webhook(checkout.reference))
    const payment = { ...checkout, providerRef: null, providerId: null }
    expect(await provider.verify?.(payment, body)).toMatchObject({ state: 'paid', amount: 1_500_000 })
    await expect(provider.verify?.({ ...payment, reference: 'K7M2PQ-2' }, body)).rejects.toMatchObject({
      permanent: true,
    })
    // Signed with our passphrase, but not sent by Payfast.
    const leaked = posted(itn, 'ac4c3e993d31b5b9d525dc0087051437')
    await expect(provider.verify?.({ ...payment, reference: '1234' }, leaked)).rejects.toMatchObject({
      message: 'payfast did not confirm the notification',
    })
    await double.close()
  })

  test('verify: no provider id -> pending; with one -> REST query', async () => {
    const { double, provider } = await open()
    await double.pay((await provider.start(checkout)).step, 'approve')
    const reading = await provider.readWebhook(incoming(await double.webhook(checkout.reference)))
    if (reading.kind !== 'event') throw new Error('not an event')
    const payment = { ...checkout, providerRef: null, providerId: null }
    expect(await provider.verify?.(payment)).toEqual({ state: 'pending' })
    const { providerId } = reading.event
    expect(await provider.verify?.({ ...payment, providerId })).toMatchObject({
      state: 'paid',
      reference: checkout.reference,
      amount: 1_500_000,
    })
    await expect(provider.verify?.({ ...payment, providerId: '5' })).rejects.toMatchObject({
      name: 'PaymentError',
    })
    await double.close()
  })

  test('variables: passphrase -> letters and digits only', () => {
    const set = { PAYFAST_ENV: 'live', PAYFAST_MERCHANT_ID: '1', PAYFAST_MERCHANT_KEY: 'k' }
    expect(payfastVariables.schema.safeParse({ ...set, PAYFAST_PASSPHRASE: 'a b' }).success).toBe(false)
    expect(payfastVariables.schema.safeParse({ ...set, PAYFAST_PASSPHRASE: 'ab1' }).success).toBe(true)
  })
})
