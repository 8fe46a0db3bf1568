import type { Actor } from '@hansom/domain/access/relation'
import { unit } from '@hansom/domain/money/amount'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { ManualClock } from '../../platform/clock/manual-clock.ts'
import { createTestCity, type TestCity } from './booking-city.fixture.ts'
import { pickup } from './straight-city.fixture.ts'

let city: TestCity
beforeAll(async () => {
  city = await createTestCity()
})
afterEach(() => {
  city.settings.autoDispatch = true
  city.settings.bonus = 0
})
afterAll(() => city.close())

/** A trip up to PAID. */
async function paidTrip(rider: Actor): Promise<{ id: string; driver: Actor }> {
  const driver = await city.addDriver(pickup)
  const { commands } = city.bookings
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  const order = city.order(driver, booking.id)
  await commands.accept(order)
  await commands.arrive(order)
  await commands.start(order, {})
  await commands.reach(order, {})
  await commands.close(order, {})
  return { id: booking.id, driver }
}

const statusOf = async (rider: Actor, id: string) => (await city.bookings.get(rider, id)).booking.status

const proven = { mobile_verified_at: 1 }

test.each([
  ['newcomer is not verified', {}, proven, false],
  ['referrer is not verified', proven, {}, false],
  ['newcomer and referrer on one trip', proven, proven, true],
])('referral bonus: %s -> not paid', async (_case, newcomerIs, referrerIs, isDriver) => {
  city.settings.bonus = 10 * unit
  const referrer = await city.addRider(referrerIs)
  const newcomer = await city.addRider({ signup_via_referral: referrer.id, ...newcomerIs })
  const { id, driver } = await paidTrip(newcomer)
  if (isDriver) {
    await city.database.pool.query('update users set signup_via_referral = $2 where id = $1', [
      newcomer.id,
      driver.id,
    ])
    await city.database.pool.query('update users set mobile_verified_at = 1 where id = $1', [driver.id])
  }
  const before = await city.balance(driver)
  await city.bookings.commands.skip_rating(city.order(newcomer, id))
  await city.outbox.idle()
  expect([await city.balance(newcomer), await city.balance(referrer), await city.balance(driver)]).toEqual([
    0,
    0,
    before,
  ])
})

test('referral bonus: verified email instead of phone number -> paid', async () => {
  city.settings.bonus = 10 * unit
  const people = [await city.addRider(), await city.addRider()] as const
  const [referrer, newcomer] = people
  for (const { id } of people) {
    await city.database.pool.query(
      `insert into auth_users (id, name, email, email_verified) values ($1, 'R', $1::uuid::text || '@example.com', true)
        on conflict (id) do update set email_verified = true`,
      [id],
    )
  }
  await city.database.pool.query('update users set signup_via_referral = $2 where id = $1', [
    newcomer.id,
    referrer.id,
  ])
  const { id } = await paidTrip(newcomer)
  await city.bookings.commands.skip_rating(city.order(newcomer, id))
  await city.outbox.idle()
  expect([await city.balance(newcomer), await city.balance(referrer)]).toEqual([10 * unit, 10 * unit])
})

test('referral bonus: two completed trips -> newcomer and referrer are paid once', async () => {
  city.settings.bonus = 10 * unit
  const referrer = await city.addRider(proven)
  const newcomer = await city.addRider({ signup_via_referral: referrer.id, ...proven })
  for (let trip = 0; trip < 2; trip++) {
    const { id } = await paidTrip(newcomer)
    await city.bookings.commands.skip_rating(city.order(newcomer, id))
    await city.outbox.idle()
  }
  expect([await city.balance(newcomer), await city.balance(referrer)]).toEqual([10 * unit, 10 * unit])
  const history = await city.wallet.history(referrer.id, undefined)
  expect(history).toMatchObject({
    balance: 10 * unit,
    items: [{ type: 'Credit', amount: 10 * unit }],
    next: null,
  })
})

test('notifications: event published twice -> stored once', async () => {
  const rider = await city.addRider()
  const { id, driver } = await paidTrip(rider)
  await city.outbox.idle()
  const count = async () => {
    const notes = await city.database.pool.query(
      'select count(*) as n from user_notifications where booking_id = $1',
      [id],
    )
    return notes.rows[0].n
  }
  const before = await count()
  expect(before).toBeGreaterThan(4)
  await city.database.pool.query(
    `insert into outbox (at, stream, kind, payload) values (1, $1, 'booking.changed', $2)`,
    [
      id,
      {
        booking: id,
        version: 2,
        at: 1,
        by: { actor: 'driver', id: driver.id },
        command: 'accept',
        from: 'NEW',
        to: 'ACCEPTED',
        gone: [],
        users: [],
        wave: 0,
        effects: [{ kind: 'notify', user: rider.id, title: 't', msg: 'm', params: {}, screen: 'BookedCab' }],
      },
    ],
  )
  await city.outbox.idle()
  expect(await count()).toBe(before)
})

test('complete_unrated: job runs early and twice -> trip completes when due', async () => {
  const rider = await city.addRider()
  const { id } = await paidTrip(rider)
  const data = { booking: id, job: 'complete_unrated' }
  const waiting = async () =>
    (
      await city.database.pool.query(
        `select extract(epoch from start_after - created_on)::int as s from pgboss.job
          where name = 'booking.command' and state = 'created' and data->>'booking' = $1`,
        [id],
      )
    ).rows.map((row) => row.s)
  await city.outbox.idle()
  expect(await waiting()).toHaveLength(1)
  await city.jobs.send('booking.command', data)
  await expect.poll(waiting, { timeout: 15_000 }).toEqual([86_400, 86_400])
  expect(await statusOf(rider, id)).toBe('PAID')
  await (city.clock as ManualClock).advance(24 * 60 * 60_000)
  await Promise.all([city.jobs.send('booking.command', data), city.jobs.send('booking.command', data)])
  await expect.poll(() => statusOf(rider, id), { timeout: 15_000 }).toBe('COMPLETE')
  const driver = (await city.bookings.get(rider, id)).booking.driver as string
  expect((await city.users.me(driver))?.rating).toBe(null)
})

test('booking events: admin reads them -> each has the notifications sent for it', async () => {
  const [rider, admin, driver] = [await city.addRider(), await city.addAdmin(), await city.addDriver(pickup)]
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  await city.bookings.commands.accept(city.order(driver, booking.id))
  await city.outbox.idle()
  const events = await city.bookings.events(admin, booking.id)
  const sent = events.find(({ command }) => command === 'accept')?.sent
  const me = await city.users.me(rider.id)
  expect(sent).toEqual([
    expect.objectContaining({ name: `${me?.firstName} ${me?.lastName}`, title: expect.any(String) }),
  ])
  expect(events.find(({ command }) => command === 'create')?.sent).not.toEqual(sent)
})

test('assign_driver: automatic dispatch is off -> the assigned driver can accept', async () => {
  city.settings.autoDispatch = false
  const [rider, admin, driver] = [await city.addRider(), await city.addAdmin(), await city.addDriver(pickup)]
  const { booking } = await city.bookings.create(rider, city.request(), null)
  const view = await city.bookings.view(admin, await city.bookings.get(admin, booking.id))
  expect(view.commands).toContain('assign_driver')
  await city.bookings.commands.assign_driver(city.order(admin, booking.id), { driver: driver.id })
  const asked = await city.bookings.get(driver, booking.id)
  expect(asked.requests).toMatchObject([{ driver_id: driver.id, expires_at: null }])
  expect((await city.bookings.view(driver, asked)).viewer).toBe('requested')
  const { booking: taken } = await city.bookings.commands.accept(city.order(driver, booking.id))
  expect(taken).toMatchObject({ status: 'ACCEPTED', driver: driver.id })
})

test('bookings: stranger -> not_found, as for an unknown booking', async () => {
  const rider = await city.addRider()
  await city.addDriver(pickup)
  const { booking } = await city.bookings.create(rider, city.request(), null)
  const strangers = [
    await city.addRider(),
    await city.addUserOf('fleetadmin'),
    await city.addUserOf('driver'),
  ]
  for (const stranger of strangers) {
    await expect(city.bookings.get(stranger, booking.id)).rejects.toMatchObject({ key: 'not_found' })
    const cancel = city.bookings.commands.cancel(city.order(stranger, booking.id), { reason: 'x' })
    await expect(cancel).rejects.toMatchObject({ key: 'not_found' })
    expect((await city.bookings.list(stranger, {})).items).toEqual([])
  }
  await expect(city.bookings.events(rider, booking.id)).rejects.toMatchObject({ key: 'not_found' })
})

test('list: follow the cursor -> every booking; invalid cursor -> invalid_input', async () => {
  const rider = await city.addRider()
  await city.addDriver(pickup)
  const made: string[] = []
  const later = city.request({ bookLater: true, tripdate: city.clock.now() + 24 * 60 * 60_000 })
  for (let count = 0; count < 5; count++)
    made.push((await city.bookings.create(rider, later, null)).booking.id)
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page = await city.bookings.list(rider, { limit: 2, cursor })
    seen.push(...page.items.map((item) => item.id))
    cursor = page.next ?? undefined
  } while (cursor)
  expect([...seen].sort()).toEqual([...made].sort())
  const wrong = city.bookings.list(rider, { cursor: "1_' or true --" })
  await expect(wrong).rejects.toMatchObject({ key: 'invalid_input' })
})

test('start: wrong trip code five times -> tries counted, then otp_wait', async () => {
  city.settings.otp_secure = true
  const rider = await city.addRider()
  const driver = await city.addDriver(pickup)
  const { booking } = await city.bookings.create(rider, city.request(), null)
  city.settings.otp_secure = false
  await city.ask(booking.id, [driver])
  const order = city.order(driver, booking.id)
  const { accept, arrive, start } = city.bookings.commands
  await accept(order)
  await arrive(order)
  const whole = await city.bookings.get(rider, booking.id)
  expect((await city.bookings.view(rider, whole)).otp).toBe(booking.otp)
  expect((await city.bookings.view(driver, whole)).otp).toBe(null)
  const wrong = booking.otp === '11111' ? '22222' : '11111'
  for (const left of [4, 3, 2, 1]) {
    await expect(start(order, { otp: wrong })).rejects.toMatchObject({ key: 'wrong_otp', data: { left } })
  }
  await expect(start(order, { otp: wrong })).rejects.toMatchObject({ key: 'otp_wait' })
  await expect(start(order, { otp: booking.otp as string })).rejects.toMatchObject({ key: 'otp_wait' })
})
