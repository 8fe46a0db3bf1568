import type { AddressInfo } from 'node:net'
import type { DispatchChange, DispatchState } from '@hansom/contract/dispatch'
import type { Actor } from '@hansom/domain/access/relation'
import { holdMs } from '@hansom/domain/dispatch/board'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createCarType } from '../../../access-scene.fixture.ts'
import type { ManualClock } from '../../../platform/clock/manual-clock.ts'
import { TestClient } from '../../../platform/live/test-live.ts'
import { createTestApp, type TestApp } from '../../../test-app.ts'
import { createTestCity, type TestCity } from '../booking-city.fixture.ts'
import { drop, pickup, straightMaps } from '../straight-city.fixture.ts'

const away = (km: number) => ({ lat: pickup.lat + km / 111.2, lng: pickup.lng })

describe('in a city', () => {
  let city: TestCity
  let clock: ManualClock
  beforeEach(async () => {
    city = await createTestCity({ jobs: false })
    clock = city.clock as ManualClock
  })
  afterEach(() => city.close())

  const place = async () =>
    (await city.bookings.create(await city.addRider(), city.request(), null)).booking.id
  const changes = () =>
    city.published
      .filter(({ channel }) => channel === 'dispatch|admin')
      .map(({ data }) => data as DispatchChange)
  const snapshot = (actor: Actor) =>
    city.topics.sourceOf('dispatch')?.snapshot({ ...actor, sessionId: '' }, null) as Promise<DispatchState>

  test('holds: two admins at once -> one holds, both are told who', async () => {
    const [ann, bob] = [await city.addAdmin(), await city.addAdmin()]
    await city.addDriver()
    for (let round = 0; round < 5; round++) {
      const id = await place()
      const [one, two] = await Promise.all([city.dispatch.hold(id, ann.id), city.dispatch.hold(id, bob.id)])
      expect(one.user).toBe(two.user)
      expect([ann.id, bob.id]).toContain(one.user)
    }
    expect((await snapshot(ann)).holds).toHaveLength(5)
  })

  test('hold: renewed by its admin, taken by another after it expires or is released', async () => {
    const [ann, bob] = [await city.addAdmin(), await city.addAdmin()]
    await city.addDriver()
    const id = await place()
    await city.dispatch.hold(id, ann.id)
    await clock.advance(holdMs - 1)
    expect((await city.dispatch.hold(id, bob.id)).user).toBe(ann.id)
    expect(await city.dispatch.hold(id, ann.id)).toMatchObject({ user: ann.id, until: clock.now() + holdMs })
    await clock.advance(holdMs)
    expect((await snapshot(bob)).holds).toEqual([])
    expect((await city.dispatch.hold(id, bob.id)).user).toBe(bob.id)
    await city.dispatch.release(id, ann.id)
    expect((await city.dispatch.hold(id, ann.id)).user).toBe(bob.id)
    await city.dispatch.release(id, bob.id)
    expect((await city.dispatch.hold(id, ann.id)).user).toBe(ann.id)
    expect(changes().filter((change) => 'released' in change)).toEqual([
      { released: { booking: id, user: bob.id } },
    ])
  })

  test('hold: unknown booking -> not_found; cancelled one -> wrong_status', async () => {
    const ann = await city.addAdmin()
    await expect(city.dispatch.hold(ann.id, ann.id)).rejects.toMatchObject({ key: 'not_found' })
    await city.addDriver()
    const id = await place()
    await city.bookings.commands.cancel(city.order(ann, id), { reason: 'x' })
    await expect(city.dispatch.hold(id, ann.id)).rejects.toMatchObject({ key: 'wrong_status' })
    await expect(city.dispatch.candidates(id)).rejects.toMatchObject({ key: 'wrong_status' })
  })

  test('board: bookings appear, change and leave; the rules follow the settings', async () => {
    const [ann, rider, driver] = [await city.addAdmin(), await city.addRider(), await city.addDriver()]
    const { booking } = await city.bookings.create(rider, city.request(), null)
    const farLater = city.request({ bookLater: true, tripdate: clock.now() + 40 * 3_600_000 })
    await city.bookings.create(rider, farLater, null)
    await city.ask(booking.id, [driver])
    const before = await snapshot(ann)
    expect(before.rules).toEqual({ alarmAfter: 3, leadMinutes: 15 })
    expect(before.bookings).toHaveLength(1)
    expect(before.bookings[0]).toMatchObject({
      id: booking.id,
      status: 'NEW',
      pickup,
      drops: city.settings.category === 'delivery' ? 1 : null,
      asked: [[driver.id, clock.now() + 600_000]],
    })
    await city.bookings.commands.accept(city.order(driver, booking.id))
    await city.outbox.idle()
    const [row] = (await snapshot(ann)).bookings
    expect(row).toMatchObject({ status: 'ACCEPTED', driver: driver.id, asked: [] })
    expect(changes().at(-1)).toEqual({ put: row })
    await city.bookings.commands.cancel(city.order(ann, booking.id), { reason: 'x' })
    await city.outbox.idle()
    expect(changes().at(-1)).toEqual({ remove: booking.id })
    expect((await snapshot(ann)).bookings).toEqual([])
    city.changeSettings({ dispatch: { ...city.settings.dispatch, alarmAfter: 7 } })
    expect(changes().at(-1)).toEqual({ rules: { alarmAfter: 7, leadMinutes: 15 } })
  })

  test('candidates: free and soon-free drivers by travel time; declined and indebted ones last', async () => {
    // A courier already owes the cash of the delivery under way.
    const busy = await city.addDriver(away(-2), { wallet_balance: 10_000_000 })
    const first = await place()
    await city.ask(first, [busy])
    for (const step of ['accept', 'arrive', 'start'] as const) {
      await city.bookings.commands[step](city.order(busy, first), {})
    }
    await city.outbox.idle()
    const [near, far, debtor, refuser] = [
      await city.addDriver(away(1)),
      await city.addDriver(away(12)),
      await city.addDriver(away(0.5), { wallet_balance: -100_000 }),
      await city.addDriver(away(0.4)),
    ]
    await city.addDriver(away(0.1), { driver_active_status: false })
    city.settings.driverDebtLimit = 50_000
    const id = await place()
    await city.ask(id, [near, refuser])
    await city.bookings.commands.decline(city.order(refuser, id))

    const list = async () =>
      (await city.dispatch.candidates(id)).map((one) => [one.id, one.asked, one.blocked])
    const free = [
      [near.id, 'this', null],
      [far.id, null, null],
      [refuser.id, null, 'declined'],
      [debtor.id, null, 'debt'],
    ]
    expect(await list()).toEqual(free)
    const [nearest] = await city.dispatch.candidates(id)
    expect(nearest).toMatchObject({
      freeS: 0,
      ...away(1),
      km: expect.closeTo(1, 2),
      arrivalS: expect.closeTo(120, 0),
    })

    // One kilometer before the drop: two minutes, one to end the trip, then the way back to the pickup.
    const { drop } = (await city.bookings.get(busy, first)).booking
    await city.database.pool.query('update users set lat = $2, lng = $3 where id = $1', [
      busy.id,
      drop.lat - 1 / 111.2,
      drop.lng,
    ])
    const soon = (await city.dispatch.candidates(id)).find((one) => one.id === busy.id)
    expect(soon).toMatchObject({ freeS: expect.closeTo(180, 0), blocked: null })
    expect(soon?.arrivalS).toBeGreaterThan(180)
  })

  test('assign: two admins choose different drivers at the same moment -> one wins, the other gets conflict', async () => {
    const [ann, bob] = [await city.addAdmin(), await city.addAdmin()]
    const drivers = [await city.addDriver(away(1)), await city.addDriver(away(2))]
    const id = await place()
    const version = (await snapshot(ann)).bookings[0]?.version
    const outcomes = await Promise.allSettled(
      [ann, bob].map((admin, index) =>
        city.bookings.commands.assign_driver(city.order(admin, id), {
          driver: drivers[index]?.id as string,
          version,
        }),
      ),
    )
    const won = outcomes.findIndex(({ status }) => status === 'fulfilled')
    expect(outcomes[1 - won]).toMatchObject({ status: 'rejected', reason: { key: 'conflict' } })
    await city.outbox.idle()
    expect((await snapshot(ann)).bookings[0]?.asked.map(([driver]) => driver)).toEqual([drivers[won]?.id])
  })
})

describe('over the wire', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ maps: straightMaps() })
    await app.start()
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    for (const [name, usertype] of Object.entries({
      ann: 'admin',
      bob: 'admin',
      flo: 'fleetadmin',
      rik: 'rider',
    } as const))
      await app.addUser({ email: `${name}@test.example`, usertype, firstName: name, lastName: 'Test' })
  })
  afterAll(() => app.close())

  async function connect(name: string): Promise<TestClient> {
    const { port } = app.server.server.address() as AddressInfo
    const headers = { authorization: await app.bearer(`${name}@test.example`) }
    const client = new TestClient(new WebSocket(`ws://127.0.0.1:${port}/live`, { headers }))
    await client.frame('hello')
    return client
  }

  const frames = (client: TestClient) =>
    client.frames.flatMap((frame) => (frame.t === 'ev' ? [frame.data as DispatchChange] : []))

  test.each(['flo', 'rik'])('topic dispatch and its routes: %s -> not_found', async (name) => {
    const client = await connect(name)
    client.send({ t: 'sub', topic: 'dispatch' })
    expect(await client.frame('err')).toMatchObject({ error: 'not_found' })
    client.ws.terminate()
  })

  test('hold: its admin leaves the screen with the last connection, or signs out -> released, and the other admin is told', async () => {
    const rider = await app.addUser({
      email: 'guest@test.example',
      usertype: 'rider',
      firstName: 'A',
      lastName: 'B',
    })
    const carType = await createCarType(app.database)
    const { booking } = await app.services.bookingsFeature.bookings.create(
      { id: rider, role: 'rider', approved: true },
      {
        pickup,
        drop,
        car_type_id: carType,
        bookLater: true,
        tripdate: Date.now() + 3_600_000,
        payment_mode: 'cash',
      },
      null,
    )
    const hold = async (authorization: string) => {
      const url = `/api/v1/bookings/${booking.id}/hold`
      const reply = await app.server.inject({ method: 'PUT', url, headers: { authorization } })
      expect(reply.statusCode).toBe(200)
      return reply.json()
    }
    const bob = await connect('bob')
    await bob.follow('dispatch')
    const [tab, otherTab] = [await connect('ann'), await connect('ann')]
    await tab.follow('dispatch')
    await otherTab.follow('dispatch')
    const authorization = await app.bearer('ann@test.example')
    const held = await hold(authorization)
    expect(held).toMatchObject({ name: 'ann Test', booking: booking.id })
    await bob.frame('ev', ({ data }) => 'hold' in (data as DispatchChange))
    expect(await hold(await app.bearer('bob@test.example'))).toEqual(held)

    tab.ws.terminate()
    otherTab.send({ t: 'unsub', topic: 'dispatch' })
    const released = { released: { booking: booking.id, user: held.user } }
    await expect.poll(() => frames(bob)).toContainEqual(released)

    const third = await connect('ann')
    await third.follow('dispatch')
    await hold(authorization)
    await app.server.inject({
      method: 'POST',
      url: '/api/v1/me/sign-out-everywhere',
      headers: { authorization },
    })
    await third.closed
    await expect.poll(() => frames(bob).filter((change) => 'released' in change)).toHaveLength(2)
    for (const client of [bob, otherTab]) client.ws.terminate()
  })
})
