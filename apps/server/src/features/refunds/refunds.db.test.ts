import type { RefundView } from '@hansom/contract/refunds'
import { unit } from '@hansom/domain/money/amount'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { PaymentError } from '../../adapters/payments/port.ts'
import { refundSteps } from './refunds.fixture.ts'

const { world, call, why, ask, disputed, cash, paid, captured, balance, account, later, stateOf } =
  refundSteps()

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
    world.app.database.pool.query('update users set approved = false, deleted_at = 1 where id = $1', [id])
  await gone(world.scene.ids.driver)
  expect((await disputed()).sources.map(({ source, bearers }) => [source, bearers])).toEqual([
    ['card', ['platform']],
    ['cash', ['platform']],
  ])
  expect((await ask(cash(5, 'driver'))).body.error).toBe('select_proper')
  expect((await ask(cash(10))).status).toBe(201)
  // The trip cost less in the end than the prepayment.
  await world.app.database.pool.query('update bookings set customer_paid = $2 where id = $1', [
    world.scene.booking,
    60 * unit,
  ])
  await gone(world.scene.ids.rider)
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
    expect(world.orders).toEqual([
      { id: body.id, amount: 40 * unit, whole: false, repeated: false, refundedBefore: 0 },
    ])
    const rest = await ask(byCard(payment, 70))
    await later()
    expect(world.orders.at(-1)).toMatchObject({ id: rest.body.id, refundedBefore: 40 * unit, whole: false })
    expect((await ask(byCard(payment, 1))).body.error).toBe('refund_too_much')
    const { rows } = await world.app.database.pool.query('select refunded from payments where id = $1', [
      payment,
    ])
    expect(rows[0].refunded).toBe(110 * unit)
  })

  test('provider does not respond -> one at a time, retried as a repetition', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    world.answers = [new PaymentError('api.example does not answer', { permanent: false })]
    const { body } = await ask(byCard(payment, 110))
    await later()
    expect(await stateOf(body.id)).toBe('asked')
    expect((await ask(byCard(payment, 1))).body.error).toMatch(/refund_too_much|refund_under_way/)
    await later(1_000)
    expect(world.orders).toHaveLength(1)
    await Promise.all([later(60_000), later(), later()])
    expect(world.orders.map(({ repeated, whole }) => [repeated, whole])).toEqual([
      [false, true],
      [true, true],
    ])
    expect(await stateOf(body.id)).toBe('confirmed')
  })

  test('provider decides later -> pending until then', async () => {
    await paid({ card: 110 })
    const payment = await captured(110)
    world.answers = [
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
    expect(world.orders).toHaveLength(1)
  })

  test('provider refuses -> failed, money returns to the bearer', async () => {
    await paid({ card: 110 })
    world.answers = [{ state: 'failed', why: 'the card is closed' }]
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
    world.answers = [new PaymentError('the answer makes no sense', { permanent: true })]
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
    await world.app.services.walletAdmin.adjustments.credit(
      world.scene.ids.admin,
      { uid: world.scene.ids.rider, amount: 60 * unit, reason: 'test' },
      null,
    )
    expect((await ask(wish)).body.state).toBe('asked')
    expect(await balance('rider')).toBe(10)
    await later()
    expect(await account('provider:stripe')).toBe(50)
  })
})
