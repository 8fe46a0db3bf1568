import type { CheckoutView } from '@hansom/contract/payments'
import type { Falsified, ProviderDouble, SentMessage } from '@hansom/doubles/payments/double'
import { startMercadopago } from '@hansom/doubles/payments/mercadopago'
import { startPaypal } from '@hansom/doubles/payments/paypal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mercadopagoPayments } from '../../adapters/payments/mercadopago/mercadopago.ts'
import { mercadopagoVariables } from '../../adapters/payments/mercadopago/options.ts'
import { paypalVariables } from '../../adapters/payments/paypal/options.ts'
import { paypalPayments } from '../../adapters/payments/paypal/paypal.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { createPaymentScene, type PaymentScene } from './payments.fixture.ts'

/** A provider as this test uses it: its records, and the message it sends when a payer has paid or approved. */
interface Vendor {
  double: ProviderDouble
  currency: string
  message(reference: string, falsified?: Falsified): Promise<SentMessage>
}

let scene: PaymentScene
const vendors = new Map<string, Vendor>()
beforeAll(async () => {
  const [paypal, mercadopago] = [await startPaypal(), await startMercadopago()]
  vendors.set('mercadopago', { double: mercadopago, currency: 'UYU', message: mercadopago.webhook })
  // Reports that the payer approved; the money is not captured yet.
  const agreed: Vendor['message'] = async (...told) => paypal.approvedEvent(...told)
  vendors.set('paypal', { double: paypal, currency: 'EUR', message: agreed })
  scene = await createPaymentScene({}, [
    paypalPayments(paypalVariables.schema.parse(paypal.environment)),
    mercadopagoPayments(mercadopagoVariables.schema.parse(mercadopago.environment)),
  ])
})
afterAll(async () => {
  await scene.app.close()
  for (const { double } of vendors.values()) await double.close()
})

const deliver = ({ method, url, headers, body }: SentMessage) => {
  const { pathname, search } = new URL(url)
  return scene.app.server.inject({ method, url: pathname + search, headers, payload: body })
}

/** Waits for work after the response, which has no other signal. */
async function isDone(id: string): Promise<void> {
  while (!(await scene.payment(id))?.closed) await systemClock.delay(10)
}

describe.each(['paypal', 'mercadopago'])('%s', (name) => {
  const vendor = () => vendors.get(name) as Vendor

  async function begun() {
    const { double, currency, message } = vendor()
    const trip = await scene.trip('PENDING', { currency })
    const { id } = await scene.pay(trip, name)
    const { body } = await scene.call<CheckoutView>(trip, 'rider', 'GET', `/api/v1/payments/${id}`)
    if (body.step?.kind !== 'redirect') throw new Error('no redirect')
    const { step, reference } = body
    const status = async () => (await scene.booking(trip))?.status
    return {
      id,
      double,
      reference,
      message,
      status,
      act: (action: 'approve' | 'decline') => double.pay(step, action),
    }
  }

  test('payer returns -> PAID', async () => {
    const { id, act, status } = await begun()
    const { back } = await act('approve')
    const answer = await deliver(back as SentMessage)
    expect(answer.headers.location).toBe(`/checkout/${name}/${id}`)
    expect(await status()).toBe('PAID')
  })

  test('100 concurrent webhooks, no return -> paid once; forged webhook -> rejected', async () => {
    const { id, act, status, double, reference, message } = await begun()
    await act('approve')
    expect((await deliver(await message(reference, { forged: true }))).statusCode).toBe(400)
    expect(await status()).toBe('PENDING')
    const sent = await message(reference)
    const answers = await Promise.all(Array.from({ length: 100 }, () => deliver(sent)))
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    await isDone(id)
    expect(await status()).toBe('PAID')
    expect(await scene.entries(id)).toHaveLength(1)
    expect(double.captures(reference)).toBe(1)
  })

  test('payer declines and returns -> attempt failed', async () => {
    const { id, act, status } = await begun()
    const { back } = await act('decline')
    await deliver(back as SentMessage)
    expect(await scene.payment(id)).toMatchObject({ state: 'failed' })
    expect(await status()).toBe('PENDING')
  })
})

describe.each(['mercadopago'])('%s, which must verify its own webhooks', (name) => {
  test('verification request fails -> error, accepted when sent again', async () => {
    const { double, currency, message } = vendors.get(name) as Vendor
    const trip = await scene.trip('PENDING', { currency })
    const { id } = await scene.pay(trip, name)
    const { body } = await scene.call<CheckoutView>(trip, 'rider', 'GET', `/api/v1/payments/${id}`)
    if (body.step?.kind !== 'redirect') throw new Error('no redirect')
    await double.pay(body.step, 'approve')
    const sent = await message(body.reference)
    double.isDown = true
    expect((await deliver(sent)).statusCode).toBeGreaterThanOrEqual(500)
    double.isDown = false
    expect((await deliver(sent)).statusCode).toBe(200)
    await isDone(id)
    expect((await scene.booking(trip))?.status).toBe('PAID')
  })
})
