import type { Actor } from '@hansom/domain/access/relation'
import { unit } from '@hansom/domain/money/amount'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestCity, type TestCity, taxiTest } from './booking-city.fixture.ts'
import { pickup } from './straight-city.fixture.ts'

let city: TestCity
let admin: Actor
let other: Actor
beforeAll(async () => {
  city = await createTestCity({ jobs: false })
  ;[admin, other] = [await city.addAdmin(), await city.addAdmin()]
  for (let count = 0; count < 3; count += 1) await city.addDriver(pickup)
})
afterAll(() => city.close())

let numbers = 0
const newNumber = () => `+59899800${String((numbers += 1)).padStart(3, '0')}`
const rows = async (sql: string, ...values: unknown[]) => (await city.database.pool.query(sql, values)).rows
const book = (changes: Parameters<TestCity['request']>[0], by = admin, key: string | null = null) =>
  city.bookings.create(by, city.request(changes), key)
const guestOf = (mobile: string, name = 'María Silva') => ({ guest: { name, mobile } })

test('guest: booked by name and number -> a rider without a sign-in, found again in any form', async () => {
  const first = (await book(guestOf('099 811 001'))).booking
  expect(first).toMatchObject({
    customer_name: 'María Silva',
    customer_contact: '+59899811001',
    customer_email: null,
    booking_type_admin: true,
  })
  for (const mobile of ['+598 99 811 001', '99811001', '099-811-001', '00598 99811001']) {
    expect((await book(guestOf(mobile, 'Another name'))).booking.customer).toBe(first.customer)
  }
  const [user] = await rows('select * from users where id = $1', first.customer)
  expect(user).toMatchObject({ email: null, first_name: 'María', last_name: 'Silva', usertype: 'rider' })
  expect(await rows('select from auth_users where id = $1', first.customer)).toEqual([])
  const audited = await rows(`select action from audit_log where subject = $1`, first.customer)
  expect(audited).toEqual([{ action: 'users.create' }])
})

test('guest: their trip is accepted -> no notification is stored, since there is no list to read it in', async () => {
  const { booking } = await book(guestOf(newNumber()))
  const rider = await city.addRider()
  await city.database.withTransaction((tx) =>
    city.users.notify(
      tx,
      [booking.customer, rider.id].map((user_id) => ({
        user_id,
        at: 1,
        title: 'notify.accepted.title',
        msg: 'notify.accepted.msg',
        screen: 'BookedCab',
        dedupe: `guest-test:${user_id}`,
      })),
    ),
  )
  expect(await rows(`select user_id from user_notifications where dedupe like 'guest-test:%'`)).toEqual([
    { user_id: rider.id },
  ])
})

test('guest: two admins book the same new number at the same moment -> one guest', async () => {
  const mobile = newNumber()
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, index) => book(guestOf(mobile), index % 2 ? admin : other)),
  )
  expect(new Set(made.map(({ booking }) => booking.customer)).size).toBe(1)
  expect(await rows('select id from users where mobile = $1', mobile)).toHaveLength(1)
})

test('guest: an account has proven the number -> the account; it has not -> a guest', async () => {
  const [proven, unproven] = [newNumber(), newNumber()]
  const owner = await city.addRider({ mobile: proven, mobile_verified_at: 1 })
  const stranger = await city.addRider({ mobile: unproven })
  expect((await book(guestOf(proven))).booking.customer).toBe(owner.id)
  const { booking } = await book(guestOf(unproven))
  expect(booking.customer).not.toBe(stranger.id)
})

test('guest: the account that has proven the number is revoked -> refused, as by its id; no guest', async () => {
  const mobile = newNumber()
  const revoked = await city.addRider({ mobile, mobile_verified_at: 1, approved: false })
  await expect(book(guestOf(mobile))).rejects.toMatchObject({ key: 'rider_not_approved' })
  await expect(book({ customer: revoked.id })).rejects.toMatchObject({ key: 'rider_not_approved' })
  expect(await rows('select id from users where mobile = $1', mobile)).toEqual([{ id: revoked.id }])
})

test('guest: not an admin, a customer as well, an unreadable number -> refused, nothing is stored', async () => {
  const rider = await city.addRider()
  const mobile = newNumber()
  await expect(book(guestOf(mobile), rider)).rejects.toMatchObject({ key: 'invalid_input' })
  await expect(book({ ...guestOf(mobile), customer: rider.id })).rejects.toMatchObject({
    key: 'invalid_input',
  })
  await expect(book({ cars: 2 }, rider)).rejects.toMatchObject({ key: 'invalid_input' })
  await expect(book(guestOf('call me'))).rejects.toMatchObject({ key: 'mobile_no_blank_error' })
  expect(await rows('select from users where mobile = $1', mobile)).toEqual([])
})

test('guest: pays by card -> refused, a guest cannot sign in to pay', async () => {
  await expect(book({ ...guestOf(newNumber()), payment_mode: 'card' })).rejects.toMatchObject({
    key: 'payment_unavailable',
  })
})

test('guest: the booking is refused -> no guest, no audit row and no event', async () => {
  const mobile = newNumber()
  const before = await rows('select count(*)::int as audits from audit_log')
  for (const changes of [
    { passengers: 5 },
    { estimate: 1 },
    { cars: 5 },
    { payment_mode: 'card' } as const,
  ]) {
    await expect(book({ ...guestOf(mobile), ...changes })).rejects.toHaveProperty('key')
  }
  expect(await rows('select from users where mobile = $1', mobile)).toEqual([])
  expect(await rows('select count(*)::int as audits from audit_log')).toEqual(before)
})

test('guest: the commit fails after the guest was added -> neither guest nor booking', async () => {
  const mobile = newNumber()
  await rows(`alter table bookings add constraint refuse_this check (customer_contact <> '${mobile}')`)
  await expect(book(guestOf(mobile))).rejects.toThrow()
  await rows('alter table bookings drop constraint refuse_this')
  expect(await rows('select from users where mobile = $1', mobile)).toEqual([])
  const { booking } = await book(guestOf(mobile))
  expect(await rows('select id from users where mobile = $1', mobile)).toEqual([{ id: booking.customer }])
})

taxiTest(
  'passengers: more than the seats -> refused with the field; fewer -> shown to the driver',
  async () => {
    await expect(book({ ...guestOf(newNumber()), passengers: 5 })).rejects.toMatchObject({
      key: 'too_many_passengers',
      fields: [{ field: 'passengers', error: 'too_many_passengers' }],
    })
    expect((await book({ ...guestOf(newNumber()), passengers: 4 })).booking.passengers).toBe(4)
  },
)

taxiTest(
  'several cars and the way back: one request -> all bookings, linked; repeated -> no more',
  async () => {
    const returnAt = city.clock.now() + 3 * 3_600_000
    const request = { ...guestOf(newNumber()), cars: 3, returnAt, passengers: 2 }
    const calls = Array.from({ length: 4 }, () => book(request, admin, 'three-cars'))
    const settled = await Promise.allSettled(calls)
    const made = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.booking] : []))
    const [first] = made
    if (!first) throw new Error('nothing was booked')
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    const group = await rows(
      `select id, book_later as later, pickup->>'lat' as lat, version, (select count(*)::int from booking_events e
      where e.booking_id = b.id) as events from bookings b where group_id = $1 order by book_later`,
      first.group_id,
    )
    expect(group.map(({ later }) => later)).toEqual([false, false, false, true, true, true])
    expect(group.every(({ events }) => events === 1)).toBe(true)
    expect(group[5].lat).not.toBe(group[0].lat)
    const audited = await rows(
      `select from audit_log where action = 'bookings.create' and subject = any($1)`,
      group.map(({ id }) => id),
    )
    expect(audited).toHaveLength(6)
  },
)

taxiTest(
  'the way back: both routes are requested at once -> a slow map service delays the booking once',
  async () => {
    const { maps } = city.waveDeps
    const { route } = maps
    let release = () => {}
    const both = new Promise<void>((resolve) => {
      release = resolve
    })
    const requested = vi.spyOn(maps, 'route').mockImplementation(async (points) => {
      if (requested.mock.calls.length === 2) release()
      await both
      return route(points)
    })
    const returnAt = city.clock.now() + 3 * 3_600_000
    expect((await book({ ...guestOf(newNumber()), returnAt })).booking.group_id).not.toBeNull()
    requested.mockRestore()
  },
)

taxiTest(
  'several cars: fewer drivers near, a wallet that covers only one, a return before the trip -> none',
  async () => {
    const mobile = newNumber()
    const rider = await city.addRider({ wallet_balance: 150 * unit, mobile })
    const customer = rider.id
    await expect(book({ customer, cars: 5 })).rejects.toMatchObject({ key: 'no_driver_found_alert_messege' })
    await expect(book({ customer, cars: 2, payment_mode: 'wallet' })).rejects.toMatchObject({
      key: 'low_wallet',
    })
    const early = { customer, bookLater: true, tripdate: city.clock.now() + 7_200_000 }
    await expect(book({ ...early, returnAt: city.clock.now() + 3_600_000 })).rejects.toMatchObject({
      fields: [{ field: 'returnAt', error: 'return_before_trip' }],
    })
    expect(await rows('select from bookings where customer = $1', customer)).toEqual([])
    expect((await book({ customer, payment_mode: 'wallet' })).booking.group_id).toBeNull()
  },
)
