import type { Actor } from '@hansom/domain/access/relation'
import { unit } from '@hansom/domain/money/amount'
import { adminCredit, withdrawRequested } from '@hansom/domain/wallet/user-entries'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../platform/log/log.ts'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'
import { checkLedger, isConsistent } from '../ledger-check/check-ledger.ts'
import { receiptOf } from '../receipts/read-receipt.ts'
import { loadBookingMoney } from '../refunds/refundable-money.ts'
import { requestRefund } from '../refunds/request-refund.ts'
import { readObligations } from '../users/admin/lock-user.ts'
import { waiveDue } from '../wallet/release-dues.ts'
import { createDeliveryClearing } from './clear-deliveries.ts'

let city: TestCity
let admin: Actor
beforeAll(async () => {
  city = await createTestCity()
  city.changeSettings({ category: 'delivery' })
  admin = await city.addAdmin()
})
afterAll(async () => {
  const check = await checkLedger(city.database.pool)
  await city.close()
  expect(check.differences).toEqual([])
  expect(isConsistent(check)).toBe(true)
})

const origin = () => ({ at: city.clock.now(), currency: 'UYU', by: null })
const put = (actor: Actor, amount: number) =>
  city.wallet.appendOnce([adminCredit(uuidv7(), actor.id, amount)], origin())
const settleEvents = async () => {
  const left = async () => {
    city.outbox.wake()
    await city.outbox.idle()
    return (await city.database.pool.query('select from outbox')).rowCount
  }
  await expect.poll(left, { timeout: 15_000, interval: 100 }).toBe(0)
}

interface Ended {
  id: string
  rider: Actor
  driver: Actor
  /** What the return leg costs, and the whole delivery. */
  cost: number
  total: number
}

/** A delivery that failed and came back, after which the wallet has `left`, or less than nothing for 0. */
async function ended({
  left = 0,
  prepaid = true,
}: {
  left?: number
  prepaid?: boolean
} = {}): Promise<Ended> {
  const rider = await city.addRider()
  const driver = await city.addDriver()
  await put(rider, 10_000 * unit)
  const recipient = { deliveryPerson: 'Ada', deliveryPersonPhone: '099 111 222' }
  const request = city.request({ payment_mode: 'wallet', instructionData: recipient })
  const { booking } = prepaid
    ? await city.bookings.create(rider, request, null)
    : await city.bookings.create(admin, { ...request, customer: rider.id }, null)
  const { id } = booking
  await expect.poll(async () => (await city.bookings.read(id))?.booking.status).toBe('NEW')
  const { commands } = city.bookings
  const by = () => city.order(driver, id)
  await city.ask(id, [driver])
  await commands.accept(by())
  await commands.arrive(by())
  await commands.start(by())
  await commands.fail_drop(by(), { stop: 1, reason: 'refused' })
  await commands.deliver(by(), { stop: 2 })
  await commands.reach(by())
  const rest = (await city.balance(rider)) - left
  await city.wallet.appendOnce([withdrawRequested(uuidv7(), rider.id, rest)], origin())
  await city.database.pool.query(
    `insert into withdraws (id, uid, name, amount, date, bank_name, bank_code, bank_account, currency)
      values ($1, $2, 'Rita', $3, 1, 'A bank', '1', '2', 'UYU')`,
    [uuidv7(), rider.id, rest],
  )
  const closed = await commands.close(by())
  await settleEvents()
  const cost = closed.delivery?.return_leg.cost ?? 0
  expect(cost).toBeGreaterThan(0)
  return { id, rider, driver, cost, total: closed.booking.trip_cost }
}

const object = ({ id, rider }: Ended) =>
  city.bookings.commands.object(city.order(rider, id), { reason: 'No one rang' })
const decide = ({ id }: Ended, outcome: 'paid' | 'not_paid' | 'write_off') =>
  city.bookings.commands.decide_objection(city.order(admin, id), { outcome, reason: 'positions' })
const booking = async ({ id, rider }: Ended) => (await city.bookings.get(rider, id)).booking
const settings = { current: async () => ({ ...city.settings, updated_at: 0 }) }
const refund = ({ id }: Ended, amount: number) =>
  requestRefund(
    {
      ...city,
      settings,
      log: silentLog(),
      payments: [],
      worldNow: () => city.clock.now(),
      send: async () => {},
    },
    admin.id,
    { booking: id, payment: null, source: 'wallet', amount, bearer: 'platform', reason: 'late' },
    null,
  )
const fulfilled = (tries: PromiseSettledResult<unknown>[]) =>
  tries.filter(({ status }) => status === 'fulfilled').length

test('wallet empty: five objections at once -> one, and nothing is asked for until the decision', async () => {
  const trip = await ended()
  expect(await city.balance(trip.rider)).toBe(-trip.cost)
  expect((await city.bookings.outstanding(trip.rider)).total).toBe(trip.cost)
  const view = await city.bookings.view(trip.rider, await city.bookings.get(trip.rider, trip.id))
  expect(view.commands).toContain('object')
  expect(fulfilled(await Promise.allSettled(Array.from({ length: 5 }, () => object(trip))))).toBe(1)
  expect(await city.bookings.outstanding(trip.rider)).toMatchObject({ total: 0, contested: trip.cost })
  await decide(trip, 'not_paid')
  expect((await city.bookings.outstanding(trip.rider)).total).toBe(trip.cost)
  await expect(object(trip)).rejects.toMatchObject({ key: 'wrong_status' })
})

test('due part: written off, decided five times at once -> cleared once, the courier gets it', async () => {
  const trip = await ended()
  await object(trip)
  const before = await city.balance(trip.driver)
  const tries = await Promise.allSettled(Array.from({ length: 5 }, () => decide(trip, 'write_off')))
  expect(fulfilled(tries)).toBe(1)
  await settleEvents()
  expect(await city.balance(trip.rider)).toBe(0)
  const { driver_share, written_off_amount, customer_paid, objection } = await booking(trip)
  expect(objection).toBe('written_off')
  expect(written_off_amount).toBe(trip.cost)
  expect(customer_paid).toBe(trip.total - trip.cost)
  expect(await city.balance(trip.driver)).toBe(driver_share)
  expect(before).toBeLessThan(driver_share)
})

test('collected from the wallet: written off -> back in the wallet, on the receipt, and not refunded again', async () => {
  const trip = await ended({ left: 5_000 * unit })
  const before = await city.balance(trip.rider)
  await object(trip)
  await decide(trip, 'write_off')
  expect(await city.balance(trip.rider)).toBe(before + trip.cost)
  const rest = trip.total - trip.cost
  const { client, end } = await connect()
  const money = await loadBookingMoney(client, trip.id, false).finally(end)
  expect(money.sources.map((one) => money.left(one))).toEqual([rest])
  await expect(refund(trip, rest + unit)).rejects.toMatchObject({ key: 'refund_too_much' })
  const receipt = await receiptOf(
    {
      ...city,
      settings,
      refunds: { ofBooking: async () => ({ sources: [], openFee: 0, refunds: [], disputed: null }) as never },
    },
    await city.bookings.get(trip.rider, trip.id),
  )
  expect(receipt.lines.slice(-2)).toEqual([
    { key: 'trip.written_off', amount: -trip.cost, kind: 'less' },
    { key: 'trip.to_pay', amount: rest, kind: 'due' },
  ])
  expect(receipt.paid).toMatchObject([
    { key: 'trip.paid_wallet', amount: trip.total },
    { key: 'trip.paid_back', amount: -trip.cost },
  ])
  expect(receipt.net).toBe(rest)
})

test('written off and refunded at once -> together never more than was paid', async () => {
  for (let round = 0; round < 6; round++) {
    const trip = await ended({ left: 1_000 * unit })
    const before = await city.balance(trip.rider)
    await object(trip)
    await Promise.allSettled([
      decide(trip, 'write_off'),
      refund(trip, trip.total),
      decide(trip, 'not_paid'),
      put(trip.rider, unit),
      refund(trip, trip.total - trip.cost),
    ])
    await settleEvents()
    const returned = (await city.balance(trip.rider)) - before - unit
    const { objection, written_off_amount, customer_paid } = await booking(trip)
    expect(['written_off', 'not_paid']).toContain(objection)
    expect(returned).toBeLessThanOrEqual(trip.total)
    expect(customer_paid).toBe(trip.total - written_off_amount)
    const { rows } = await city.database.pool.query(
      'select coalesce(sum(amount), 0)::bigint as n from refunds where booking = $1',
      [trip.id],
    )
    expect(returned).toBe(rows[0].n + written_off_amount)
  }
})

test('undecided objection -> keeps the account of its sender, whose wallet may get the charge back', async () => {
  const trip = await ended({ left: unit })
  const isKept = async () => {
    const { client, end } = await connect()
    return (await readObligations({ client }, trip.rider.id).finally(end)).payment
  }
  await object(trip)
  expect(await isKept()).toBe(true)
  await decide(trip, 'not_paid')
  expect(await isKept()).toBe(false)
})

test('refunded before -> only the rest is written off', async () => {
  const trip = await ended({ left: 1_000 * unit })
  const part = trip.total - trip.cost + unit
  await refund(trip, part)
  await object(trip)
  await decide(trip, 'write_off')
  expect((await booking(trip)).written_off_amount).toBe(trip.cost - unit)
})

test('due waived and written off at once -> the sender gets it once', async () => {
  for (let round = 0; round < 4; round++) {
    const trip = await ended()
    await object(trip)
    await Promise.allSettled([
      waiveDue({ ...city, settings }, admin.id, { booking: trip.id, reason: 'goodwill' }, null),
      decide(trip, 'write_off'),
    ])
    await settleEvents()
    const { rows } = await city.database.pool.query('select waived from dues where booking_id = $1', [
      trip.id,
    ])
    const { written_off_amount, driver_share } = await booking(trip)
    const { waived } = rows[0]
    expect(waived + written_off_amount).toBe(trip.cost)
    expect(await city.balance(trip.rider)).toBe(0)
    expect(await city.balance(trip.driver)).toBe(driver_share - waived)
  }
})

test('not paid at all: money for it while it is contested -> collected after the decision, without the return leg', async () => {
  const trip = await ended({ prepaid: false })
  expect((await booking(trip)).status).toBe('PENDING')
  await object(trip)
  await put(trip.rider, trip.total - trip.cost)
  await settleEvents()
  expect((await booking(trip)).status).toBe('PENDING')
  await decide(trip, 'write_off')
  await settleEvents()
  await expect.poll(async () => (await booking(trip)).status, { timeout: 15_000 }).toBe('PAID')
  expect(await booking(trip)).toMatchObject({
    customer_paid: trip.total - trip.cost,
    written_off_amount: trip.cost,
    payableAmount: 0,
  })
  expect(await city.balance(trip.rider)).toBe(0)
})

test('not paid at all: paid, decided and objected at once -> the return leg is borne by one of them', async () => {
  for (let round = 0; round < 4; round++) {
    const trip = await ended({ prepaid: false })
    await object(trip)
    await put(trip.rider, trip.total)
    await Promise.allSettled([
      city.bookings.commands.pay_by_wallet(city.order(trip.rider, trip.id)),
      decide(trip, 'write_off'),
      object(trip),
      decide(trip, 'write_off'),
    ])
    await settleEvents()
    expect(await booking(trip)).toMatchObject({ status: 'PAID', customer_paid: trip.total - trip.cost })
    expect(await city.balance(trip.rider)).toBe(trip.cost)
  }
})

test('not paid at all: past its retention -> recipients are removed, and the return leg can still be written off', async () => {
  const trip = await ended({ prepaid: false })
  await object(trip)
  const storage = { removeBooking: async () => {} }
  const clearing = createDeliveryClearing({ database: city.database, storage, clock: city.clock })
  await clearing.clearEnded(Math.max(city.clock.now(), Date.now()) + 1, 100)
  expect(await city.leftovers(trip.id, ['Ada', '111 222'])).toEqual([])
  await decide(trip, 'write_off')
  expect((await booking(trip)).payableAmount).toBe(trip.total - trip.cost)
})

async function connect() {
  const client = await city.database.pool.connect()
  return { client, end: () => client.release() }
}
