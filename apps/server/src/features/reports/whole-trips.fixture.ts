import type { BookingView } from '@hansom/contract/bookings'
import type { Disputed, RefundView } from '@hansom/contract/refunds'
import { unit } from '@hansom/domain/money/amount'
import fc from 'fast-check'
import { expect, vi } from 'vitest'
import { createCarType } from '../../access-scene.fixture.ts'
import { embeddedDriverIndex } from '../../adapters/driver-index/embedded.ts'
import type { PaymentProvider, RefundResult, ReversalReport } from '../../adapters/payments/port.ts'
import { type ManualClock, manualClock } from '../../platform/clock/manual-clock.ts'
import { createTestApp } from '../../test-app.ts'
import { drop, pickup, straightMaps } from '../bookings/straight-city.fixture.ts'
import { scriptedProvider, webhookSecret } from '../payments/payments.fixture.ts'

/** The ways in which a generated trip is paid or ends. */
export const endings = [
  'cash',
  'cash_only_trip',
  'unpaid',
  'written_off',
  'objected_paid',
  'objected_not_paid',
  'objected_written_off',
  'wallet',
  'card',
  'prepaid',
  'prepaid_open',
  'cancelled_early',
  'cancelled_late',
  'prepaid_cancelled',
  'by_admin',
  'reassigned',
  'declined',
  'withdrawn',
] as const

/** A generated trip and what happens to its money later. Percentages are of what can be refunded. */
export const anyTrip = fc.record({
  ending: fc.constantFrom(...endings),
  promo: fc.boolean(),
  driver: fc.nat(2),
  rated: fc.boolean(),
  /** Ends at this hour of a day after the previous trip. */
  hours: fc.integer({ min: 0, max: 9 }),
  refund: fc.option(
    fc.record({
      bearer: fc.constantFrom('platform' as const, 'driver' as const),
      percent: fc.integer({ min: 1, max: 100 }),
      end: fc.constantFrom('done' as const, 'failed' as const, 'pending' as const),
    }),
    { freq: 2 },
  ),
  dispute: fc.constantFrom('none', 'open', 'lost', 'won', 'appealed'),
  credit: fc.boolean(),
  waived: fc.boolean(),
})
export type AnyTrip = typeof anyTrip extends fc.Arbitrary<infer T> ? T : never

export type TripWorld = Awaited<ReturnType<typeof createTripWorld>>

/** An application with a card provider, one admin, one fleet with two of three drivers, and riders who were referred. */
export async function createTripWorld() {
  const clock: ManualClock = manualClock(Date.UTC(2026, 10, 3, 12))
  const scripted = scriptedProvider('stripe')
  const answers = new Map<string, RefundResult>()
  const reported = new Map<string, ReversalReport>()
  const provider: PaymentProvider = {
    ...scripted.provider,
    refund: async (_payment, { id }) => answers.get(id) ?? nextAnswer,
    refundState: async (_payment, { id }) => answers.get(id) ?? { state: 'pending', providerRefundId: null },
    listReversals: async ({ reference }) => reported.get(reference ?? '') ?? [],
  }
  let nextAnswer: RefundResult = { state: 'done', providerRefundId: null }
  const driverIndex = embeddedDriverIndex()
  const app = await createTestApp({
    clock,
    driverIndex,
    maps: straightMaps(),
    payments: [provider],
  })
  const { pool } = app.database
  const carType = await createCarType(app.database)
  await pool.query('update car_types set cancel_slab = $1', [
    JSON.stringify([
      { minsDelayed: 0, amount: 0 },
      { minsDelayed: 2, amount: 5 * unit },
    ]),
  ])
  await app.database.withTransaction((tx) =>
    app.services.settings.update(tx, {
      autoDispatch: false,
      otp_secure: false,
      decimal: 2,
      bonus: 7 * unit,
    }),
  )
  const bearers: Record<string, string> = {}
  const addPerson = async (
    name: string,
    usertype: 'admin' | 'fleetadmin' | 'driver' | 'rider',
    more = {},
  ) => {
    const email = `${name}@test.example`
    const id = await app.addUser({ email, usertype, firstName: name, lastName: 'Test' })
    bearers[name] = await app.bearer(email)
    await pool.query(
      'update users u set (fleetadmin, signup_via_referral, car_type_id, driver_active_status, lat, lng) =' +
        ' (select r.fleetadmin, r.signup_via_referral, r.car_type_id, r.driver_active_status, r.lat, r.lng' +
        ' from jsonb_populate_record(u, $2) r) where id = $1',
      [id, JSON.stringify(more)],
    )
    return id
  }
  await addPerson('admin', 'admin')
  const fleet = await addPerson('fleet', 'fleetadmin')
  const car = { car_type_id: carType, driver_active_status: true, lat: pickup.lat, lng: pickup.lng }
  const drivers: { name: string; id: string }[] = []
  for (const [at, name] of ['ana', 'bea', 'cid'].entries())
    drivers.push({
      name,
      id: await addPerson(name, 'driver', { ...car, ...(at < 2 && { fleetadmin: fleet }) }),
    })
  const promo = { promo_name: 'Twelve', promo_discount_type: 'flat', promo_discount_value: 12 * unit }
  let riders = 0

  async function call<T>(user: string, method: 'GET' | 'POST', path: string, payload?: object): Promise<T> {
    const answer = await app.server.inject({
      method,
      url: `/api/v1${path}`,
      headers: { authorization: bearers[user] ?? '' },
      ...(payload && { payload }),
    })
    if (answer.statusCode >= 300) throw new Error(`${user} ${path}: ${answer.statusCode} ${answer.body}`)
    return answer.json<T>()
  }
  const give = (user: string, booking: BookingView, command: string, payload: object = {}) =>
    call<BookingView>(user, 'POST', `/bookings/${booking.id}/${command}`, payload)
  const until = (isDone: () => Promise<boolean>) =>
    vi.waitFor(async () => expect(await isDone()).toBe(true), { timeout: 20_000, interval: 20 })
  // Time passes for the outbox, which waits between its rounds.
  const settled = () =>
    until(async () => {
      await clock.advance(500)
      return (await pool.query('select from outbox')).rowCount === 0
    })

  async function payByCard(rider: string, booking: BookingView): Promise<{ id: string; reference: string }> {
    const answer = await app.server.inject({
      method: 'POST',
      url: '/pay/stripe',
      headers: {
        authorization: bearers[rider] ?? '',
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: `order_id=${booking.id}`,
    })
    const id = String(answer.headers.location).split('/')[3] ?? ''
    const { rows } = await pool.query('select reference from payments where id = $1', [id])
    const reference = String(rows[0]?.reference)
    scripted.pay(reference)
    await app.server.inject({
      method: 'POST',
      url: '/pay/stripe/webhook',
      headers: { 'content-type': 'application/json', 'x-signature': webhookSecret },
      payload: JSON.stringify({ event: reference, reference }),
    })
    await until(
      async () => (await pool.query('select from payments where id = $1 and closed', [id])).rowCount === 1,
    )
    return { id, reference }
  }

  /** Makes the trip by commands of its people, and then moves its money back. Returns the booking. */
  async function travel(trip: AnyTrip): Promise<BookingView> {
    await clock.advance(trip.hours * 3_600_000)
    const { ending } = trip
    for (const { id } of drivers)
      driverIndex.upsert({
        ...pickup,
        id,
        at: clock.now(),
        heardAt: clock.elapsed(),
        bearing: null,
        eligible: true,
        car_type_id: carType,
      })
    const rider = `rider${++riders}`
    let driver = drivers[trip.driver] as (typeof drivers)[number]
    const uid = await addPerson(rider, 'rider', { signup_via_referral: drivers[(trip.driver + 1) % 3]?.id })
    if (ending === 'wallet' || trip.credit)
      await call('admin', 'POST', '/wallet/credits', { uid, amount: 500 * unit, reason: 'goodwill' })
    const isPrepaid = ending.startsWith('prepaid')
    const isCash = !isPrepaid && ending !== 'card' && ending !== 'wallet'
    const made = await call<BookingView>(rider, 'POST', '/bookings', {
      pickup,
      drop,
      car_type_id: carType,
      bookLater: false,
      payment_mode: isPrepaid || ending === 'card' ? 'card' : isCash ? 'cash' : 'wallet',
      ...(isPrepaid && { inAdvance: true }),
      ...(trip.promo && { promo: promo.promo_name }),
    })
    let card = isPrepaid ? await payByCard(rider, made) : null
    if (ending === 'cancelled_early') return give(rider, made, 'cancel', { reason: 'changed my mind' })
    if (ending === 'prepaid_open') {
      open.push({ booking: made, driver })
      return made
    }
    await give('admin', made, 'assign-driver', { driver: driver.id })
    if (ending === 'declined') {
      await give(driver.name, made, 'decline')
      return give(rider, made, 'cancel', { reason: 'no driver came' })
    }
    await give(driver.name, made, 'accept')
    if (ending === 'withdrawn') {
      await clock.advance(60_000)
      await give('admin', made, 'withdraw-driver', { reason: 'car broke down' })
      return give(rider, made, 'cancel', { reason: 'no driver came' })
    }
    if (ending === 'reassigned') {
      await clock.advance(60_000)
      driver = drivers[(trip.driver + 1) % 3] as (typeof drivers)[number]
      await give('admin', made, 'assign-driver', { driver: driver.id, reason: 'car broke down' })
      await clock.advance(60_000)
      await give(driver.name, made, 'accept')
    }
    if (ending === 'by_admin') return give('admin', made, 'cancel', { reason: 'car broke down' })
    if (ending === 'cancelled_late' || ending === 'prepaid_cancelled') {
      await clock.advance(3 * 60_000)
      const cancelled = await give(rider, made, 'cancel', { reason: 'changed my mind' })
      await settled()
      if (trip.waived && ending === 'cancelled_late' && !trip.credit)
        await call('admin', 'POST', `/wallet/dues/${made.id}/waive`, { reason: 'goodwill' })
      await refund(trip, cancelled, null)
      return cancelled
    }
    await give(driver.name, made, 'arrive')
    await give(driver.name, made, 'start')
    const end = await give(driver.name, made, 'reach')
    const isUnpaid = /unpaid|written_off|objected/.test(ending)
    const shown = await call<BookingView>(driver.name, 'GET', `/bookings/${made.id}`)
    await give(driver.name, end, 'close', {
      ...(isCash &&
        (isUnpaid
          ? { collected: 'nothing', amount: 0 }
          : { collected: 'all', amount: shown.collect?.total })),
    })
    if (ending === 'card') card = await payByCard(rider, made)
    if (ending === 'written_off') await give('admin', made, 'write-off', { reason: 'lost' })
    if (ending.startsWith('objected')) {
      await give(rider, made, 'object', { reason: 'I paid' })
      const outcome = {
        objected_paid: 'paid',
        objected_not_paid: 'not_paid',
        objected_written_off: 'write_off',
      }[ending as 'objected_paid']
      await give('admin', made, 'decide-objection', { outcome, reason: 'camera' })
    }
    await settled()
    const closed = await call<BookingView>('admin', 'GET', `/bookings/${made.id}`)
    if (trip.rated && closed.status === 'PAID') await give(rider, made, 'rate', { rating: 5 })
    await settled()
    await refund(trip, closed, card)
    if (card) await dispute(trip, card)
    return call<BookingView>('admin', 'GET', `/bookings/${made.id}`)
  }
  const open: { booking: BookingView; driver: { id: string; name: string } }[] = []

  /** The back office refunds a part of what was paid, if anything was. */
  async function refund({ refund: wish }: AnyTrip, booking: BookingView, card: { id: string } | null) {
    if (!wish) return
    const { sources } = await call<Disputed>('admin', 'GET', `/bookings/${booking.id}/refunds`)
    const source = sources.find(({ left }) => left > 0)
    if (!source) return
    const amount = Math.max(100, Math.floor((source.left * wish.percent) / 100 / 100) * 100)
    nextAnswer = { state: wish.end === 'failed' ? 'pending' : wish.end, providerRefundId: null }
    const { id } = await call<RefundView>('admin', 'POST', '/refunds', {
      booking: booking.id,
      payment: source.payment,
      source: source.source,
      amount,
      bearer: source.bearers.includes(wish.bearer) ? wish.bearer : source.bearers[0],
      reason: 'The route was long',
    })
    if (card === null) return
    await app.services.refunds.processDue()
    await until(async () => (await pool.query(`select from refunds where state = 'asked'`)).rowCount === 0)
    if (wish.end === 'failed') await call('admin', 'POST', `/refunds/${id}/settle`, { outcome: 'failed' })
  }

  /** The payer's bank takes the payment back, with a fee. */
  async function dispute({ dispute: end, refund: wish }: AnyTrip, card: { id: string; reference: string }) {
    if (end === 'none' || wish) return
    const { sources } = await call<Disputed>('admin', 'GET', `/payments/${card.id}/refunds`)
    const amount = sources[0]?.left ?? 0
    const report = async (state: 'pending' | 'done' | 'failed', fee: number) => {
      reported.set(card.reference, [
        { id: `dp_${card.id}`, kind: 'chargeback', amount, order: null, state, fee: fee * unit },
      ])
      await app.services.refunds.importExternal(card.id)
    }
    await report('pending', 15)
    if (end === 'lost' || end === 'appealed') await report('done', 15)
    if (end === 'won') await report('failed', 0)
    if (end === 'appealed') await report('failed', 3)
  }

  await app.start()
  await call('admin', 'POST', '/promos', {
    ...promo,
    promo_validity: clock.now() + 90 * 86_400_000,
    promo_usage_limit: 10_000,
  })
  return {
    app,
    clock,
    drivers,
    fleet,
    call,
    travel,
    /** Ends the prepaid trips that are still in progress. */
    endOpenTrips: async () => {
      for (const { booking, driver } of open.splice(0)) {
        await give('admin', booking, 'assign-driver', { driver: driver.id })
        for (const step of ['accept', 'arrive', 'start', 'reach', 'close'])
          await give(driver.name, booking, step)
      }
      await settled()
    },
  }
}
