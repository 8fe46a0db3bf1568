import type { RouteName } from '@hansom/domain/access/routes'
import { ruleFiguresOf } from '@hansom/domain/dispatch/rules'
import { defaultSettings } from '@hansom/domain/settings/settings'
import { cancellation } from '@hansom/domain/wallet/trip-entries'
import { uuidv7 } from 'uuidv7'
import { fareRule } from '../../../packages/domain/src/bookings/booking.fixture.ts'
import type { Scene } from './access-scene.fixture.ts'
import type { TestApp } from './test-app.ts'

interface Stage {
  app: TestApp
  scene: Scene
  carType: string
}

interface Sample {
  path?: Record<string, string>
  body?: object
}

const about = (id: string, body: object = {}): Sample => ({ path: { id }, body })

/** Like `about`, for a user, with the current version. */
async function aboutUser({ app }: Stage, id: string, body: object = {}): Promise<Sample> {
  const { rows } = await app.database.pool.query('select version from users where id = $1', [id])
  return about(id, { version: rows[0].version, ...body })
}

/** Puts the scene's booking into a status, with a fare that can be calculated. */
async function bookingIn({ app, scene }: Stage, status: string, more = ''): Promise<string> {
  await app.database.pool.query(`update bookings set status = $2, fare_rule = $3 ${more} where id = $1`, [
    scene.booking,
    status,
    JSON.stringify(fareRule),
  ])
  return scene.booking
}

const withoutDriver = ', driver = null, fleetadmin = null'

async function parkedEvent({ app }: Stage): Promise<Sample> {
  await app.database.pool.query(
    `insert into parked_events (id, at, kind, payload, error, failing_since)
      values ((select coalesce(max(id), 0) + 1 from parked_events), 1, 'sample', '{}', 'broken', 2)`,
  )
  return { body: { kind: 'event', name: 'sample', until: 2 } }
}

/** An alarm of the scene's booking, which an admin has taken over if `isTaken`. */
async function alarm({ app, scene }: Stage, isTaken: boolean, body: object = {}): Promise<Sample> {
  const id = uuidv7()
  await app.database.pool.query(
    `insert into safety_events (id, booking_id, kind, driver, state, opened_at, alarm_at, raised_by, acknowledged_at,
        acknowledged_by)
      values ($1, $2, 'panic', $3, 'alarm', 1, 1, $4, $5, $6)`,
    [
      id,
      scene.booking,
      scene.ids.driver,
      scene.ids.rider,
      ...(isTaken ? [2, scene.ids.admin] : [null, null]),
    ],
  )
  return about(id, body)
}

/** The rider's file of deliveries, with a row in this state. */
async function fileWith({ app, scene }: Stage, state: 'good' | 'queued'): Promise<Sample> {
  await app.database.pool.query(
    `insert into delivery_import_rows (import_id, n, data, key, state, problems) values ($1, 2, '{}', 'k', $2, '[]')`,
    [scene.file, state],
  )
  return about(scene.file, { sender: scene.ids.rider })
}

/** The scene's conversation, with one message. */
async function chatOf({ app, scene }: Stage): Promise<void> {
  const { booking, ids } = scene
  await app.services.chats.send({ id: ids.driver, role: 'driver', approved: true }, booking, {
    smsId: 'from-a-test',
    message: 'Hello',
  })
}

/** A sample input for each audited command that changes something. */
export const auditSamples: Partial<Record<RouteName, (stage: Stage) => Promise<Sample> | Sample>> = {
  'chats.read': async (stage) => {
    await chatOf(stage)
    return about(stage.scene.booking)
  },
  'chats.settleReport': async (stage) => {
    const { app, scene } = stage
    await chatOf(stage)
    const driver = { id: scene.ids.driver, role: 'driver', approved: true } as const
    await app.services.chats.report(driver, scene.booking, { reason: 'spam', note: '' })
    const { rows } = await app.database.pool.query('select id from chat_reports where booking_id = $1', [
      scene.booking,
    ])
    return about(rows[0].id, { note: 'Called them' })
  },
  'setup.create': async ({ app }) => {
    await app.database.pool.query(`update users set usertype = 'rider' where usertype = 'admin'`)
    const link = await app.services.setup.openLink()
    const token = new URL(link ?? '', 'http://x.test').searchParams.get('token')
    const person = { firstName: 'Ada', lastName: 'First', email: 'first@x.test', password: 'first2026' }
    return { body: { token, ...person } }
  },

  'deliveries.startImport': ({ scene }) => {
    const text = 'pickup,drop,person,phone\nHere,There,Ada,099 111 222'
    return { body: { name: 'orders.csv', text, sender: scene.ids.rider } }
  },
  'deliveries.bookImport': (stage) => fileWith(stage, 'good'),
  'deliveries.stopImport': (stage) => fileWith(stage, 'queued'),

  'safety.acknowledge': (stage) => alarm(stage, false),
  'safety.note': (stage) => alarm(stage, false, { note: 'Called the rider' }),
  'safety.resolve': (stage) => alarm(stage, true, { note: 'All is well' }),
  'failedWork.retry': parkedEvent,
  'failedWork.discard': parkedEvent,

  'users.create': () => ({
    body: { usertype: 'rider', firstName: 'Nina', lastName: 'New', email: 'nina-new@x.test' },
  }),
  'users.update': (stage) => aboutUser(stage, stage.scene.ids.rider, { lastName: 'Renamed' }),
  'users.remove': ({ scene }) => about(scene.ids.otherRider),
  'users.approve': (stage) => aboutUser(stage, stage.scene.ids.waiting),
  'users.disapprove': (stage) => aboutUser(stage, stage.scene.ids.otherDriver),
  'users.change_type': (stage) => aboutUser(stage, stage.scene.ids.otherRider, { usertype: 'driver' }),
  'users.assign_fleet': (stage) =>
    aboutUser(stage, stage.scene.ids.otherDriver, { fleetadmin: stage.scene.ids.fleetadmin }),
  'users.correct_contact': (stage) => aboutUser(stage, stage.scene.ids.rider, { mobile: '+59899456789' }),
  'users.invite': async ({ app, scene }) => {
    const { otherRider } = scene.ids
    await app.database.pool.query('update users set created_by_admin = true where id = $1', [otherRider])
    await app.database.pool.query('update auth_users set email_verified = false where id = $1', [otherRider])
    return about(otherRider)
  },

  'tripLinks.correct': async ({ app, scene }) => {
    const { pool } = app.database
    await pool.query(`insert into deliveries (booking_id, stop_order, return_leg) values ($1, 'given', $2)`, [
      scene.booking,
      { distanceKm: 0, durationS: 0, cost: 0, convenience_fees: 0, driver_share: 0 },
    ])
    await pool.query(
      `insert into delivery_stops (booking_id, n, kind, place, person, phone, planned_at, share)
        select $1, n, case n when 0 then 'pickup' else 'drop' end, '{"lat": 0, "lng": 0, "add": "Here"}', 'Ada', '099 111 222', 0, 0
        from generate_series(0, 1) n`,
      [scene.booking],
    )
    return about(scene.booking, { stop: 1, person: 'Ben', phone: '099 333 444', email: null })
  },

  'bookings.create': ({ scene, carType }) => ({
    body: {
      customer: scene.ids.otherRider,
      pickup: { lat: -34.9, lng: -56.17, add: 'a' },
      drop: { lat: -34.88, lng: -56.12, add: 'b' },
      car_type_id: carType,
      bookLater: true,
      tripdate: Date.now() + 3_600_000,
      instructionData: { deliveryPerson: 'Ada', deliveryPersonPhone: '099 111 222' },
    },
  }),
  'bookings.cancel': ({ scene }) => about(scene.booking, { reason: 'because' }),
  'bookings.assign_driver': async (stage) => {
    const { app, scene, carType } = stage
    await app.database.withTransaction((tx) => app.services.settings.update(tx, { autoDispatch: false }))
    await app.database.pool.query('update users set lat = -34.9, lng = -56.17 where id = $1', [
      scene.ids.otherDriver,
    ])
    await app.database.pool.query('update users set car_type_id = $2 where id = $1', [
      scene.ids.otherDriver,
      carType,
    ])
    return about(await bookingIn(stage, 'NEW', withoutDriver), { driver: scene.ids.otherDriver })
  },
  'bookings.change': async (stage) =>
    about(await bookingIn(stage, 'NEW', withoutDriver), {
      bookLater: true,
      tripdate: Date.now() + 7_200_000,
    }),
  'bookings.choose_payment': async (stage) =>
    about(await bookingIn(stage, 'ACCEPTED', `, payment_mode = 'card'`), { payment_mode: 'cash' }),
  'bookings.withdraw_driver': async (stage) =>
    about(await bookingIn(stage, 'ACCEPTED'), { reason: 'because' }),
  'bookings.reach': async (stage) =>
    about(await bookingIn(stage, 'STARTED', ', trip_start_time = 1'), { reason: 'the driver is gone' }),
  'bookings.close': async (stage) =>
    about(await bookingIn(stage, 'REACHED', ', trip_start_time = 1, trip_end_time = 2'), {
      reason: 'the driver is gone',
    }),
  'bookings.write_off': async (stage) =>
    about(await bookingIn(stage, 'PENDING', `, payment_mode = 'card'`), { reason: 'no payment' }),

  'bookings.decide_objection': async (stage) =>
    about(await bookingIn(stage, 'PENDING', `, cash_answer = 'nothing', objection = 'open'`), {
      outcome: 'not_paid',
      reason: 'no proof',
    }),

  'pushNotifications.create': () => ({ body: announcement }),
  'pushNotifications.update': async (stage) =>
    about(await createdNotification(stage), { version: 1, title: 'Sun' }),
  'pushNotifications.remove': async (stage) => about(await createdNotification(stage)),
  'pushNotifications.send': async (stage) => {
    return about(await createdNotification(stage))
  },

  'settings.update': async ({ app }) => {
    const { version } = await app.services.settings.current()
    return { body: { version, appName: 'Renamed', bonus: 5 } }
  },
  'languages.create': () => ({
    body: { langName: 'Català', langLocale: 'ca', dateLocale: '', direction: 'ltr' },
  }),
  'languages.update': async ({ app }) => aboutLanguage(app, 'ar', { dateLocale: 'ar-EG' }),
  'languages.saveTexts': async ({ app }) => aboutLanguage(app, 'ar', { texts: { 'common.close': 'أغلق' } }),
  'languages.makeDefault': () => ({ path: { locale: 'ar' } }),
  'languages.remove': async ({ app, scene }) => {
    const names = { langName: 'Deutsch', langLocale: 'de', dateLocale: '', direction: 'ltr' } as const
    await app.services.languages.admin.create(scene.ids.otherRider, names)
    return { path: { locale: 'de' } }
  },

  'carTypes.create': () => ({ body: newCarType('Van') }),
  'carTypes.update': async (stage) => {
    const { id, version } = await addedCarType(stage)
    return about(id, { version, min_fare: 700_000 })
  },
  'carTypes.remove': async (stage) => about((await addedCarType(stage)).id),
  'cancelReasons.create': () => ({ body: { label: 'Too late' } }),
  'cancelReasons.update': async (stage) => {
    const { id, version } = await addedReason(stage)
    return about(id, { version, label: 'Too far' })
  },
  'cancelReasons.move': async (stage) => {
    await addedReason(stage)
    const { id } = await addedReason(stage)
    const { rows } = await stage.app.database.pool.query('select version from cancel_reasons_order')
    return about(id, { to: 0, order: rows[0].version })
  },
  'cancelReasons.remove': async (stage) => about((await addedReason(stage)).id),
  'promos.create': () => ({ body: newPromo('SALVO10') }),
  'promos.update': async (stage) => {
    const { id, version } = await addedPromo(stage)
    return about(id, { version, min_order: 100_000 })
  },
  'promos.remove': async (stage) => about((await addedPromo(stage)).id),
  'dispatchRules.create': () => ({ body: newRule }),
  'dispatchRules.update': async (stage) => {
    const { id, version } = await addedRule(stage)
    return about(id, { version, waveSize: 3 })
  },
  'dispatchRules.remove': async (stage) => about((await addedRule(stage)).id),

  'wallet.credit': ({ scene }) => ({ body: { uid: scene.ids.rider, amount: 500_000, reason: 'A gift' } }),
  'wallet.debit': async (stage) => {
    await creditedRider(stage)
    return { body: { uid: stage.scene.ids.rider, amount: 500_000, reason: 'A mistake' } }
  },
  'wallet.reverseAdjustment': async (stage) => about(await creditedRider(stage), { reason: 'typed wrong' }),
  'wallet.receiveCash': ({ scene }) => ({ body: { uid: scene.ids.driver, amount: 500_000 } }),
  'wallet.reverseCash': async (stage) => about(await receipt(stage), { reason: 'typed wrong' }),
  'wallet.bankCash': async (stage) => {
    await receipt(stage)
    return { body: { amount: 100_000 } }
  },
  'wallet.waive': async (stage) => {
    const booking = await bookingIn(stage, 'CANCELLED', `, cancelled_by = 'rider', reason = 'x'`)
    const { rider, driver } = stage.scene.ids
    const fee = cancellation({ booking, rider, driver, fee: 50_000, paid: 0, promo: 0 })
    const { wallet } = stage.app.services
    await stage.app.database.withTransaction((tx) =>
      wallet.append(tx, fee, { at: 1, currency: 'UYU', by: null }),
    )
    return { path: { booking }, body: { reason: 'goodwill' } }
  },
  'withdraws.requestFor': async (stage) => {
    await creditedRider(stage)
    const uid = stage.scene.ids.rider
    return { body: { uid, amount: 10_000, bankName: 'Banco', bankCode: '', bankAccount: '1' } }
  },
  'withdraws.process': async (stage) => about(await requestedWithdrawal(stage)),
  'withdraws.refuse': async (stage) => about(await requestedWithdrawal(stage), { reason: 'no such account' }),
  'refunds.ask': async (stage) => {
    const booking = await bookingIn(
      stage,
      'COMPLETE',
      ', cash_payment_amount = 900000, customer_paid = 900000',
    )
    const money = { source: 'cash', payment: null, amount: 100_000, bearer: 'platform' }
    return { body: { booking, ...money, reason: 'The way was too long' } }
  },
  'refunds.settlePayment': async (stage) => ({
    path: { payment: await mismatched(stage) },
    body: { outcome: 'given_back' },
  }),
  'refunds.record': async (stage) => ({
    path: { payment: await usedForTopUp(stage) },
    body: { origin: 'chargeback', amount: 100_000, fee: 150_000, reason: 'Case 17' },
  }),
  'refunds.setFee': async (stage) => {
    const { refunds } = stage.app.services
    const seen = { origin: 'chargeback' as const, amount: 100_000, fee: 150_000, reason: 'Case 17' }
    const payment = await usedForTopUp(stage)
    return about((await refunds.record(stage.scene.ids.otherRider, { payment, ...seen }, null)).id, {
      fee: 0,
    })
  },
  'refunds.settle': async (stage) => about(await manualRefund(stage), { outcome: 'confirmed' }),
}

/** Makes names unique, since records of earlier tests remain. */
let made = 0

const newCarType = (name: string) => ({
  name: `${name} ${(made += 1)}`,
  base_fare: 200_000,
  rate_per_unit_distance: 100_000,
  rate_per_hour: 600_000,
  min_fare: 500_000,
  convenience_fees: 100_000,
  convenience_fee_type: 'percentage' as const,
  seats: 6,
})
const addedCarType = ({ app, scene }: Stage) =>
  app.services.carTypesAdmin.add({ uid: scene.ids.otherRider, key: null }, newCarType('Bus'))

const addedReason = ({ app, scene }: Stage) =>
  app.services.cancelReasonsAdmin.add(
    { uid: scene.ids.otherRider, key: null },
    { label: `Reason ${(made += 1)}` },
  )

const newPromo = (name: string) => ({
  promo_name: `${name}${(made += 1)}`,
  promo_discount_type: 'flat' as const,
  promo_discount_value: 500_000,
  promo_validity: Date.now() + 86_400_000,
  promo_usage_limit: 10,
})
const addedPromo = ({ app, scene }: Stage) =>
  app.services.promosAdmin.add({ uid: scene.ids.otherRider, key: null }, newPromo('RAMBLA'))

const newRule = {
  ...ruleFiguresOf(defaultSettings.dispatch),
  name: 'Evening rush',
  priority: 10,
  days: ['fri' as const, 'sat' as const],
  from_hour: 17,
  to_hour: 20,
  area: null,
  area_radius: 2,
}
const addedRule = ({ app, scene }: Stage) =>
  app.services.dispatchRules.add({ uid: scene.ids.otherRider, key: null }, newRule)

const creditedRider = async ({ app, scene }: Stage) => {
  const input = { uid: scene.ids.rider, amount: 500_000, reason: 'A gift' }
  return (await app.services.walletAdmin.adjustments.credit(scene.ids.otherRider, input, null)).id
}

const receipt = async ({ app, scene }: Stage) =>
  (
    await app.services.walletAdmin.cash.receive(
      scene.ids.otherRider,
      { uid: scene.ids.driver, amount: 500_000, note: '' },
      null,
    )
  ).id

async function requestedWithdrawal({ app, scene }: Stage): Promise<string> {
  const { walletAdmin, withdraws } = app.services
  const { driver, otherRider } = scene.ids
  await walletAdmin.adjustments.credit(otherRider, { uid: driver, amount: 500_000, reason: 'Start' }, null)
  const wish = { amount: 500_000, bankName: 'Banco', bankCode: '', bankAccount: '1' }
  return (await withdraws.request(driver, wish, null)).id
}

/** A top-up whose provider reports another amount. */
async function mismatched({ app, scene }: Stage): Promise<string> {
  const { rows } = await app.database.pool.query<{ id: string }>(
    `with wish as (insert into top_ups (id, code, uid, amount, currency, created_at)
        values (gen_random_uuid(), gen_random_uuid()::text, $1, 500000, 'UYU', 1) returning *)
      insert into payments (id, provider, live, top_up, code, number, reference, payer, payer_name, amount, currency, state,
          differs, created_at, opened_at)
        select gen_random_uuid(), 'securepay', false, id, code, 1, code || '-1', uid, 'R R', amount, currency, 'mismatch',
          '{amount}', 1, 1 from wish returning id`,
    [scene.ids.rider],
  )
  return rows[0]?.id ?? ''
}

/** A card payment credited to its payer's wallet. */
async function usedForTopUp({ app, scene }: Stage): Promise<string> {
  const { rows } = await app.database.pool.query<{ id: string }>(
    `with wish as (insert into top_ups (id, code, uid, amount, currency, created_at)
        values (gen_random_uuid(), gen_random_uuid()::text, $1, 500000, 'UYU', 1) returning *)
      insert into payments (id, provider, live, top_up, code, number, reference, payer, payer_name, amount,
          currency, state, used_for, created_at, paid_at, opened_at)
        select gen_random_uuid(), 'securepay', false, id, code, 1, code || '-1', uid, 'R R', amount, currency, 'paid',
          'top_up', 1, 1, 1 from wish returning id`,
    [scene.ids.rider],
  )
  return rows[0]?.id ?? ''
}

/** A card refund that an admin must complete at the provider. */
async function manualRefund(stage: Stage): Promise<string> {
  const { rows } = await stage.app.database.pool.query<{ id: string }>(
    `insert into refunds (id, at, code, source, payment, provider, rider, rider_name, amount, currency, bearer, reason,
          state, before, look_at, by_user)
        select gen_random_uuid(), 1, code, 'card', id, provider, payer, payer_name, amount, currency, 'wallet', 'why',
          'by_hand', 0, 1, $1 from payments where id = $2 returning id`,
    [stage.scene.ids.rider, await usedForTopUp(stage)],
  )
  return rows[0]?.id ?? ''
}

const announcement = { devicetype: 'All', usertype: 'rider', title: 'Rain', body: 'Few cars.' } as const

async function createdNotification({ app, scene }: Stage): Promise<string> {
  return (await app.services.pushNotifications.add({ uid: scene.ids.otherRider, key: null }, announcement)).id
}

async function aboutLanguage(app: TestApp, locale: string, body: object): Promise<Sample> {
  const { version } = await app.services.languages.texts(locale)
  return { path: { locale }, body: { version, ...body } }
}
