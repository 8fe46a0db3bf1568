import type { CardService, CheckoutView, PaymentOrder } from '@hansom/contract/payments'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signMessage } from '../../adapters/payments/test/test-payments.ts'
import { systemClock } from '../../platform/clock/clock.ts'
import { createLog } from '../../platform/log/log.ts'
import { anonymise, eraseAccount } from '../users/admin/remove-user.ts'
import { createPaymentScene, type PaymentScene, testSecret, webhookSecret } from './payments.fixture.ts'

let scene: PaymentScene
const lines: string[] = []
beforeAll(async () => {
  const log = createLog({
    level: 'debug',
    readable: false,
    destination: { write: (line) => void lines.push(line) },
  })
  scene = await createPaymentScene({ log })
})
afterAll(() => scene.app.close())

/** Polls until a condition holds: work after a response has no other signal. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await systemClock.delay(10)
}
const isDone = (id: string) => until(async () => (await scene.payment(id))?.closed === true)

test('services: admin -> providers with their webhook URLs, without secrets; rider -> 404', async () => {
  const trip = await scene.trip()
  const path = '/api/v1/payments/services'
  const { body } = await scene.call<CardService[]>(trip, 'admin', 'GET', path)
  expect(body).toMatchObject([
    { name: 'stripe', live: false, currency: 'UYU', takes: true, refunds: false },
    { name: 'paystack' },
    { name: 'test', refunds: true },
  ])
  expect(body[0]?.webhook).toMatch(/^http.*\/pay\/stripe\/webhook$/)
  expect(JSON.stringify(body)).not.toContain(webhookSecret)
  expect((await scene.call(trip, 'rider', 'GET', path)).status).toBe(404)
})

describe('order form', () => {
  test('order with its providers -> posting it leads to the checkout page', async () => {
    const trip = await scene.trip()
    const { body } = await scene.call<PaymentOrder>(
      trip,
      'rider',
      'GET',
      `/api/v1/payments/orders/${trip.booking}`,
    )
    expect(body).toMatchObject({ kind: 'booking', booking: trip.booking, amount: 1_100_000, currency: 'UYU' })
    expect(body.providers).toEqual([
      { name: 'stripe', link: '/pay/stripe', takes: true, live: false },
      { name: 'paystack', link: '/pay/paystack', takes: true, live: false },
      { name: 'test', link: '/pay/test', takes: true, live: false },
    ])
    expect(body.fields.map(({ name }) => name)).toEqual([
      'order_id',
      'amount',
      'currency',
      'product_name',
      'first_name',
      'last_name',
      'quantity',
      'cust_id',
      'mobile_no',
      'email',
    ])
    const fields = Object.fromEntries(body.fields.map(({ name, value }) => [name, value]))
    expect(fields).toMatchObject({ amount: '110.00', quantity: '1', cust_id: trip.ids.rider })
    const { status, location, id } = await scene.pay(trip, 'stripe', fields)
    expect([status, location]).toEqual([303, `/checkout/stripe/${id}`])
    const shown = await scene.call<CheckoutView>(trip, 'rider', 'GET', `/api/v1/payments/${id}`)
    expect(shown.body).toMatchObject({
      state: 'started',
      reference: `${body.booking_id}-1`,
      step: { kind: 'redirect', url: `https://pay.example/${body.booking_id}-1` },
    })
    expect(scene.one.begun.get(`${body.booking_id}-1`)).toMatchObject({
      amount: 1_100_000,
      returnUrl: expect.stringContaining(`/pay/stripe/return/${id}`),
      payer: { id: trip.ids.rider, firstName: 'Test' },
    })
    // Posted again, it returns the same attempt.
    expect((await scene.pay(trip, 'stripe', fields)).id).toBe(id)
    const list = await scene.call<{ items: object[] }>(
      trip,
      'rider',
      'GET',
      `/api/v1/bookings/${trip.booking}/payments`,
    )
    expect(list.body.items).toHaveLength(1)
  })

  test('order was paid by other means -> attempt shows as lapsed', async () => {
    const trip = await scene.trip()
    const { id } = await scene.pay(trip, 'stripe')
    const isLapsed = async () =>
      (await scene.call<CheckoutView>(trip, 'rider', 'GET', `/api/v1/payments/${id}`)).body.lapsed
    expect(await isLapsed()).toBe(false)
    await scene.credit(trip.ids.rider, 1_100_000)
    await scene.call(trip, 'rider', 'POST', `/api/v1/bookings/${trip.booking}/pay-by-wallet`, {})
    expect(await isLapsed()).toBe(true)
  })

  test('posted ten times at once -> one attempt', async () => {
    const trip = await scene.trip()
    const answers = await Promise.all(Array.from({ length: 10 }, () => scene.pay(trip, 'stripe')))
    expect(new Set(answers.map(({ location }) => location)).size).toBe(1)
    expect(await scene.rows('select from payments where booking = $1', [trip.booking])).toHaveLength(1)
  })

  test('mismatching or unpayable order -> checkout page with the error', async () => {
    const trip = await scene.trip()
    const at = async (fields: Record<string, string>, provider = 'stripe') =>
      (await scene.pay(trip, provider, fields)).location
    expect(await at({ amount: '1.00' })).toBe(`/checkout?error=fare_changed&order=${trip.booking}`)
    expect(await at({ amount: 'all' })).toBe(`/checkout?error=fare_changed&order=${trip.booking}`)
    expect(await at({ currency: 'USD' })).toBe(`/checkout?error=conflict&order=${trip.booking}`)
    expect(await at({ cust_id: trip.ids.otherRider })).toContain('error=conflict')
    expect(await at({ order_id: trip.ids.rider })).toContain('error=not_found')
    expect(await at({}, 'paypal')).toContain('error=no_provider_found')
    const others = await scene.pay(trip, 'stripe', {}, 'otherRider')
    expect([others.status, others.location]).toEqual([303, `/checkout?error=not_found&order=${trip.booking}`])
    const paid = await scene.trip('PAID')
    expect((await scene.pay(paid, 'stripe')).location).toContain('error=already_paid')
    const driving = await scene.trip('STARTED')
    expect((await scene.pay(driving, 'stripe')).location).toContain('error=wrong_status')
    expect(await scene.rows('select from payments where booking = $1', [trip.booking])).toEqual([])
  })

  test('signed out, foreign origin, too large -> login or error page', async () => {
    const trip = await scene.trip()
    const post = (headers: Record<string, string>) =>
      scene.app.server.inject({
        method: 'POST',
        url: '/pay/stripe',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: `order_id=${trip.booking}`,
      })
    const signedOut = await post({})
    expect([signedOut.statusCode, signedOut.headers.location]).toEqual([303, '/login'])
    const foreign = await post({ authorization: trip.bearers.rider, origin: 'https://evil.example' })
    expect([foreign.statusCode, foreign.headers.location]).toEqual([303, '/checkout?error=forbidden'])
    expect(await scene.rows('select from payments where booking = $1', [trip.booking])).toEqual([])
    const tooLarge = await scene.app.server.inject({
      method: 'POST',
      url: '/pay/stripe',
      headers: { authorization: trip.bearers.rider, 'content-type': 'application/x-www-form-urlencoded' },
      payload: `order_id=${'x'.repeat(40_000)}`,
    })
    expect([tooLarge.statusCode, tooLarge.headers.location]).toEqual([303, '/checkout?error=too_large'])
  })

  test('amount has changed -> the new attempt supersedes the old one', async () => {
    const trip = await scene.trip()
    const first = await scene.pay(trip, 'stripe')
    await scene.rows('update bookings set payable_amount = 900000, discount_amount = 200000 where id = $1', [
      trip.booking,
    ])
    const second = await scene.pay(trip, 'stripe')
    expect(second.id).not.toBe(first.id)
    expect(await scene.payment(first.id)).toMatchObject({
      state: 'expired',
      failure: 'superseded',
      closed: true,
    })
    expect((await scene.payment(second.id))?.reference).toMatch(/-2$/)
  })

  test('provider fails to start -> failed, can be retried', async () => {
    const trip = await scene.trip()
    scene.one.control.startFails = true
    const first = await scene.pay(trip, 'stripe')
    scene.one.control.startFails = false
    expect(await scene.payment(first.id)).toMatchObject({
      state: 'failed',
      failure: 'not_started',
      closed: true,
    })
    const shown = await scene.call<CheckoutView>(trip, 'rider', 'GET', `/api/v1/payments/${first.id}`)
    expect(shown.body).toMatchObject({ failure: 'payments.failure_not_started', step: null })
    expect((await scene.payment((await scene.pay(trip, 'stripe')).id))?.state).toBe('started')
  })
})

describe('test provider', () => {
  test('approve on its page -> trip is PAID', async () => {
    const trip = await scene.trip()
    const { id } = await scene.pay(trip, 'test')
    const show = () => scene.call<CheckoutView>(trip, 'rider', 'GET', `/api/v1/payments/${id}`)
    expect((await show()).body.step).toEqual({
      kind: 'page',
      data: { reference: (await show()).body.reference, amount: '110.00', currency: 'UYU' },
    })
    const decide = (decision: string, member: 'rider' | 'otherRider' = 'rider') =>
      scene.call<{ payment: CheckoutView }>(trip, member, 'POST', `/api/v1/payments/${id}/complete`, {
        input: { decision },
      })
    expect((await decide('approve', 'otherRider')).status).toBe(404)
    expect((await decide('leave_pending')).body.payment).toMatchObject({ state: 'pending' })
    expect((await show()).body.step).not.toBeNull()
    expect((await decide('approve')).body.payment).toMatchObject({
      state: 'paid',
      used_for: 'booking',
      step: null,
    })
    expect(await scene.booking(trip)).toMatchObject({ status: 'PAID', payable_amount: 0 })
    expect(await scene.entries(id)).toEqual([{ kind: 'card_payment' }])
    expect((await decide('decline')).body.error).toBe('wrong_status')
    expect(await scene.escrow(trip)).toBe(0)
  })

  test('decline -> trip stays PENDING, another attempt is possible', async () => {
    const trip = await scene.trip()
    const { id } = await scene.pay(trip, 'test')
    const input = { decision: 'decline' }
    await scene.call(trip, 'rider', 'POST', `/api/v1/payments/${id}/complete`, { input })
    expect(await scene.payment(id)).toMatchObject({ state: 'failed', failure: 'declined', closed: true })
    expect((await scene.booking(trip))?.status).toBe('PENDING')
    expect((await scene.pay(trip, 'test')).id).not.toBe(id)
  })

  test('top-up -> wallet is credited once', async () => {
    const trip = await scene.trip()
    const made = await scene.call<{ order: string }>(trip, 'driver', 'POST', '/api/v1/me/top-ups', {
      amount: 500_000,
    })
    expect(made.status).toBe(201)
    const much = await scene.call(trip, 'driver', 'POST', '/api/v1/me/top-ups', { amount: 1_000_010_000 })
    expect(much.body).toMatchObject({ error: 'top_up_too_much' })
    const wrong = await scene.call(trip, 'driver', 'POST', '/api/v1/me/top-ups', { amount: -1 })
    expect(wrong.body.error).toBe('no_details_error')
    const posted = await scene.pay(trip, 'test', { order_id: made.body.order }, 'driver')
    const input = { decision: 'approve' }
    await scene.call(trip, 'driver', 'POST', `/api/v1/payments/${posted.id}/complete`, { input })
    expect(await scene.payment(posted.id)).toMatchObject({ state: 'paid', used_for: 'top_up', closed: true })
    expect(await scene.balance(trip.ids.driver)).toBe(500_000)
    const again = await scene.pay(trip, 'test', { order_id: made.body.order }, 'driver')
    expect(again.location).toContain('error=already_paid')
    const notified = await scene.call<{ items: { title: string }[] }>(
      trip,
      'driver',
      'GET',
      '/api/v1/me/notifications',
    )
    expect(notified.body.items[0]?.title).toBe('notify.topped_up.title')
  })

  test('webhook -> counts only with a valid, fresh signature', async () => {
    const trip = await scene.trip()
    const { id } = await scene.pay(trip, 'test')
    const reference = (await scene.payment(id))?.reference ?? ''
    await scene.rows(`update test_payments set state = 'paid' where reference = $1`, [reference])
    const send = (secret: string, agedMs = 0) =>
      scene.app.server.inject({
        method: 'POST',
        url: '/pay/test/webhook',
        headers: { origin: 'https://test.example', 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(
          signMessage({ reference, event: `e-${reference}`, issuedAt: Date.now() - agedMs }, secret),
        ).toString(),
      })
    expect((await send('another secret')).statusCode).toBe(400)
    expect((await send(testSecret, 16 * 60_000)).statusCode).toBe(400)
    expect((await scene.booking(trip))?.status).toBe('PENDING')
    expect((await send(testSecret)).statusCode).toBe(200)
    await isDone(id)
    expect((await scene.booking(trip))?.status).toBe('PAID')
  })
})

test('get_providers: old path -> list of providers', async () => {
  const answer = await scene.app.server.inject({ url: '/get_providers' })
  expect(answer.json()).toEqual(
    ['stripe', 'paystack', 'test'].map((name) => ({
      name,
      link: expect.stringMatching(`^https?://.+/pay/${name}$`),
    })),
  )
})

test("payments list: admin searches and exports -> attempt found; payer's data export -> includes it", async () => {
  const trip = await scene.trip()
  const { id } = await scene.pay(trip, 'stripe')
  const reference = (await scene.payment(id))?.reference ?? ''
  const found = await scene.call<{ items: { id: string }[] }>(
    trip,
    'admin',
    'GET',
    `/api/v1/payments?q=${reference.slice(0, 8)}`,
  )
  expect(found.body.items.map((one) => one.id)).toEqual([id])
  const count = await scene.call(trip, 'admin', 'GET', `/api/v1/payments/count?payer=${trip.ids.rider}`)
  expect(count.body).toEqual({ count: 1, more: false })
  expect((await scene.call(trip, 'rider', 'GET', '/api/v1/payments')).status).toBe(404)
  const file = await scene.app.server.inject({
    url: `/api/v1/exports/payments?payer=${trip.ids.rider}`,
    headers: { authorization: trip.bearers.admin },
  })
  expect(file.body.split('\r\n')[1]).toContain(`"${reference}","Test rider",110,"UYU","Stripe"`)
  const data = await scene.call<{ payments: { id: string }[] }>(trip, 'rider', 'GET', '/api/v1/me/data')
  expect(data.body.payments.map((one) => one.id)).toEqual([id])
})

test('deleted account: attempts and messages -> no personal data', async () => {
  const trip = await scene.trip()
  const { id } = await scene.pay(trip, 'stripe')
  const reference = (await scene.payment(id))?.reference ?? ''
  scene.one.pay(reference)
  await scene.webhook('stripe', `of-${reference}`, reference)
  await isDone(id)
  const { app } = scene
  await app.services.payments.stop()
  const user = await app.services.users.find(trip.ids.rider)
  if (!user) throw new Error('user not found')
  await app.database.withTransaction((tx) => anonymise(tx, user, 1))
  await eraseAccount({ database: app.database, now: () => 1 }, user.id)
  const rows = await scene.rows(
    `select p.payer_name, p.step, length(m.body) as body from payments p join payment_messages m on m.payment = p.id
      where p.id = $1`,
    [id],
  )
  expect(rows).toEqual([{ payer_name: 'Deleted user', step: null, body: 0 }])
})

test('account deletion: open payment -> open_payment', async () => {
  const trip = await scene.trip('PAID')
  const { rider } = trip.ids
  const go = () => scene.call<object>(trip, 'rider', 'POST', '/api/v1/me/deletion', {})
  const topUp = await scene.call<{ order: string }>(trip, 'rider', 'POST', '/api/v1/me/top-ups', {
    amount: 50_000,
  })
  const { id } = await scene.pay(trip, 'stripe', { order_id: topUp.body.order })
  const reference = (await scene.payment(id))?.reference ?? ''
  const set = (change: string) => scene.rows(`update payments set ${change} where id = $1`, [id])
  for (const onItsWay of [
    `state = 'pending'`,
    `state = 'started', capturing_until = 1`,
    `state = 'paid', paid_at = 1, capturing_until = null`,
  ]) {
    await set(onItsWay)
    const refused = await go()
    expect([onItsWay, refused.status, refused.body.error]).toEqual([onItsWay, 409, 'open_payment'])
  }
  // Started but undecided attempts end with the account. If such an attempt is paid later, the payment is found and
  // shown.
  await set(`state = 'started', paid_at = null`)
  expect((await go()).status).toBe(200)
  expect(await scene.payment(id)).toMatchObject({ state: 'failed', failure: 'given_up', closed: true })
  scene.one.pay(reference)
  await scene.webhook('stripe', `gone-${reference}`, reference)
  await scene.app.services.payments.stop()
  expect(await scene.payment(id)).toMatchObject({ state: 'paid', used_for: 'top_up' })
  expect(await scene.balance(rider)).toBe(50_000)
  const messages = await scene.rows('select length(body) as n from payment_messages where payment = $1', [id])
  expect(messages).toEqual([{ n: 0 }])
})

test('log: all of the above -> no secrets, bodies or personal data', () => {
  const all = lines.join('')
  expect(lines.length).toBeGreaterThan(50)
  expect(all).toContain('payment message failed verification')
  for (const secret of [webhookSecret, testSecret, 'signature=', 'payload=', 'UNKNOWN-1', '@x.test']) {
    expect(all).not.toContain(secret)
  }
})
