import { randomUUID } from 'node:crypto'
import type { InstructionData } from '@hansom/contract/deliveries'
import type { Actor } from '@hansom/domain/access/relation'
import { unit } from '@hansom/domain/money/amount'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestCity, type TestCity } from '../bookings/booking-city.fixture.ts'

let city: TestCity
beforeAll(async () => {
  city = await createTestCity()
  city.changeSettings({ category: 'delivery' })
})
afterAll(() => city.close())

const ada: InstructionData = {
  deliveryPerson: 'Ada',
  deliveryPersonPhone: '099 111 222',
  deliveryInstructions: 'Ring twice',
}
const ben = { deliveryPerson: 'Ben', deliveryPersonPhone: '099 333 444' }
const place = (lat: number) => ({ lat, lng: -56.16, add: `Place ${lat}` })
const twoDrops = (): InstructionData => ({ ...ada, moreDrops: [{ ...ben, drop: place(-34.87) }] })

async function sender(wallet = 10_000): Promise<Actor> {
  return city.addRider({ wallet_balance: wallet * unit })
}
const book = (by: Actor, instructionData: InstructionData | undefined, more = {}) =>
  city.bookings.create(
    by,
    city.request({ payment_mode: 'wallet', ...(instructionData && { instructionData }), ...more }),
    null,
  )

/** A delivery on its way with a courier. */
async function started(instructionData = twoDrops()) {
  const rider = await sender()
  const driver = await city.addDriver()
  const { booking } = await book(rider, instructionData)
  await expect.poll(async () => (await city.bookings.read(booking.id))?.booking.status).toBe('NEW')
  await city.ask(booking.id, [driver])
  const { commands } = city.bookings
  await commands.accept(city.order(driver, booking.id))
  await commands.arrive(city.order(driver, booking.id))
  await commands.start(city.order(driver, booking.id))
  return { rider, driver, id: booking.id, commands }
}

test('create: details missing -> deliveryDetailMissing before parcel, payment and drivers', async () => {
  const rider = await sender(0)
  await expect(book(rider, undefined)).rejects.toMatchObject({ key: 'deliveryDetailMissing' })
  await expect(book(rider, { ...ada, deliveryPersonPhone: '12', parcelTypeIndex: 9 })).rejects.toMatchObject({
    key: 'deliveryDetailMissing',
    fields: [{ field: 'instructionData.deliveryPersonPhone' }],
  })
})

test('offers: car type with parcel types and options -> the price of the estimate without a choice', async () => {
  const own = await createTestCity({ jobs: false })
  own.changeSettings({ category: 'delivery' })
  await own.database.pool.query('update car_types set parcel_types = $1, options = $2', [
    JSON.stringify([{ description: 'Box', amount: 5 * unit }]),
    JSON.stringify([{ description: 'Fragile', amount: 2 * unit }]),
  ])
  const { pickup, drop } = own.request()
  const { offers } = await own.bookings.offers(pickup, drop)
  const { estimateFare } = await own.bookings.estimate({ pickup, drop, car_type_id: own.carType })
  expect(offers.map(({ fare }) => fare.trip_cost)).toEqual([estimateFare])
  await own.close()
})

test('create: no payment named, only a courier who owes too much is near -> counts, as for a card', async () => {
  const own = await createTestCity({ jobs: false })
  own.changeSettings({ category: 'delivery', driverDebtLimit: 10 * unit })
  await own.addDriver(undefined, { wallet_balance: -11 * unit })
  const rider = await own.addRider()
  const { payment_mode, ...request } = own.request({ instructionData: ada })
  // Cards are not available in this city, which is checked after the drivers.
  await expect(own.bookings.create(rider, request, null)).rejects.toMatchObject({
    key: 'payment_unavailable',
  })
  await expect(own.bookings.create(rider, { ...request, payment_mode }, null)).rejects.toMatchObject({
    key: 'no_driver_found_alert_messege',
  })
  await own.close()
})

test('create: in cash -> refused unless couriers may collect', async () => {
  await city.addDriver()
  await expect(book(await sender(), ada, { payment_mode: 'cash' })).rejects.toMatchObject({
    key: 'cash_unavailable',
  })
  city.changeSettings({ deliveryCash: true })
  const { booking } = await book(await sender(), { ...ada, cash_at: 'pickup' }, { payment_mode: 'cash' })
  city.changeSettings({ deliveryCash: false })
  expect(booking.status).toBe('NEW')
})

test('cash at the pickup -> recorded once though sent five times; the courier owes it until the end', async () => {
  const driver = await city.addDriver()
  city.changeSettings({ deliveryCash: true })
  const { booking } = await book(await sender(), { ...ada, cash_at: 'pickup' }, { payment_mode: 'cash' })
  city.changeSettings({ deliveryCash: false })
  const { id, trip_cost } = booking
  const { commands } = city.bookings
  await city.ask(id, [driver])
  await commands.accept(city.order(driver, id))
  await commands.arrive(city.order(driver, id))
  await expect(commands.start(city.order(driver, id))).rejects.toMatchObject({ key: 'proof_needed' })
  const tries = await Promise.allSettled(
    Array.from({ length: 5 }, () => commands.start(city.order(driver, id), { cash: trip_cost })),
  )
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await city.balance(driver)).toBe(-trip_cost)
  await commands.deliver(city.order(driver, id), { stop: 1 })
  await commands.reach(city.order(driver, id))
  const closed = await commands.close(city.order(driver, id))
  expect(closed.booking).toMatchObject({ status: 'PAID', prepaid: true, cashPaymentAmount: trip_cost })
  expect(await city.balance(driver)).toBe(closed.booking.driver_share - trip_cost)
})

test('create: from the wallet -> PAYMENT_PENDING with all of it held, then NEW and prepaid', async () => {
  const rider = await sender()
  await city.addDriver()
  const { booking, delivery } = await book(rider, twoDrops())
  expect(booking).toMatchObject({
    status: 'PAYMENT_PENDING',
    usedWalletMoney: booking.trip_cost,
    payableAmount: 0,
  })
  expect(delivery?.stops).toMatchObject([
    { n: 0, kind: 'pickup' },
    { n: 1, person: 'Ada', instructions: 'Ring twice' },
    { n: 2, person: 'Ben' },
  ])
  expect(booking.drop.add).toBe('Place -34.87')
  await expect
    .poll(async () => (await city.bookings.read(booking.id))?.booking)
    .toMatchObject({ status: 'NEW', prepaid: true, customer_paid: booking.trip_cost })
})

test('create: passengers or a trip back -> refused', async () => {
  await expect(book(await sender(), ada, { passengers: 2 })).rejects.toMatchObject({ key: 'invalid_input' })
})

test('stops: one delivered, one failed and returned -> the return leg is due from the sender, the ledger adds up', async () => {
  const { rider, driver, id, commands } = await started()
  const before = await city.bookings.get(rider, id)
  await commands.deliver(city.order(driver, id), { stop: 1, name: 'Ada' })
  const fail = () => commands.fail_drop(city.order(driver, id), { stop: 2, reason: 'no_one_there' })
  await expect(fail()).rejects.toMatchObject({ key: 'wait_at_stop', data: { minutes: 3 } })
  const { lat, lng } = before.booking.drop
  await city.database.pool.query(
    'update delivery_stops set done_at = done_at - 300000 where booking_id = $1',
    [id],
  )
  await city.database.pool.query(
    `insert into tracking (booking_id, at, status, lat, lng)
      select $1, $2::bigint - minute * 60000, 'STARTED', $3, $4 from generate_series(1, 4) minute`,
    [id, city.clock.now(), lat, lng],
  )
  const failed = await fail()
  const cost = failed.delivery?.return_leg.cost ?? 0
  expect(cost).toBeGreaterThan(0)
  expect(failed.booking.trip_cost).toBe(before.booking.trip_cost + cost)
  expect(failed.delivery?.stops.map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['pickup', 'collected'],
    ['drop', 'delivered'],
    ['drop', 'failed'],
    ['return', null],
  ])
  await expect(commands.reach(city.order(driver, id))).rejects.toMatchObject({ key: 'stops_open' })
  await commands.deliver(city.order(driver, id), { stop: 3 })
  await commands.reach(city.order(driver, id))
  const balance = await city.balance(rider)
  const { booking } = await commands.close(city.order(driver, id))
  expect(booking).toMatchObject({ status: 'PAID', customer_paid: booking.trip_cost })
  expect(await city.balance(rider)).toBe(balance - cost)
  // The courier's part of the return leg follows once the wallet has covered it.
  await expect.poll(() => city.balance(driver)).toBe(booking.driver_share)
  const stored = await city.bookings.read(id)
  expect(stored?.delivery?.stops).toHaveLength(4)
})

test('stops: the same step twice, and two opposite steps at once -> one outcome', async () => {
  const { driver, id, commands } = await started()
  const key = randomUUID()
  const twice = await Promise.all(
    [1, 2].map(() => commands.deliver(city.order(driver, id, key), { stop: 1, name: 'Ada' })),
  )
  expect(twice.map(({ delivery }) => delivery?.stops[1]?.outcome)).toEqual(['delivered', 'delivered'])
  const both = await Promise.allSettled([
    commands.deliver(city.order(driver, id), { stop: 2 }),
    commands.fail_drop(city.order(driver, id), { stop: 2, reason: 'refused' }),
  ])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('courier cancels before the pickup -> the replacement has the same stops, untouched', async () => {
  const rider = await sender()
  const driver = await city.addDriver()
  const { booking } = await book(rider, twoDrops())
  await expect.poll(async () => (await city.bookings.read(booking.id))?.booking.status).toBe('NEW')
  await city.ask(booking.id, [driver])
  await city.bookings.commands.accept(city.order(driver, booking.id))
  const { booking: ended } = await city.bookings.commands.cancel(city.order(driver, booking.id), {
    reason: 'car_trouble',
  })
  const next = await city.bookings.read(ended.rebooked_as ?? '')
  expect(next?.delivery?.stops.map(({ person, outcome }) => [person, outcome])).toEqual([
    [expect.any(String), null],
    ['Ada', null],
    ['Ben', null],
  ])
})

test('labels: printed before two couriers cancelled -> the third courier scans them', async () => {
  city.changeSettings({ deliveryScan: true })
  try {
    const { booking: first } = await book(await sender(), twoDrops())
    let id = first.id
    for (const isLast of [false, false, true]) {
      const driver = await city.addDriver()
      await expect.poll(async () => (await city.bookings.read(id))?.booking.status).toBe('NEW')
      await city.ask(id, [driver])
      await city.bookings.commands.accept(city.order(driver, id))
      if (isLast) {
        await city.bookings.commands.arrive(city.order(driver, id))
        const other = { scan: 'OTHER-1' }
        await expect(city.bookings.commands.start(city.order(driver, id), other)).rejects.toMatchObject({
          key: 'wrong_label',
        })
        const scan = `${first.booking_id}-1`
        const { booking } = await city.bookings.commands.start(city.order(driver, id), { scan })
        expect(booking.status).toBe('STARTED')
        expect(booking.booking_id).not.toBe(first.booking_id)
      } else {
        const ended = await city.bookings.commands.cancel(city.order(driver, id), { reason: 'car_trouble' })
        id = ended.booking.rebooked_as ?? ''
      }
    }
  } finally {
    city.changeSettings({ deliveryScan: false })
  }
})

test('list: delivery of two drops -> their number; the stops only in complete views', async () => {
  const rider = await sender()
  await book(rider, twoDrops())
  const [row] = (await city.bookings.list(rider, {})).items
  expect(row?.delivery).toMatchObject({ drops: 2, stop_order: 'given' })
  expect(row?.delivery).not.toHaveProperty('stops')
  const [view] = (await city.bookings.views(rider, {})).items
  expect(view?.delivery?.stops.map(({ person }) => person).slice(1)).toEqual(['Ada', 'Ben'])
})

test('other people -> do not see recipients', async () => {
  const { id, driver } = await started(ada)
  const requested = { ...(await city.addDriver()) }
  await expect(city.bookings.get(requested, id)).rejects.toMatchObject({ key: 'not_found' })
  expect((await city.bookings.view(driver, await city.bookings.get(driver, id))).deliveryPerson).toBe('Ada')
})

test('admin ends a delivery with open stops -> not done, their part of the fare returns to the wallet', async () => {
  const { rider, driver, id, commands } = await started()
  const delivered = await commands.deliver(city.order(driver, id), { stop: 1, name: 'Ada' })
  const share = delivered.delivery?.stops[1]?.share ?? 0
  const { trip_cost } = delivered.booking
  expect(share).toBeLessThan(trip_cost)
  const balance = await city.balance(rider)
  const admin = await city.addAdmin()
  await commands.reach(city.order(admin, id), { reason: 'Courier disappeared' })
  const { booking, delivery } = await commands.close(city.order(admin, id), { reason: 'Courier disappeared' })
  expect(booking).toMatchObject({ status: 'PAID', trip_cost: share, customer_paid: share })
  expect(delivery?.stops.map(({ outcome }) => outcome)).toEqual(['collected', 'delivered', 'not_done'])
  expect(await city.balance(rider)).toBe(balance + trip_cost - share)
  await expect.poll(() => city.balance(driver)).toBe(booking.driver_share)
})
