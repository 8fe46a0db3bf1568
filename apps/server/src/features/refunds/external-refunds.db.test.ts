import type { RefundView } from '@hansom/contract/refunds'
import { unit } from '@hansom/domain/money/amount'
import { uuidv7 } from 'uuidv7'
import { beforeEach, describe, expect, test } from 'vitest'
import { PaymentError, type Reversal } from '../../adapters/payments/port.ts'
import { refundSteps } from './refunds.fixture.ts'

const { world, renewScene, call, ask, disputed, paid, captured, balance, account, later, stateOf } =
  refundSteps()

describe('returned by the provider', () => {
  const back = (change: Partial<Reversal> = {}): Reversal => ({
    id: 're_1',
    kind: 'refund',
    amount: 40 * unit,
    order: null,
    state: 'done',
    ...change,
  })
  const importReturned = (payment: string) => world.app.services.refunds.importExternal(payment)
  const recorded = async () =>
    (await disputed()).refunds.map(({ origin, state, amount }) => [origin, state, amount / unit])
  const books = async () => Promise.all(['platform', 'refund', 'provider:stripe'].map(account))

  test('reported three times at once -> recorded once, borne by the platform', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    world.reported = [back()]
    await Promise.all([importReturned(payment), importReturned(payment), importReturned(payment)])
    expect(await recorded()).toEqual([['provider', 'confirmed', 40]])
    expect(await books()).toEqual([-40, 0, 40])
    expect(await ask({ source: 'card', payment, amount: 71 * unit, bearer: 'platform' })).toMatchObject({
      status: 409,
      body: { error: 'refund_too_much' },
    })
  })

  test("credited to the payer's wallet -> debited there, even below zero", async () => {
    const payment = await captured(110, 'wallet')
    world.reported = [back({ amount: 110 * unit })]
    await importReturned(payment)
    expect(await balance('rider')).toBe(-110)
    expect(await account('platform')).toBe(0)
  })

  test('chargeback -> pending; lost -> confirmed; won -> money returns', async () => {
    for (const [state, ended, after] of [
      ['done', 'confirmed', [-110, 0, 110]],
      ['failed', 'failed', [0, 0, 0]],
    ] as const) {
      await renewScene()
      await paid({ card: 110 })
      const payment = await captured(110)
      world.reported = [back({ id: `dp_${state}`, kind: 'chargeback', amount: 110 * unit, state: 'pending' })]
      await importReturned(payment)
      expect(await recorded()).toEqual([['chargeback', 'pending', 110]])
      expect(await books()).toEqual([-110, 110, 0])
      world.reported = [back({ id: `dp_${state}`, kind: 'chargeback', amount: 110 * unit, state })]
      await later(7 * 3_600_000)
      await later()
      expect(await recorded()).toEqual([['chargeback', ended, 110]])
      expect(await books()).toEqual(after)
    }
  })

  test('report of our own refund, also one settled manually -> not recorded again', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    const card = (amount: number) =>
      ask({ source: 'card', payment, amount: amount * unit, bearer: 'platform' })
    world.answers = [{ state: 'pending', providerRefundId: null }]
    const { id } = (await card(30)).body
    await later()
    world.reported = [back({ id: 're_ours', amount: 30 * unit, order: id })]
    await importReturned(payment)
    expect(await stateOf(id)).toBe('confirmed')
    world.answers = [new PaymentError('answers 401', { permanent: true })]
    const byHand = (await card(20)).body.id
    await later()
    expect(await stateOf(byHand)).toBe('by_hand')
    world.reported = [
      back({ id: 're_ours', amount: 30 * unit, order: id }),
      back({ id: 're_hand', amount: 20 * unit }),
    ]
    await importReturned(payment)
    expect(await recorded()).toEqual([
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
      world.reported = { total }
      await Promise.all([importReturned(payment), importReturned(payment), importReturned(payment)])
      expect((await recorded()).map(([, , amount]) => amount)).toEqual(kinds)
    }
    expect(await books()).toEqual([-70, 0, 70])
  })

  test('report while our refund without a provider ID is pending -> not recorded again', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    world.answers = [{ state: 'pending', providerRefundId: null }]
    const { id } = (await ask({ source: 'card', payment, amount: 40 * unit, bearer: 'platform' })).body
    await later()
    for (const one of [[back()], { total: 40 * unit }]) {
      world.reported = one
      await importReturned(payment)
      expect(await recorded()).toEqual([['office', 'pending', 40]])
    }
    world.answers = [{ state: 'done', providerRefundId: null }]
    await later(60_000)
    expect(await stateOf(id)).toBe('confirmed')
    world.reported = [back()]
    await importReturned(payment)
    expect(await recorded()).toEqual([['office', 'confirmed', 40]])
    expect(await books()).toEqual([-40, 0, 40])
  })

  test("unknown order name -> recorded as the provider's", async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    world.reported = [back({ order: 'typed manually' })]
    await importReturned(payment)
    expect(await recorded()).toEqual([['provider', 'confirmed', 40]])
  })

  test('dispute fee -> borne by the platform, credited when returned', async () => {
    const payment = await captured(110, 'wallet')
    const dispute = { id: 'dp_1', kind: 'chargeback', amount: 110 * unit } as const
    world.reported = [back({ ...dispute, state: 'pending', fee: 15 * unit })]
    await Promise.all([importReturned(payment), importReturned(payment)])
    expect(await books()).toEqual([-15, 110, 15])
    world.reported = [back({ ...dispute, state: 'failed', fee: 0 })]
    await Promise.all([importReturned(payment), importReturned(payment)])
    expect(await books()).toEqual([0, 0, 0])
    expect(await balance('rider')).toBe(0)
  })

  test('lost dispute won on appeal -> money returns once', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    const dispute = { id: 'dp_1', kind: 'chargeback', amount: 110 * unit } as const
    world.reported = [back({ ...dispute, fee: 15 * unit })]
    await importReturned(payment)
    expect(await books()).toEqual([-125, 0, 125])
    world.reported = [back({ ...dispute, state: 'failed', fee: 15 * unit })]
    await Promise.all([importReturned(payment), importReturned(payment), importReturned(payment)])
    expect(await recorded()).toEqual([['chargeback', 'failed', 110]])
    expect(await books()).toEqual([-15, 0, 15])
  })

  test('failed return, unknown payment -> nothing is recorded', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    world.reported = [back({ state: 'failed' })]
    await importReturned(payment)
    await importReturned(uuidv7())
    expect(await recorded()).toEqual([])
  })
})

describe('check for returned money', () => {
  const day = 24 * 3_600_000
  const dueAt = async (payment: string, ago: number, backAgo = 1) => {
    const now = Date.now()
    await world.app.database.pool.query('update payments set opened_at = $2, back_at = $3 where id = $1', [
      payment,
      now - ago,
      now - backAgo,
    ])
  }
  const nextOf = async (payment: string) => {
    const { rows } = await world.app.database.pool.query('select back_at from payments where id = $1', [
      payment,
    ])
    return rows[0].back_at === null ? null : Math.ceil((rows[0].back_at - Date.now()) / day)
  }
  beforeEach(() => world.app.database.pool.query('update payments set back_at = null'))

  test('due payment -> checked once, next check by its age', async () => {
    for (const [ago, next] of [
      [3.5 * day, 1],
      [40 * day, 2],
      [179 * day, null],
    ] as const) {
      const payment = await captured(110, 'wallet')
      await dueAt(payment, ago)
      world.asked = []
      await world.app.services.refunds.checkExternal()
      await world.app.services.refunds.checkExternal()
      expect(world.asked).toEqual([payment])
      expect(await nextOf(payment)).toBe(next)
    }
  })

  test('returned money -> recorded in the ledger', async () => {
    const payment = await captured(110, 'wallet')
    await dueAt(payment, 2 * day)
    world.reported = { total: 110 * unit }
    await world.app.services.refunds.checkExternal()
    expect(await balance('rider')).toBe(-110)
  })

  test('provider does not respond -> left alone after the first request', async () => {
    const payments = []
    for (let index = 0; index < 5; index += 1) payments.push(await captured(110, 'wallet'))
    for (const [index, payment] of payments.entries()) await dueAt(payment, 2 * day, 100 - index)
    world.reported = new PaymentError('does not answer', { permanent: false })
    await world.app.services.refunds.checkExternal()
    expect(world.asked).toEqual([payments[0]])
    world.reported = []
    await world.app.services.refunds.checkExternal()
    expect(world.asked.slice(1)).toEqual(payments.slice(1))
  })

  test('35 due payments -> the 30 that waited longest', async () => {
    const payments = []
    for (let index = 0; index < 35; index += 1) payments.push(await captured(110, 'wallet'))
    for (const [index, payment] of payments.entries()) await dueAt(payment, 2 * day, 100 - index)
    await world.app.services.refunds.checkExternal()
    expect(world.asked).toEqual(payments.slice(0, 30))
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
    world.reported = [
      { id: 're_9', kind: 'refund', amount: 40 * unit, order: null, state: 'done' },
      { id: 'dp_9', kind: 'chargeback', amount: 30 * unit, order: null, state: 'done' },
    ]
    await world.app.services.refunds.importExternal(payment)
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
