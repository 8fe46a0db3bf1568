import type { CheckoutView } from '@hansom/contract/payments'
import type { ProviderDouble, SentMessage } from '@hansom/doubles/payments/double'
import { startLiqpay } from '@hansom/doubles/payments/liqpay'
import { startPayfast } from '@hansom/doubles/payments/payfast'
import { startPaytm } from '@hansom/doubles/payments/paytm'
import { startPayulatam } from '@hansom/doubles/payments/payulatam'
import { startSecurepay } from '@hansom/doubles/payments/securepay'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scene } from './access-scene.fixture.ts'
import { openPayments, readPayments } from './adapters/payments/registry.ts'
import { createPaymentScene, type PaymentScene } from './features/payments/payments.fixture.ts'
import { systemClock } from './platform/clock/clock.ts'

const starts = {
  paytm: startPaytm,
  payulatam: startPayulatam,
  securepay: startSecurepay,
  payfast: startPayfast,
  liqpay: startLiqpay,
}
type Name = keyof typeof starts
const names = Object.keys(starts) as Name[]
const doubles = {} as Record<Name, ProviderDouble>
let scene: PaymentScene

beforeAll(async () => {
  for (const name of names) doubles[name] = await starts[name]()
  const environment = Object.assign({}, ...names.map((name) => doubles[name].environment))
  const store = {
    read: async () => null,
    open: async () => {},
    decide: async () => {},
    refund: async () => false,
  }
  const adapters = await openPayments(readPayments(environment).payments, { store, secret: 'x' })
  scene = await createPaymentScene({}, adapters)
})
afterAll(async () => {
  await scene.app.close()
  for (const name of names) await doubles[name].close()
})

/** A trip costing 110 whose payer has acted at the provider; `back` is the browser's return request. */
async function acted(name: Name, action: 'approve' | 'decline') {
  const double = doubles[name]
  const trip = await scene.trip('PENDING', { currency: double.sample.currency })
  const { id } = await scene.pay(trip, name)
  const shown = await scene.call<CheckoutView>(trip, 'rider', 'GET', `/api/v1/payments/${id}`)
  const { step, reference } = shown.body
  if (step?.kind !== 'form') throw new Error('form')
  const fields = step.fields.map((field): [string, string] => [field.name, field.value])
  const { back } = await double.pay({ ...step, fields }, action)
  if (!back) throw new Error('back')
  return { trip, id, reference, back, double }
}

/** Sends a message to the endpoint in its URL. */
async function deliver({ method, url, headers, body }: SentMessage) {
  const { pathname, search } = new URL(url)
  const answer = await scene.app.server.inject({
    method,
    url: `${pathname}${search}`,
    headers,
    payload: body,
  })
  return answer.statusCode
}

const statusOf = async (trip: Scene) => (await scene.booking(trip))?.status
async function untilClosed(id: string): Promise<void> {
  while ((await scene.payment(id))?.closed !== true) await systemClock.delay(10)
}

describe.each(names)('trip paid by the signed form of %s', (name) => {
  test('webhook and return repeated -> paid once', async () => {
    const { trip, id, reference, back, double } = await acted(name, 'approve')
    const message = await double.webhook(reference)
    const codes = await Promise.all([...Array.from({ length: 10 }, () => deliver(message)), deliver(back)])
    expect(codes).toEqual([...Array.from({ length: 10 }, () => 200), 303])
    await untilClosed(id)
    expect(await scene.payment(id)).toMatchObject({ state: 'paid', used_for: 'booking' })
    expect(await statusOf(trip)).toBe('PAID')
    expect(await deliver(message)).toBe(200)
    expect(await deliver(back)).toBe(303)
    expect(await scene.entries(id)).toHaveLength(1)
  })

  test('return only -> paid, if the return or the API identifies the payment', async () => {
    const { trip, id, back } = await acted(name, 'approve')
    expect(await deliver(back)).toBe(303)
    // Payfast can be queried only by its id, which only its notification contains.
    expect(await statusOf(trip)).toBe(name === 'payfast' ? 'PENDING' : 'PAID')
    expect((await scene.payment(id))?.state).toBe(name === 'payfast' ? 'pending' : 'paid')
  })

  test('forged or changed message, another amount, or declined -> not paid', async () => {
    const { trip, id, reference, back, double } = await acted(name, 'approve')
    expect(await deliver(await double.webhook(reference, { forged: true }))).toBe(400)
    expect(await deliver(await double.webhook(reference, { amount: 10_000 }))).toBe(400)
    expect(await statusOf(trip)).toBe('PENDING')
    double.falsify(reference, { amount: 10_000 })
    expect(await deliver(await double.webhook(reference))).toBe(200)
    await untilClosed(id)
    expect(await scene.payment(id)).toMatchObject({ state: 'mismatch', used_for: null })
    expect(await statusOf(trip)).toBe('PENDING')
    expect(await scene.entries(id)).toEqual([])
    expect(back.url).toContain(`/pay/${name}/return/${id}`)

    const declined = await acted(name, 'decline')
    expect(await deliver(declined.back)).toBe(303)
    expect((await scene.payment(declined.id))?.state).toBe(name === 'payfast' ? 'pending' : 'failed')
    expect(await statusOf(declined.trip)).toBe('PENDING')
  })
})
