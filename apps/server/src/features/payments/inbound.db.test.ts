import type { AdminPayment } from '@hansom/contract/payments'
import type { ReportedCapture } from '@hansom/domain/payments/payment'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../platform/clock/clock.ts'
import { createLog } from '../../platform/log/log.ts'
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

describe('returns and webhooks', () => {
  test('return before any webhook -> provider is queried, the page shows the result', async () => {
    const trip = await scene.trip()
    const { id } = await scene.pay(trip, 'stripe')
    const reference = (await scene.payment(id))?.reference ?? ''
    const back = (method: 'GET' | 'POST', path = `/pay/stripe/return/${id}`) =>
      scene.app.server.inject({
        method,
        url: path,
        headers: {
          origin: 'https://pay.example',
          ...(method === 'POST' && { 'content-type': 'text/plain' }),
        },
        ...(method === 'POST' && { payload: 'status=paid' }),
      })
    const early = await back('GET')
    expect([early.statusCode, early.headers.location]).toEqual([303, `/checkout/stripe/${id}`])
    expect((await scene.payment(id))?.state).toBe('pending')
    scene.one.pay(reference)
    expect((await back('POST')).headers.location).toBe(`/checkout/stripe/${id}`)
    expect(await scene.payment(id)).toMatchObject({ state: 'paid', used_for: 'booking' })
    expect((await back('GET', `/pay/stripe/return/${trip.booking}`)).headers.location).toBe(
      '/checkout?error=not_found',
    )
    expect((await back('GET', `/pay/paystack/return/${id}`)).headers.location).toBe(
      '/checkout?error=not_found',
    )
  })

  test('return URL without a valid proof -> nothing is ended or captured', async () => {
    const trip = await scene.trip()
    const { id } = await scene.pay(trip, 'stripe')
    for (const proof of ['', '&proof=', `&proof=${'A'.repeat(22)}`]) {
      for (const agreed of ['no', 'yes']) {
        await scene.app.server.inject({ url: `/pay/stripe/return/${id}?agreed=${agreed}${proof}` })
        expect((await scene.payment(id))?.state).toBe('pending')
      }
    }
    expect(scene.one.control.taken).toBe(0)
  })

  test('payer approved -> captured once, on return or by the next poll, but not after giving up', async () => {
    const begun = async () => {
      const trip = await scene.trip()
      const { id } = await scene.pay(trip, 'stripe')
      scene.one.agree((await scene.payment(id))?.reference ?? '')
      return { trip, id }
    }
    const back = async (id: string, agreed: string) => {
      const { reference = '' } = (await scene.payment(id)) ?? {}
      const { pathname, search } = new URL(scene.one.begun.get(reference)?.returnUrl ?? '')
      return scene.app.server.inject({ url: `${pathname}${search}&agreed=${agreed}` })
    }
    const { control } = scene.one
    const returned = await begun()
    await Promise.all([back(returned.id, 'yes'), back(returned.id, 'yes'), back(returned.id, 'yes')])
    expect(await scene.payment(returned.id)).toMatchObject({ state: 'paid', used_for: 'booking' })
    const lost = await begun()
    await scene.app.services.payments.confirm(lost.id)
    expect(await scene.payment(lost.id)).toMatchObject({ state: 'paid', used_for: 'booking' })
    expect(control.taken).toBe(2)
    const turned = await begun()
    await back(turned.id, 'no')
    expect(await scene.payment(turned.id)).toMatchObject({ state: 'failed', failure: 'declined' })
    const given = await begun()
    await scene.call(given.trip, 'rider', 'POST', `/api/v1/payments/${given.id}/give-up`)
    expect(await scene.payment(given.id)).toMatchObject({ state: 'failed', failure: 'given_up' })
    await scene.app.services.payments.confirm(given.id)
    await back(given.id, 'yes')
    expect(control.taken).toBe(2)
    expect((await scene.payment(given.id))?.state).toBe('failed')
  })

  test('webhook that cannot be verified now -> 503, accepted when sent again', async () => {
    const trip = await scene.trip()
    const { id } = await scene.pay(trip, 'stripe')
    const reference = (await scene.payment(id))?.reference ?? ''
    scene.one.pay(reference)
    scene.one.control.cannotCheck = true
    expect((await scene.webhook('stripe', `again-${reference}`, reference)).statusCode).toBe(503)
    scene.one.control.cannotCheck = false
    expect((await scene.webhook('stripe', `again-${reference}`, reference)).statusCode).toBe(200)
    await isDone(id)
    expect(await scene.payment(id)).toMatchObject({ state: 'paid' })
  })

  test('webhook before the return -> paid once', async () => {
    const trip = await scene.trip()
    const { id } = await scene.pay(trip, 'stripe')
    const reference = (await scene.payment(id))?.reference ?? ''
    scene.one.pay(reference)
    expect((await scene.webhook('stripe', `early-${reference}`, reference)).statusCode).toBe(200)
    await isDone(id)
    expect(await scene.payment(id)).toMatchObject({ state: 'paid', used_for: 'booking' })
    const back = await scene.app.server.inject({ url: `/pay/stripe/return/${id}` })
    expect(back.headers.location).toBe(`/checkout/stripe/${id}`)
    expect(await scene.entries(id)).toHaveLength(1)
  })

  test('webhook while the attempt is being started -> paid', async () => {
    const trip = await scene.trip()
    let started = ''
    scene.one.control.duringStart = async () => {
      const [row] = await scene.rows<{ id: string; reference: string }>(
        'select id, reference from payments where booking = $1',
        [trip.booking],
      )
      started = row?.id ?? ''
      scene.one.pay(row?.reference ?? '')
      await scene.webhook('stripe', `during-${started}`, row?.reference ?? '')
      await isDone(started)
    }
    const { id } = await scene.pay(trip, 'stripe')
    scene.one.control.duringStart = async () => {}
    expect(id).toBe(started)
    expect(await scene.payment(id)).toMatchObject({ state: 'paid', used_for: 'booking' })
  })

  test('forged webhook -> rejected, counted, nothing is paid', async () => {
    const trip = await scene.trip()
    const { id } = await scene.pay(trip, 'stripe')
    const reference = (await scene.payment(id))?.reference ?? ''
    scene.one.pay(reference)
    const before = scene.app.services.payments.refused().stripe ?? 0
    const asked = scene.one.control.asked
    const answer = await scene.webhook('stripe', `forged-${reference}`, reference, 'guess')
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: 'invalid_input' }])
    expect(scene.app.services.payments.refused().stripe).toBe(before + 1)
    expect(scene.one.control.asked).toBe(asked)
    expect((await scene.payment(id))?.state).toBe('started')
    expect(
      await scene.rows('select from payment_messages where event_key = $1', [`forged-${reference}`]),
    ).toEqual([])
  })

  test.each([
    ['amount', { amount: 10_000 }],
    ['amount', { amount: 2_200_000 }],
    ['currency', { currency: 'ARS' }],
    ['mode', { live: true }],
    ['reference', { reference: 'OTHER1-1' }],
  ])('provider reports another %s -> nothing is paid, admins see the mismatch', async (differs, changes) => {
    const trip = await scene.trip()
    const { id } = await scene.pay(trip, 'stripe')
    const reference = (await scene.payment(id))?.reference ?? ''
    scene.one.pay(reference, changes)
    await scene.webhook('stripe', `foreign-${reference}`, reference)
    await isDone(id)
    expect(await scene.entries(id)).toEqual([])
    expect((await scene.booking(trip))?.status).toBe('PENDING')
    const list = await scene.call<{ items: { id: string; differs: string[] }[] }>(
      trip,
      'admin',
      'GET',
      `/api/v1/payments?state=mismatch&booking=${trip.booking}`,
    )
    expect(list.body.items).toMatchObject([{ id, differs: [differs] }])
  })

  test('webhook about returned money -> event for refunds', async () => {
    const trip = await scene.trip()
    const { id } = await scene.pay(trip, 'stripe')
    const reference = (await scene.payment(id))?.reference ?? ''
    scene.one.pay(reference)
    const events = () =>
      scene.rows(`select from outbox where kind = 'payment.went_back' and payload ->> 'payment' = $1`, [id])
    await scene.webhook('stripe', `paid-${reference}`, reference)
    await isDone(id)
    expect(await events()).toEqual([])
    const body = { event: `back-${reference}`, reference, isReversal: true }
    await scene.app.server.inject({
      method: 'POST',
      url: '/pay/stripe/webhook',
      headers: { 'x-signature': webhookSecret },
      payload: body,
    })
    await scene.app.services.payments.stop()
    expect(await events()).toHaveLength(1)
    expect((await scene.payment(id))?.state).toBe('paid')
  })

  describe('mismatch settled by an admin', () => {
    const foreign = async (changes: Partial<ReportedCapture>) => {
      const trip = await scene.trip()
      const { id } = await scene.pay(trip, 'stripe')
      const reference = (await scene.payment(id))?.reference ?? ''
      scene.one.pay(reference, changes)
      await scene.webhook('stripe', `settled-${reference}`, reference)
      await isDone(id)
      const settle = (outcome: string) =>
        scene.call<AdminPayment>(trip, 'admin', 'POST', `/api/v1/payments/${id}/settle`, { outcome })
      return { trip, id, reference, settle }
    }

    test("outcome wallet -> captured amount goes to the payer's wallet once", async () => {
      const { trip, id, settle } = await foreign({ amount: 900_000 })
      const answers = await Promise.all([settle('wallet'), settle('wallet')])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
      expect((await settle('given_back')).status).toBe(409)
      const [won] = answers.filter(({ status }) => status === 200)
      expect(won?.body).toMatchObject({ state: 'paid', used_for: 'wallet', amount: 900_000 })
      expect(await scene.entries(id)).toEqual([{ kind: 'late_capture' }])
      expect(await scene.balance(trip.ids.rider)).toBe(900_000)
      expect((await scene.booking(trip))?.status).toBe('PENDING')
    })

    test('outcome given_back -> final, repeated provider messages change nothing', async () => {
      const { id, reference, settle } = await foreign({ currency: 'ARS' })
      expect((await settle('wallet')).status).toBe(409)
      expect((await settle('given_back')).body).toMatchObject({ state: 'failed', used_for: null })
      await scene.webhook('stripe', `again-${reference}`, reference)
      await scene.app.services.payments.stop()
      expect(await scene.payment(id)).toMatchObject({ state: 'failed', failure: 'refunded' })
      expect(await scene.entries(id)).toEqual([])
    })

    test('no mismatch -> 409; not an admin -> 404', async () => {
      const trip = await scene.trip()
      const { id } = await scene.pay(trip, 'stripe')
      const path = `/api/v1/payments/${id}/settle`
      expect((await scene.call(trip, 'admin', 'POST', path, { outcome: 'wallet' })).status).toBe(409)
      expect((await scene.call(trip, 'rider', 'POST', path, { outcome: 'wallet' })).status).toBe(404)
    })
  })

  test('webhook about an unknown payment -> retried for a day', async () => {
    expect((await scene.webhook('stripe', 'unknown-order', 'UNKNOWN-1')).statusCode).toBe(200)
    const { payments } = scene.app.services
    await payments.stop()
    const read = () =>
      scene.rows<{ processed_at: number | null; tries: number }>(
        `select processed_at, tries from payment_messages where event_key = 'unknown-order'`,
      )
    expect(await read()).toEqual([{ processed_at: null, tries: 1 }])
    await scene.rows(
      `update payment_messages set received_at = 0, retry_at = 0 where event_key = 'unknown-order'`,
    )
    await payments.reconcile()
    expect((await read())[0]?.processed_at).not.toBeNull()
  })

  test('body too large -> 413; unknown provider -> 404', async () => {
    const send = (url: string, payload: string) =>
      scene.app.server.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json' },
        payload,
      })
    expect((await send('/pay/stripe/webhook', 'x'.repeat(300_000))).statusCode).toBe(413)
    expect((await send('/pay/paypal/webhook', '{}')).statusCode).toBe(404)
    expect((await send('/pay/unknown/webhook', '{}')).statusCode).toBe(404)
  })
})

test('log: all of the above -> no secrets, bodies or personal data', () => {
  const all = lines.join('')
  expect(lines.length).toBeGreaterThan(50)
  expect(all).toContain('payment message failed verification')
  for (const secret of [webhookSecret, testSecret, 'signature=', 'payload=', 'UNKNOWN-1', '@x.test']) {
    expect(all).not.toContain(secret)
  }
})
