import { paymentProviders } from '@hansom/domain/payments/providers'
import { startBraintree } from '@hansom/doubles/payments/braintree'
import { startCulqi } from '@hansom/doubles/payments/culqi'
import type { ProviderDouble } from '@hansom/doubles/payments/double'
import { startFlutterwave } from '@hansom/doubles/payments/flutterwave'
import { startLiqpay } from '@hansom/doubles/payments/liqpay'
import { startMercadopago } from '@hansom/doubles/payments/mercadopago'
import { startPayfast } from '@hansom/doubles/payments/payfast'
import { startPaypal } from '@hansom/doubles/payments/paypal'
import { startPaystack } from '@hansom/doubles/payments/paystack'
import { startPaytm } from '@hansom/doubles/payments/paytm'
import { startPayulatam } from '@hansom/doubles/payments/payulatam'
import { startSecurepay } from '@hansom/doubles/payments/securepay'
import { startStripe } from '@hansom/doubles/payments/stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPayments, readPayments } from './registry.ts'
import type { TestPaymentStore } from './test/test-payments.ts'

const starts: Record<string, () => Promise<ProviderDouble>> = {
  mercadopago: startMercadopago,
  culqi: startCulqi,
  liqpay: startLiqpay,
  payfast: startPayfast,
  securepay: startSecurepay,
  paystack: startPaystack,
  flutterwave: startFlutterwave,
  payulatam: startPayulatam,
  paytm: startPaytm,
  stripe: startStripe,
  braintree: startBraintree,
  paypal: startPaypal,
}

const store: TestPaymentStore = {
  read: async () => null,
  open: async () => {},
  decide: async () => {},
  refund: async () => false,
}

describe('openPayments', () => {
  const doubles: [string, ProviderDouble][] = []

  beforeAll(async () => {
    for (const [name, start] of Object.entries(starts)) doubles.push([name, await start()])
  })
  afterAll(async () => {
    for (const [, double] of doubles) await double.close()
  })

  test('variables of each provider -> opened in the order shown to users', async () => {
    const environment = Object.assign({}, ...doubles.map(([, double]) => double.environment))
    const { payments, problems } = readPayments(environment)
    expect(problems).toEqual([])
    const opened = await openPayments(payments, { store, secret: 'a secret of the server' })
    expect(opened.map(({ name }) => name)).toEqual(paymentProviders.filter((name) => name !== 'test'))
    for (const provider of opened) {
      const { currency, amount } = doubles.find(([name]) => name === provider.name)?.[1].sample ?? {}
      expect(provider.accepts(currency ?? '', amount ?? 0)).toBe(true)
      expect(provider.accepts(currency ?? '', 0)).toBe(false)
    }
  })

  test('no variables -> no providers', async () => {
    const { payments, problems } = readPayments({ PORT: '8080' })
    expect(problems).toEqual([])
    expect(await openPayments(payments, { store, secret: 'x' })).toEqual([])
  })

  test('missing or unknown variable -> problem with its name, without values', () => {
    for (const [name, { environment }] of doubles) {
      const unknown = `${Object.keys(environment)[0]?.split('_')[0]}_NOT_A_SETTING`
      const problem = readPayments({ ...environment, [unknown]: 'something secret' }).problems.join()
      expect(problem, name).toMatch(/unrecognized|NOT_A_SETTING|unknown/i)
      const [needed = ''] = Object.keys(environment).filter(
        (one) =>
          !one.includes('URL') && readPayments({ ...environment, [one]: undefined }).problems.length > 0,
      )
      expect(needed, name).not.toBe('')
      const reported = `${problem} ${readPayments({ ...environment, [needed]: undefined }).problems.join()}`
      expect(reported, name).toContain(needed)
      for (const value of [...Object.values(environment), 'something secret'])
        if (value.length > 8) expect(reported, name).not.toContain(value)
    }
  })
})
