import type { Actor } from '@hansom/domain/access/relation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { twilioSignature, twilioVoice } from '../../../adapters/voice/twilio.ts'
import { createTestApp, loadTestConfig, type TestApp } from '../../../test-app.ts'
import { createTestCity, isDelivery, type TestCity } from '../booking-city.fixture.ts'
import { takeOverBookings } from '../service.ts'
import { centre } from '../straight-city.fixture.ts'
import { answerCall, callsPath, mostCalls } from './answer-calls.ts'

const pool = ['+14155550100', '+14155550101', '+14155550102']
let city: TestCity
let app: TestApp
beforeAll(async () => {
  city = await createTestCity({ jobs: false, callNumbers: pool })
  // One driver is always nearby, whichever drivers the tests keep busy.
  await city.addDriver()
  const voice = twilioVoice({ account: 'AC1', token: 'a token', numbers: pool })
  app = await createTestApp({ voice, config: { ...loadTestConfig(), publicUrl: 'https://taxi.test' } })
})
afterAll(async () => {
  await city.close()
  await app.close()
})

let people = 0
const nextPhone = () => `+5989911${String(++people).padStart(4, '0')}`
const addDriver = (mobile = nextPhone()) => city.addDriver(centre, { mobile })

async function booked(rider: Actor, driver: Actor): Promise<string> {
  const { booking } = await city.bookings.create(rider, city.request(), null)
  await city.ask(booking.id, [driver])
  return booking.id
}
const accept = async (driver: Actor, id: string) =>
  (await city.bookings.commands.accept(city.order(driver, id))).booking
const seen = async (actor: Actor, id: string) => city.bookings.view(actor, await city.bookings.get(actor, id))
const lines = async (id: string) =>
  (
    await city.database.pool.query(
      'select user_id, number, side from call_lines where booking_id = $1 order by side',
      [id],
    )
  ).rows
/** What a driver's phone dials to reach the rider or sender. */
const ofSender = isDelivery ? '00' : null
const call = (from: string, to: string, digits: string | null = null) =>
  answerCall(
    {
      ...app.services,
      ...city,
      settings: { current: async () => city.settings },
      siteUrl: () => '',
      voice: null,
      log: undefined as never,
    },
    { from, to, digits },
  )

describe('masked calls', () => {
  test('accepted trip -> both see the same number of the pool, which reaches the other until the trip ends', async () => {
    const [mine, theirs] = [nextPhone(), nextPhone()]
    const rider = await city.addRider({ mobile: mine })
    const driver = await addDriver(theirs)
    const id = await booked(rider, driver)
    const { call_number } = await accept(driver, id)
    expect(pool).toContain(call_number)
    const number = call_number ?? ''
    const views = [await seen(rider, id), await seen(driver, id)]
    expect(views.map((view) => view.driver_contact ?? view.customer_contact)).toEqual([
      number,
      isDelivery ? `${number},00` : number,
    ])
    expect(JSON.stringify(views[0])).not.toContain(theirs)
    expect(JSON.stringify(views[1])).not.toContain(mine)
    expect(await lines(id)).toEqual([
      { user_id: driver.id, number, side: 'driver' },
      { user_id: rider.id, number, side: 'rider' },
    ])
    expect(await call(mine, number)).toEqual({ kind: 'connect', to: theirs, shown: number })
    expect(await call(theirs, number, ofSender)).toEqual({ kind: 'connect', to: mine, shown: number })

    await city.bookings.commands.cancel(city.order(rider, id), { reason: 'other' })
    expect(await lines(id)).toEqual([])
    const after = await call(mine, number)
    expect(after).toMatchObject({ kind: 'say', text: expect.stringContaining('only connects calls during') })
    expect((await seen(rider, id)).driver_contact).toBeNull()
  })

  test('two trips of one rider accepted at the same time, 10 times -> different numbers; none is left for a fourth trip', async () => {
    const rider = await city.addRider({ mobile: nextPhone() })
    const drivers = [await addDriver(), await addDriver(), await addDriver(), await addDriver()] as const
    const [one, two, three, four] = drivers
    for (let round = 0; round < 10; round++) {
      const ids = [await booked(rider, one), await booked(rider, two)] as const
      const got = await Promise.all([accept(one, ids[0]), accept(two, ids[1])])
      const third = await booked(rider, three)
      const numbers = [...got, await accept(three, third)].map(({ call_number }) => call_number)
      expect(numbers.sort()).toEqual(pool)
      const last = await booked(rider, four)
      expect(await accept(four, last)).toMatchObject({ call_number: '' })
      expect((await seen(rider, last)).driver_contact).toBeNull()
      for (const id of [...ids, third, last])
        await city.bookings.commands.cancel(city.order(rider, id), { reason: 'other' })
    }
  })

  test('another number of the pool, a stranger or a withheld number -> not connected', async () => {
    const mine = nextPhone()
    const driver = await addDriver()
    const id = await booked(await city.addRider({ mobile: mine }), driver)
    const number = (await accept(driver, id)).call_number ?? ''
    const other = pool.find((one) => one !== number) ?? ''
    for (const [from, to] of [
      [mine, other],
      [nextPhone(), number],
      ['anonymous', number],
      ['', ''],
    ] as const) {
      expect(await call(from, to)).toMatchObject({ kind: 'say' })
    }
  })

  const setPhone = (user: Actor, mobile: string | null) =>
    city.database.pool.query('update users set mobile = $2 where id = $1', [user.id, mobile])

  test('phone changed during the trip -> calls from and to the new one; the old one reaches no one', async () => {
    const [old, theirs, changed] = [nextPhone(), nextPhone(), nextPhone()]
    const rider = await city.addRider({ mobile: old })
    const driver = await addDriver(theirs)
    const number = (await accept(driver, await booked(rider, driver))).call_number ?? ''
    await setPhone(rider, changed)
    expect(await call(changed, number)).toEqual({ kind: 'connect', to: theirs, shown: number })
    expect(await call(old, number)).toMatchObject({ kind: 'say' })
    expect(await call(theirs, number, ofSender)).toEqual({ kind: 'connect', to: changed, shown: number })
    await setPhone(driver, old)
    expect(await call(old, number, ofSender)).toEqual({ kind: 'connect', to: changed, shown: number })
    expect(await call(changed, number)).toEqual({ kind: 'connect', to: old, shown: number })
    await setPhone(rider, null)
    expect(await call(old, number, ofSender)).toMatchObject({ kind: 'say' })
  })

  test('phone changed before the driver accepts -> the trip has a line of the new one', async () => {
    const [old, theirs, changed] = [nextPhone(), nextPhone(), nextPhone()]
    const rider = await city.addRider({ mobile: old })
    const driver = await addDriver(theirs)
    const id = await booked(rider, driver)
    await setPhone(rider, changed)
    const number = (await accept(driver, id)).call_number ?? ''
    expect(await call(changed, number)).toEqual({ kind: 'connect', to: theirs, shown: number })
    expect(await call(theirs, number, ofSender)).toEqual({ kind: 'connect', to: changed, shown: number })
  })

  const addGuest = (mobile: string) => city.addRider({ mobile, email: null })

  test('account and guest with one phone -> different numbers, each of which reaches its own driver', async () => {
    const mine = nextPhone()
    const people = [await city.addRider({ mobile: mine }), await addGuest(mine)] as const
    for (let round = 0; round < 5; round++) {
      const phones = [nextPhone(), nextPhone()] as const
      const drivers = [await addDriver(phones[0]), await addDriver(phones[1])] as const
      const ids = [await booked(people[0], drivers[0]), await booked(people[1], drivers[1])] as const
      const isTogether = round > 0
      const first = accept(drivers[0], ids[0])
      if (!isTogether) await first
      const numbers = (await Promise.all([first, accept(drivers[1], ids[1])])).map(
        ({ call_number }) => call_number ?? '',
      )
      expect(new Set(numbers).size).toBe(2)
      for (const [index, number] of numbers.entries()) {
        expect(await call(mine, number)).toEqual({ kind: 'connect', to: phones[index], shown: number })
      }
      for (const [index, id] of ids.entries()) {
        await city.bookings.commands.cancel(city.order(people[index as 0 | 1], id), { reason: 'other' })
      }
    }
  })

  test('account takes over a guest’s trip -> the account calls; with a trip of the same number, only that one', async () => {
    const [account, guest] = [await city.addRider({ mobile: nextPhone() }), await addGuest(nextPhone())]
    const [one, two] = [await addDriver(), await addDriver()]
    const [own, taken] = [await booked(account, one), await booked(guest, two)]
    await accept(one, own)
    const number = (await accept(two, taken)).call_number ?? ''
    const takeOver = (from: Actor) =>
      city.database.withTransaction((tx) =>
        takeOverBookings(city, tx, { guest: from.id, user: account.id, email: 'a@taxi.test' }, 1),
      )
    await takeOver(guest)
    expect(await lines(taken)).toEqual([])
    expect((await seen(account, taken)).driver_contact).toBeNull()
    expect((await lines(own)).map(({ user_id }) => user_id)).toEqual([one.id, account.id])
    await city.bookings.commands.cancel(city.order(account, own), { reason: 'other' })

    const [later, three] = [await addGuest(nextPhone()), await addDriver()]
    const free = await booked(later, three)
    expect(await accept(three, free)).toMatchObject({ call_number: number })
    await takeOver(later)
    expect(await lines(free)).toEqual([
      { user_id: three.id, number, side: 'driver' },
      { user_id: account.id, number, side: 'rider' },
    ])
  })

  test('account takes over a trip whose driver calls the number for another one -> the trip loses it', async () => {
    const [guest, later] = [await addGuest(nextPhone()), await addGuest(nextPhone())]
    const [one, two] = [await addDriver(), await addDriver()]
    const ids = [await booked(guest, one), await booked(later, two)] as const
    const numbers = [await accept(one, ids[0]), await accept(two, ids[1])].map((trip) => trip.call_number)
    expect(numbers[0]).toBe(numbers[1])
    // The driver has changed to the phone of another trip's rider.
    const { mobile } = (await city.database.pool.query('select mobile from users where id = $1', [later.id]))
      .rows[0]
    await setPhone(one, mobile)
    const account = await city.addRider({ mobile: nextPhone() })
    const takeOver = { guest: guest.id, user: account.id, email: 'b@taxi.test' }
    await city.database.withTransaction((tx) => takeOverBookings(city, tx, takeOver, 1))
    expect(await lines(ids[0])).toEqual([])
    expect((await lines(ids[1])).map(({ user_id }) => user_id)).toEqual([two.id, later.id])
  })

  test('account takes over a trip that has ended -> it keeps the number of then', async () => {
    const account = await city.addRider({ mobile: nextPhone() })
    const guest = await addGuest(nextPhone())
    const [one, two] = [await addDriver(), await addDriver()]
    const ended = await booked(guest, one)
    const { call_number } = await accept(one, ended)
    await city.bookings.commands.cancel(city.order(guest, ended), { reason: 'other' })
    expect(await accept(two, await booked(account, two))).toMatchObject({ call_number })
    const takeOver = { guest: guest.id, user: account.id, email: 'c@taxi.test' }
    await city.database.withTransaction((tx) => takeOverBookings(city, tx, takeOver, 1))
    expect((await city.bookings.read(ended))?.booking.call_number).toBe(call_number)
  })

  test(`more than ${mostCalls} calls on a trip -> a text, the other person can still call`, async () => {
    const [mine, theirs] = [nextPhone(), nextPhone()]
    const driver = await addDriver(theirs)
    const number =
      (await accept(driver, await booked(await city.addRider({ mobile: mine }), driver))).call_number ?? ''
    for (let n = 0; n < mostCalls; n++) expect(await call(mine, number)).toMatchObject({ kind: 'connect' })
    expect(await call(mine, number)).toMatchObject({ kind: 'say', text: expect.stringContaining('limit') })
    expect(await call(theirs, number, ofSender)).toMatchObject({ kind: 'connect', to: mine })
  })

  test.runIf(isDelivery)(
    'courier dials the number of a stop -> its person, whose real number is not shown; none or another -> a text',
    async () => {
      const theirs = nextPhone()
      const driver = await addDriver(theirs)
      const sender = nextPhone()
      const id = await booked(await city.addRider({ mobile: sender }), driver)
      const number = (await accept(driver, id)).call_number ?? ''
      const view = await seen(driver, id)
      expect(view.deliveryPersonPhone).toBe(`${number},01`)
      const recipient = { kind: 'connect', to: '+59899123456', shown: number }
      expect(await call(theirs, number)).toMatchObject({
        kind: 'ask',
        text: expect.stringContaining('button'),
      })
      expect(await call(theirs, number, '01')).toEqual(recipient)
      expect(await call(theirs, number, '1')).toEqual(recipient)
      expect(await call(theirs, number, '00')).toEqual({ ...recipient, to: sender })
      for (const digits of ['77', '', '*1', '1#']) {
        expect(await call(theirs, number, digits), digits).toMatchObject({ kind: 'say' })
      }
      await city.database.pool.query(
        `update delivery_stops set outcome = 'failed', failure = 'refused', done_at = 1 where booking_id = $1 and n = 1`,
        [id],
      )
      const ended = await seen(driver, id)
      expect([ended.deliveryPersonPhone, ended.delivery?.stops[1]?.phone]).toEqual([null, null])
      expect(ended.customer_contact).toBe(`${number},00`)
      expect(await call(theirs, number, '01')).toMatchObject({ kind: 'say' })
      expect(await call(theirs, number, '00')).toEqual({ ...recipient, to: sender })
      await city.database.pool.query(
        'update delivery_stops set outcome = null, failure = null, done_at = null where booking_id = $1 and n = 1',
        [id],
      )
      await city.database.pool.query(
        "update delivery_stops set phone = 'at the gate' where booking_id = $1 and n = 1",
        [id],
      )
      expect(await call(theirs, number, '01')).toMatchObject({ kind: 'say' })
    },
  )
})

describe('endpoint of the voice service', () => {
  const post = (form: Record<string, string>, token = 'a token') => {
    const body = new URLSearchParams(form)
    return app.server.inject({
      method: 'POST',
      url: callsPath,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-twilio-signature': twilioSignature(`https://taxi.test${callsPath}`, body, token),
      },
      payload: body.toString(),
    })
  }
  const form = { From: '+59899000001', To: pool[0] as string, CallSid: 'CA1' }

  test('signed -> instructions; wrong or no signature -> 403; no service -> 404', async () => {
    const good = await post(form)
    expect([good.statusCode, good.headers['content-type']]).toEqual([200, 'text/xml; charset=utf-8'])
    expect(good.body).toMatch(/<Response><Say voice="Polly.Joanna">This number only connects/)
    expect((await post(form, 'another token')).statusCode).toBe(403)
    expect((await app.server.inject({ method: 'POST', url: callsPath })).statusCode).toBe(403)
    const without = await createTestApp({ database: app.database })
    expect((await without.server.inject({ method: 'POST', url: callsPath })).statusCode).toBe(404)
    await without.close()
  })
})
