import type { Disputed, RefundView } from '@hansom/contract/refunds'
import { unit } from '@hansom/domain/money/amount'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createCarType, createScene, type Scene } from '../../access-scene.fixture.ts'
import {
  PaymentError,
  type PaymentProvider,
  type RefundResult,
  type Reversal,
  type ReversalReport,
} from '../../adapters/payments/port.ts'
import { type ManualClock, manualClock } from '../../platform/clock/manual-clock.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

const secret = 'session secret for the refund tests, long enough'
let app: TestApp
let scene: Scene
let clock: ManualClock
let carType: string
/** Requests to the provider, and its next answers. */
let orders: { id: string; amount: number; whole: boolean; repeated: boolean; refundedBefore: number }[]
let answers: (RefundResult | PaymentError)[]
/** Returned money that the provider reports. */
let reported: ReversalReport | PaymentError
/** Payments that the provider was asked about. */
let asked: (string | null)[]

const next = (): RefundResult => {
  const answer = answers.shift() ?? { state: 'done', providerRefundId: 'back-1' }
  if (answer instanceof PaymentError) throw answer
  return answer
}
const provider: PaymentProvider = {
  name: 'stripe',
  live: false,
  hosts: {},
  accepts: () => true,
  start: () => Promise.reject(new Error('not called in these tests')),
  readReturn: async () => ({ kind: 'back', event: null }),
  readWebhook: async () => ({ kind: 'refused', why: 'not called in these tests' }),
  verify: null,
  refund: async (_payment, { id, amount, whole, repeated, refundedBefore }) => {
    orders.push({ id, amount, whole, repeated, refundedBefore })
    return next()
  },
  refundState: async () => next(),
  listReversals: async ({ reference }) => {
    asked.push(reference)
    if (reported instanceof PaymentError) throw reported
    return reported
  },
}

beforeAll(async () => {
  clock = manualClock()
  const limits = { all: 1e6 }
  app = await createTestApp({ maps: straightMaps(), authSecret: secret, limits, clock, payments: [provider] })
  carType = await createCarType(app.database)
})
afterAll(() => app.close())

beforeEach(async () => {
  orders = []
  answers = []
  reported = []
  asked = []
  scene = await createScene(app.database, secret, { carType, isAssigned: true })
})

async function call<T>(method: 'GET' | 'POST', url: string, payload?: object, key?: string) {
  const headers = { authorization: scene.bearers.admin, ...(key && { 'idempotency-key': key }) }
  const answer = await app.server.inject({ method, url, headers, ...(payload && { payload }) })
  return { status: answer.statusCode, body: answer.json<T & { error?: string }>() }
}
const why = 'The route was too long'
const ask = (wish: object, key?: string) =>
  call<RefundView>(
    'POST',
    '/api/v1/refunds',
    { booking: scene.booking, payment: null, reason: why, ...wish },
    key,
  )
const disputed = async () => (await call<Disputed>('GET', `/api/v1/bookings/${scene.booking}/refunds`)).body
const cash = (amount: number, bearer = 'platform') => ({ source: 'cash', amount: amount * unit, bearer })

/** Ends the scene's booking, paid by these parts (in currency units). */
async function paid({ cash: byCash = 0, card = 0, wallet = 0, status = 'COMPLETE', fee = 0 }) {
  await app.database.pool.query(
    `update bookings set status = $2, cash_payment_amount = $3, card_payment_amount = $4, used_wallet_money = $5,
      customer_paid = $6, cancellation_fee = $7,
      cancelled_by = case when $2 = 'CANCELLED' then 'admin' end, reason = case when $2 = 'CANCELLED' then 'why' end where id = $1`,
    [scene.booking, status, ...[byCash, card, wallet, byCash + card + wallet, fee].map((one) => one * unit)],
  )
}

/** A card payment that paid the booking or was credited to the payer's wallet. */
async function captured(amount: number, usedFor: 'booking' | 'wallet' = 'booking'): Promise<string> {
  const id = uuidv7()
  await app.database.pool.query(
    `insert into payments (id, provider, live, booking, code, number, reference, payer, payer_name, amount, currency, state,
        used_for, created_at, paid_at, opened_at, provider_id)
      values ($1, 'stripe', false, $2, 'ABC234', 1, $1::uuid::text, $3, 'R R', $4, 'UYU', 'paid', $5, 1, 1, 1, 'pi_1')`,
    [id, scene.booking, scene.ids.rider, amount * unit, usedFor],
  )
  return id
}

async function balance(member: 'rider' | 'driver'): Promise<number> {
  const { rows } = await app.database.pool.query('select wallet_balance from users where id = $1', [
    scene.ids[member],
  ])
  return rows[0].wallet_balance / unit
}
async function account(name: string): Promise<number> {
  const { rows } = await app.database.pool.query(
    `select coalesce(sum(l.amount), 0)::bigint as sum from ledger_legs l join ledger_entries e on e.id = l.entry_id
      where l.account = $1 and e.booking_id = $2`,
    [name, scene.booking],
  )
  return rows[0].sum / unit
}
/** Runs the job after the backoff of failed attempts. */
async function later(ms = 0) {
  await clock.advance(ms)
  await app.services.refunds.processDue()
}
const stateOf = async (id: string) => (await disputed()).refunds.find((one) => one.id === id)?.state

describe('cash', () => {
  test('part, then rest -> credited to the wallet immediately, never more than was paid', async () => {
    await paid({ cash: 110 })
    const part = await ask(cash(40))
    expect(part).toMatchObject({ status: 201, body: { state: 'confirmed', amount: 40 * unit, reason: why } })
    expect([await balance('rider'), await account('platform'), await account('refund')]).toEqual([40, -40, 0])
    expect(await ask(cash(71))).toMatchObject({ status: 409, body: { error: 'refund_too_much' } })
    expect((await ask(cash(70))).status).toBe(201)
    expect(await balance('rider')).toBe(110)
    expect((await disputed()).sources).toMatchObject([{ source: 'cash', paid: 110 * unit, left: 0 }])
  })

  test('borne by the driver -> debited, even below zero', async () => {
    await paid({ cash: 110 })
    await ask(cash(40, 'driver'))
    expect([await balance('rider'), await balance('driver'), await account('platform')]).toEqual([40, -40, 0])
  })

  test('twenty at once -> no more than was paid', async () => {
    await paid({ cash: 100 })
    const all = await Promise.all(Array.from({ length: 20 }, () => ask(cash(30))))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(await balance('rider')).toBe(90)
  })

  test('same key twice -> one refund', async () => {
    await paid({ cash: 100 })
    const key = uuidv7()
    const both = await Promise.all([ask(cash(30), key), ask(cash(30), key)])
    expect(both[0]?.body.id).toBe(both[1]?.body.id)
    expect(await balance('rider')).toBe(30)
  })

  test('no reason, amount or paid trip -> refused', async () => {
    await paid({ cash: 100 })
    expect((await ask({ ...cash(30), reason: ' ' })).body.error).toBe('reason_needed')
    expect((await ask(cash(0))).body.error).toBe('no_details_error')
    expect((await ask(cash(30, 'wallet'))).body.error).toBe('select_proper')
    await paid({ status: 'STARTED' })
    expect((await ask(cash(30))).body.error).toBe('wrong_status')
  })
})

test('deleted accounts: rider and driver -> no wallet refunds, driver cannot be bearer', async () => {
  await paid({ cash: 10, card: 100 })
  await captured(100)
  const gone = (id: string) =>
    app.database.pool.query('update users set approved = false, deleted_at = 1 where id = $1', [id])
  await gone(scene.ids.driver)
  expect((await disputed()).sources.map(({ source, bearers }) => [source, bearers])).toEqual([
    ['card', ['platform']],
    ['cash', ['platform']],
  ])
  expect((await ask(cash(5, 'driver'))).body.error).toBe('select_proper')
  expect((await ask(cash(10))).status).toBe(201)
  // The trip cost less in the end than the prepayment.
  await app.database.pool.query('update bookings set customer_paid = $2 where id = $1', [
    scene.booking,
    60 * unit,
  ])
  await gone(scene.ids.rider)
  expect((await disputed()).sources).toMatchObject([{ source: 'card', left: 50 * unit }])
  expect((await ask(cash(5))).body.error).toBe('wrong_status')
})

test('cancellation fee -> refunded to the rider who paid it', async () => {
  await paid({ status: 'CANCELLED', fee: 5 })
  const fee = { source: 'fee', amount: 5 * unit, bearer: 'driver' }
  expect((await ask(fee)).body.state).toBe('confirmed')
  expect([await balance('rider'), await balance('driver')]).toEqual([5, -5])
})

describe('card', () => {
  const byCard = (payment: string, amount: number) => ({
    source: 'card',
    payment,
    amount: amount * unit,
    bearer: 'platform',
  })

  test('part, then rest -> refunded through the provider', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    const { body } = await ask(byCard(payment, 40))
    expect(body.state).toBe('asked')
    expect([await account('platform'), await account('refund')]).toEqual([-40, 40])
    await later()
    expect(await stateOf(body.id)).toBe('confirmed')
    expect([await account('refund'), await account('provider:stripe')]).toEqual([0, 40])
    expect(orders).toEqual([
      { id: body.id, amount: 40 * unit, whole: false, repeated: false, refundedBefore: 0 },
    ])
    const rest = await ask(byCard(payment, 70))
    await later()
    expect(orders.at(-1)).toMatchObject({ id: rest.body.id, refundedBefore: 40 * unit, whole: false })
    expect((await ask(byCard(payment, 1))).body.error).toBe('refund_too_much')
    const { rows } = await app.database.pool.query('select refunded from payments where id = $1', [payment])
    expect(rows[0].refunded).toBe(110 * unit)
  })

  test('provider does not respond -> one at a time, retried as a repetition', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    answers = [new PaymentError('api.example does not answer', { permanent: false })]
    const { body } = await ask(byCard(payment, 110))
    await later()
    expect(await stateOf(body.id)).toBe('asked')
    expect((await ask(byCard(payment, 1))).body.error).toMatch(/refund_too_much|refund_under_way/)
    await later(1_000)
    expect(orders).toHaveLength(1)
    await Promise.all([later(60_000), later(), later()])
    expect(orders.map(({ repeated, whole }) => [repeated, whole])).toEqual([
      [false, true],
      [true, true],
    ])
    expect(await stateOf(body.id)).toBe('confirmed')
  })

  test('provider decides later -> pending until then', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    answers = [
      { state: 'pending', providerRefundId: 're_1' },
      { state: 'pending', providerRefundId: 're_1' },
    ]
    const { body } = await ask(byCard(payment, 20))
    await later()
    expect(await stateOf(body.id)).toBe('pending')
    await later(60_000)
    expect(await stateOf(body.id)).toBe('pending')
    expect((await ask(byCard(payment, 1))).body.error).toBe('refund_under_way')
    await later(10 * 60_000)
    expect(await stateOf(body.id)).toBe('confirmed')
    expect(orders).toHaveLength(1)
  })

  test('provider refuses -> failed, money returns to the bearer', async () => {
    await paid({ card: 110 })
    answers = [{ state: 'failed', why: 'the card is closed' }]
    const { body } = await ask(byCard(await captured(110), 20))
    await later()
    expect((await disputed()).refunds).toMatchObject([
      { id: body.id, state: 'failed', failure: 'the card is closed' },
    ])
    expect([await account('platform'), await account('refund'), await account('provider:stripe')]).toEqual([
      0, 0, 0,
    ])
    expect((await disputed()).sources).toMatchObject([{ left: 110 * unit }])
  })

  test('outcome unknown -> by_hand until an admin settles it', async () => {
    await paid({ card: 110 })
    answers = [new PaymentError('the answer makes no sense', { permanent: true })]
    const { body } = await ask(byCard(await captured(110), 20))
    await later()
    expect(await stateOf(body.id)).toBe('by_hand')
    const settle = () =>
      call<RefundView>('POST', `/api/v1/refunds/${body.id}/settle`, { outcome: 'confirmed' })
    const both = await Promise.all([settle(), settle()])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await account('provider:stripe')).toBe(20)
  })

  test('credited to the wallet -> refunded from there if the balance allows', async () => {
    await paid({ status: 'CANCELLED' })
    const payment = await captured(50, 'wallet')
    const wish = { booking: null, payment, source: 'card', amount: 50 * unit, bearer: 'wallet' }
    expect((await ask(wish)).body.error).toBe('low_wallet')
    await app.services.walletOffice.credit(scene.ids.admin, { uid: scene.ids.rider, amount: 60 * unit }, null)
    expect((await ask(wish)).body.state).toBe('asked')
    expect(await balance('rider')).toBe(10)
    await later()
    expect(await account('provider:stripe')).toBe(50)
  })
})

describe('returned by the provider', () => {
  const back = (change: Partial<Reversal> = {}): Reversal => ({
    id: 're_1',
    kind: 'refund',
    amount: 40 * unit,
    order: null,
    state: 'done',
    ...change,
  })
  const importReturned = (payment: string) => app.services.refunds.importExternal(payment)
  const kept = async () =>
    (await disputed()).refunds.map(({ origin, state, amount }) => [origin, state, amount / unit])
  const books = async () => Promise.all(['platform', 'refund', 'provider:stripe'].map(account))

  test('reported three times at once -> recorded once, borne by the platform', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    reported = [back()]
    await Promise.all([importReturned(payment), importReturned(payment), importReturned(payment)])
    expect(await kept()).toEqual([['provider', 'confirmed', 40]])
    expect(await books()).toEqual([-40, 0, 40])
    expect(await ask({ source: 'card', payment, amount: 71 * unit, bearer: 'platform' })).toMatchObject({
      status: 409,
      body: { error: 'refund_too_much' },
    })
  })

  test("credited to the payer's wallet -> debited there, even below zero", async () => {
    const payment = await captured(110, 'wallet')
    reported = [back({ amount: 110 * unit })]
    await importReturned(payment)
    expect(await balance('rider')).toBe(-110)
    expect(await account('platform')).toBe(0)
  })

  test('chargeback -> pending; lost -> confirmed; won -> money returns', async () => {
    for (const [state, ended, after] of [
      ['done', 'confirmed', [-110, 0, 110]],
      ['failed', 'failed', [0, 0, 0]],
    ] as const) {
      scene = await createScene(app.database, secret, { carType, isAssigned: true })
      await paid({ card: 110 })
      const payment = await captured(110)
      reported = [back({ id: `dp_${state}`, kind: 'chargeback', amount: 110 * unit, state: 'pending' })]
      await importReturned(payment)
      expect(await kept()).toEqual([['chargeback', 'pending', 110]])
      expect(await books()).toEqual([-110, 110, 0])
      reported = [back({ id: `dp_${state}`, kind: 'chargeback', amount: 110 * unit, state })]
      await later(7 * 3_600_000)
      await later()
      expect(await kept()).toEqual([['chargeback', ended, 110]])
      expect(await books()).toEqual(after)
    }
  })

  test('report of our own refund, also one settled manually -> not recorded again', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    const card = (amount: number) =>
      ask({ source: 'card', payment, amount: amount * unit, bearer: 'platform' })
    answers = [{ state: 'pending', providerRefundId: null }]
    const { id } = (await card(30)).body
    await later()
    reported = [back({ id: 're_ours', amount: 30 * unit, order: id })]
    await importReturned(payment)
    expect(await stateOf(id)).toBe('confirmed')
    answers = [new PaymentError('answers 401', { permanent: true })]
    const byHand = (await card(20)).body.id
    await later()
    expect(await stateOf(byHand)).toBe('by_hand')
    reported = [
      back({ id: 're_ours', amount: 30 * unit, order: id }),
      back({ id: 're_hand', amount: 20 * unit }),
    ]
    await importReturned(payment)
    expect(await kept()).toEqual([
      ['office', 'confirmed', 20],
      ['office', 'confirmed', 30],
    ])
    expect(await books()).toEqual([-50, 0, 50])
  })

  test('report of a total only -> the difference is recorded once', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    for (const [total, kinds] of [
      [0, []],
      [40 * unit, [40]],
      [40 * unit, [40]],
      [70 * unit, [30, 40]],
    ] as const) {
      reported = { total }
      await Promise.all([importReturned(payment), importReturned(payment), importReturned(payment)])
      expect((await kept()).map(([, , amount]) => amount)).toEqual(kinds)
    }
    expect(await books()).toEqual([-70, 0, 70])
  })

  test('report while our refund without a provider ID is pending -> not recorded again', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    answers = [{ state: 'pending', providerRefundId: null }]
    const { id } = (await ask({ source: 'card', payment, amount: 40 * unit, bearer: 'platform' })).body
    await later()
    for (const one of [[back()], { total: 40 * unit }]) {
      reported = one
      await importReturned(payment)
      expect(await kept()).toEqual([['office', 'pending', 40]])
    }
    answers = [{ state: 'done', providerRefundId: null }]
    await later(60_000)
    expect(await stateOf(id)).toBe('confirmed')
    reported = [back()]
    await importReturned(payment)
    expect(await kept()).toEqual([['office', 'confirmed', 40]])
    expect(await books()).toEqual([-40, 0, 40])
  })

  test("unknown order name -> recorded as the provider's", async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    reported = [back({ order: 'typed by hand' })]
    await importReturned(payment)
    expect(await kept()).toEqual([['provider', 'confirmed', 40]])
  })

  test('dispute fee -> borne by the platform, credited when returned', async () => {
    const payment = await captured(110, 'wallet')
    const dispute = { id: 'dp_1', kind: 'chargeback', amount: 110 * unit } as const
    reported = [back({ ...dispute, state: 'pending', fee: 15 * unit })]
    await Promise.all([importReturned(payment), importReturned(payment)])
    expect(await books()).toEqual([-15, 110, 15])
    reported = [back({ ...dispute, state: 'failed', fee: 0 })]
    await Promise.all([importReturned(payment), importReturned(payment)])
    expect(await books()).toEqual([0, 0, 0])
    expect(await balance('rider')).toBe(0)
  })

  test('lost dispute won on appeal -> money returns once', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    const dispute = { id: 'dp_1', kind: 'chargeback', amount: 110 * unit } as const
    reported = [back({ ...dispute, fee: 15 * unit })]
    await importReturned(payment)
    expect(await books()).toEqual([-125, 0, 125])
    reported = [back({ ...dispute, state: 'failed', fee: 15 * unit })]
    await Promise.all([importReturned(payment), importReturned(payment), importReturned(payment)])
    expect(await kept()).toEqual([['chargeback', 'failed', 110]])
    expect(await books()).toEqual([-15, 0, 15])
  })

  test('failed return, unknown payment -> nothing is recorded', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    reported = [back({ state: 'failed' })]
    await importReturned(payment)
    await importReturned(uuidv7())
    expect(await kept()).toEqual([])
  })
})

describe('check for returned money', () => {
  const day = 24 * 3_600_000
  const dueAt = async (payment: string, ago: number, backAgo = 1) => {
    const now = Date.now()
    await app.database.pool.query('update payments set opened_at = $2, back_at = $3 where id = $1', [
      payment,
      now - ago,
      now - backAgo,
    ])
  }
  const nextOf = async (payment: string) => {
    const { rows } = await app.database.pool.query('select back_at from payments where id = $1', [payment])
    return rows[0].back_at === null ? null : Math.ceil((rows[0].back_at - Date.now()) / day)
  }
  beforeEach(() => app.database.pool.query('update payments set back_at = null'))

  test('due payment -> checked once, next check by its age', async () => {
    for (const [ago, next] of [
      [3.5 * day, 1],
      [40 * day, 2],
      [179 * day, null],
    ] as const) {
      const payment = await captured(110, 'wallet')
      await dueAt(payment, ago)
      asked = []
      await app.services.refunds.checkExternal()
      await app.services.refunds.checkExternal()
      expect(asked).toEqual([payment])
      expect(await nextOf(payment)).toBe(next)
    }
  })

  test('returned money -> recorded in the ledger', async () => {
    const payment = await captured(110, 'wallet')
    await dueAt(payment, 2 * day)
    reported = { total: 110 * unit }
    await app.services.refunds.checkExternal()
    expect(await balance('rider')).toBe(-110)
  })

  test('provider does not respond -> left alone after the first request', async () => {
    const payments = []
    for (let index = 0; index < 5; index += 1) payments.push(await captured(110, 'wallet'))
    for (const [index, payment] of payments.entries()) await dueAt(payment, 2 * day, 100 - index)
    reported = new PaymentError('does not answer', { permanent: false })
    await app.services.refunds.checkExternal()
    expect(asked).toEqual([payments[0]])
    reported = []
    await app.services.refunds.checkExternal()
    expect(asked.slice(1)).toEqual(payments.slice(1))
  })

  test('35 due payments -> the 30 that waited longest', async () => {
    const payments = []
    for (let index = 0; index < 35; index += 1) payments.push(await captured(110, 'wallet'))
    for (const [index, payment] of payments.entries()) await dueAt(payment, 2 * day, 100 - index)
    await app.services.refunds.checkExternal()
    expect(asked).toEqual(payments.slice(0, 30))
  })
})

describe('recorded by an admin', () => {
  const record = (payment: string, seen: object, key?: string) =>
    call<RefundView>(
      'POST',
      `/api/v1/payments/${payment}/went-back`,
      { origin: 'provider', amount: 40 * unit, reason: 'Case 17', ...seen },
      key,
    )
  const setFee = (id: string, fee: number) => call<RefundView>('POST', `/api/v1/refunds/${id}/fee`, { fee })
  const books = async () => Promise.all(['platform', 'refund', 'provider:stripe'].map(account))

  test('refund, same key twice -> confirmed once', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    const key = uuidv7()
    const both = await Promise.all([record(payment, {}, key), record(payment, {}, key)])
    for (const { status, body } of both) {
      expect([status, body.origin, body.state, body.reason]).toEqual([
        201,
        'provider',
        'confirmed',
        'Case 17',
      ])
    }
    expect(await books()).toEqual([-40, 0, 40])
  })

  test('provider reports it later -> not recorded again', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    await record(payment, {})
    const { id } = (await record(payment, { origin: 'chargeback', amount: 30 * unit })).body
    reported = [
      { id: 're_9', kind: 'refund', amount: 40 * unit, order: null, state: 'done' },
      { id: 'dp_9', kind: 'chargeback', amount: 30 * unit, order: null, state: 'done' },
    ]
    await app.services.refunds.importExternal(payment)
    expect(await stateOf(id)).toBe('confirmed')
    expect((await disputed()).refunds.length).toBe(2)
    expect(await books()).toEqual([-70, 0, 70])
  })

  test('chargeback with a fee -> pending; won -> money and fee return', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    const { body } = await record(payment, { origin: 'chargeback', amount: 110 * unit, fee: 15 * unit })
    expect([body.state, body.fee]).toEqual(['pending', 15 * unit])
    expect(await books()).toEqual([-125, 110, 15])
    expect((await call('POST', `/api/v1/refunds/${body.id}/settle`, { outcome: 'failed' })).status).toBe(200)
    expect(await books()).toEqual([-15, 0, 15])
    const fees = await Promise.all([setFee(body.id, 0), setFee(body.id, 0)])
    expect(fees.map((one) => [one.status, one.body.fee])).toEqual([
      [200, 0],
      [200, 0],
    ])
    expect(await books()).toEqual([0, 0, 0])
  })

  test('too much, no amount, unknown payment -> refused', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    const refusals = async (seen: object) => (await record(payment, seen)).body.error
    expect(await refusals({ amount: 111 * unit })).toBe('refund_too_much')
    expect(await refusals({ amount: 0 })).toBe('no_details_error')
    expect(await refusals({ fee: 15 * unit })).toBe('no_details_error')
    expect(await refusals({ reason: ' ' })).toBe('reason_needed')
    expect((await record(uuidv7(), {})).body.error).toBe('not_found')
    const both = await Promise.all([60, 60].map((amount) => record(payment, { amount: amount * unit })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    const { id } = (await record(payment, { amount: 10 * unit })).body
    expect((await setFee(id, unit)).body.error).toBe('wrong_status')
  })
})
