import type { BookingView } from '@hansom/contract/bookings'
import { addEarnings, earningsOf } from '@hansom/domain/reports/counted'
import { uuidv7 } from 'uuidv7'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCarType, createScene, type Scene, type SceneUser } from '../../access-scene.fixture.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from './straight-city.fixture.ts'

const secret = 'session secret for the bookings table tests'
let app: TestApp
let scene: Scene
let carType: string
beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps(), authSecret: secret, limits: { all: 1e6 } })
  carType = await createCarType(app.database)
  scene = await createScene(app.database, secret, { carType, isAssigned: true })
  // Two more bookings of the same people and one of others.
  const copy = (id: string, changes: object) =>
    app.database.pool.query(
      `insert into bookings select (jsonb_populate_record(b, $2)).* from bookings b where id = $1`,
      [scene.booking, JSON.stringify({ id, ...changes })],
    )
  const early = { booking_date: 1, tripdate: Date.parse('2026-03-01T02:30:00Z') }
  await copy(uuidv7(), {
    ...early,
    booking_id: 'EARLY1',
    status: 'COMPLETE',
    trip_cost: 500,
    driver_share: 500,
  })
  await copy(uuidv7(), {
    booking_id: 'LATER2',
    status: 'CANCELLED',
    cancelled_by: 'rider',
    book_later: true,
    payment_mode: 'wallet',
    tripdate: Date.parse('2026-03-02T12:00:00Z'),
    trip_cost: 900,
    driver_share: 900,
  })
  await copy(uuidv7(), {
    booking_id: 'OTHER3',
    status: 'COMPLETE',
    customer: scene.ids.otherRider,
    customer_name: 'Ramón Pérez',
    driver: scene.ids.otherDriver,
    driver_name: 'Ágata',
    vehicle_number: 'SBX 4471',
    fleetadmin: null,
    drop: { lat: 0, lng: 0, add: 'Arocena 1500, Carrasco' },
    tripdate: Date.parse('2026-03-03T12:00:00Z'),
    trip_cost: 700,
    driver_share: 700,
  })
  await app.database.pool.query(`update bookings set booking_id = 'FIRST0' where id = $1`, [scene.booking])
})
afterAll(() => app.close())

async function ask(member: SceneUser, query: string) {
  const get = async (path: string) => {
    const answer = await app.server.inject({
      method: 'GET',
      url: `/api/v1/bookings${path}?${query}`,
      headers: { authorization: scene.bearers[member] },
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const [list, count] = [await get(''), await get('/count')]
  const items = (list.body.items ?? []) as BookingView[]
  const codes = items.map(({ booking_id }) => booking_id)
  if (list.status === 200) expect(count.body).toEqual({ count: codes.length, more: false })
  return { codes, status: list.status, error: list.body.error, fields: list.body.fields }
}

const forAdmins = {
  customer_paid: 0,
  cashPaymentAmount: 0,
  cardPaymentAmount: 0,
  usedWalletMoney: 0,
  outstanding_collected: 0,
  refunded: 0,
  write_off: 0,
}

describe('bookings table', () => {
  test.each([
    ['', ['FIRST0', 'OTHER3', 'LATER2', 'EARLY1']],
    ['sort=tripdate', ['EARLY1', 'LATER2', 'OTHER3', 'FIRST0']],
    ['sort=bookingDate', ['EARLY1', 'FIRST0', 'LATER2', 'OTHER3']],
    ['sort=-trip_cost', ['LATER2', 'OTHER3', 'EARLY1', 'FIRST0']],
    ['status=COMPLETE,CANCELLED', ['OTHER3', 'LATER2', 'EARLY1']],
    ['status=open', ['FIRST0']],
    ['status=ended', ['OTHER3', 'LATER2', 'EARLY1']],
    ['status=open,CANCELLED', ['FIRST0', 'LATER2']],
    ['payment_mode=wallet', ['LATER2']],
    ['bookLater=true', ['LATER2']],
    ['bookLater=false', ['FIRST0', 'OTHER3', 'EARLY1']],
    // 11:30 p.m. on the day before in the city.
    ['tripdate=2026-02-28..2026-02-28', ['EARLY1']],
    ['tripdate=2026-03-01..2026-03-02', ['LATER2']],
    ['q=perez', ['OTHER3']],
    ['q=AGATA+sbx', ['OTHER3']],
    ['q=arocena+15', ['OTHER3']],
    ['q=sbx4471', ['OTHER3']],
    ['q=early1', ['EARLY1']],
    ['q=perez+early1', []],
  ])('admin: query %j', async (query, codes) => {
    expect((await ask('admin', query)).codes).toEqual(codes)
  })

  test('filters: car type, rider, driver and fleet', async () => {
    const { ids } = scene
    expect((await ask('admin', `car_type_id=${carType}`)).codes).toHaveLength(4)
    expect((await ask('admin', `car_type_id=${uuidv7()}`)).codes).toEqual([])
    expect((await ask('admin', `customer=${ids.otherRider}`)).codes).toEqual(['OTHER3'])
    expect((await ask('admin', `driver=${ids.driver}&status=ended`)).codes).toEqual(['LATER2', 'EARLY1'])
    expect((await ask('admin', `fleetadmin=${ids.fleetadmin}`)).codes).toHaveLength(3)
  })

  test("scope: any query -> only the user's own bookings", async () => {
    const own = ['FIRST0', 'LATER2', 'EARLY1']
    for (const member of ['rider', 'driver', 'fleetadmin'] as const) {
      expect((await ask(member, '')).codes).toEqual(own)
      expect((await ask(member, 'q=perez')).codes).toEqual([])
    }
    expect((await ask('otherFleetadmin', '')).codes).toEqual([])
    expect((await ask('rider', `driver=${scene.ids.otherDriver}`)).codes).toEqual([])
    expect((await ask('driver', `customer=${scene.ids.rider}`)).codes).toEqual(own)
  })

  test.each([
    ['fleetadmin', `fleetadmin=${uuidv7()}`, 'fleetadmin'],
    ['rider', `customer=${uuidv7()}`, 'customer'],
    ['driver', `driver=${uuidv7()}`, 'driver'],
    ['admin', 'sort=customer_name', 'sort'],
    ['admin', 'status=DONE', 'status'],
    ['admin', 'tripdate=2026-02-30..', 'tripdate'],
    ['admin', 'tripdate=2026-03-02..2026-03-01', 'tripdate'],
    ['admin', 'cursor=abc', 'cursor'],
    ['admin', 'limit=0', 'limit'],
  ] as const)('invalid query: %s sends %s -> invalid_input', async (member, query, field) => {
    expect(await ask(member, query)).toMatchObject({
      status: 400,
      error: 'invalid_input',
      fields: [{ field }],
    })
  })

  test.each([
    ['tripdate=2026-02-30..', 'tripdate', 'wrong_type'],
    ['tripdate=2026-03-02..2026-03-01', 'tripdate', 'reversed_range'],
    ['status=COMPLETE,DONE', 'status', 'not_in_list'],
  ])('invalid filter: %s -> error of the field %s: %s', async (query, field, error) => {
    expect((await ask('admin', query)).fields).toEqual([{ field, error }])
  })

  test("search: the rider's email address and phone number -> found by admins where they are not hidden", async () => {
    await app.database.pool.query(
      `update bookings set customer_contact = '+59899123456', customer_email = 'ramon@riders.test'
        where booking_id = 'OTHER3'`,
    )
    const { settings } = app.services
    expect((await settings.current()).country).toBe('UY')
    for (const q of [
      'ramon@riders.test',
      '099 123 456',
      '%2B598 99123456',
      '99123456',
      'perez 59899123456',
    ]) {
      expect((await ask('admin', `q=${q}`)).codes).toEqual(['OTHER3'])
    }
    expect((await ask('otherDriver', 'q=perez')).codes).toEqual(['OTHER3'])
    expect((await ask('otherDriver', 'q=99123456')).codes).toEqual([])
    const allow = (AllowCriticalEditsAdmin: boolean) =>
      app.database.withTransaction((tx) => settings.update(tx, { AllowCriticalEditsAdmin }))
    await allow(false)
    expect((await ask('admin', 'q=ramon@riders.test')).codes).toEqual([])
    expect((await ask('admin', 'q=perez')).codes).toEqual(['OTHER3'])
    await allow(true)
  })

  test.each([
    ['admin', { trip_cost: 1200, convenience_fees: 0, driver_share: 1200, discount_amount: 0, ...forAdmins }],
    ['otherDriver', { trip_cost: 700, convenience_fees: 0, driver_share: 700 }],
    ['otherRider', { trip_cost: 700, convenience_fees: 0, discount_amount: 0 }],
  ] as const)('count: %s asks for the sums of ended trips -> the amounts they see', async (member, sums) => {
    const { body } = await app.server
      .inject({
        url: '/api/v1/bookings/count?status=COMPLETE&sums=true',
        headers: { authorization: scene.bearers[member] },
      })
      .then((answer) => ({ body: answer.json() }))
    expect(body.sums).toEqual({ ...sums, cancellation_fee: 0 })
  })

  const sumsOf = async (query: string) => {
    const answer = await app.server.inject({
      url: `/api/v1/bookings/count?${query}&sums=true`,
      headers: { authorization: scene.bearers.admin },
    })
    return answer.json()
  }

  test('count: sums of cancelled bookings -> their fees, no estimates', async () => {
    const { pool } = app.database
    const { rowCount } = await pool.query(
      "update bookings set cancellation_fee = 400000 where status = 'CANCELLED'",
    )
    const { count, sums } = await sumsOf('status=CANCELLED')
    expect(count).toBe(rowCount)
    expect(count).toBeGreaterThan(0)
    expect([sums.trip_cost, sums.cancellation_fee]).toEqual([count * 400000, count * 400000])
    expect([sums.convenience_fees, sums.driver_share]).toEqual([0, 0])
  })

  test('count: sums of all bookings -> trip revenue and cancellation fees of the reports', async () => {
    const { items } = (
      await app.server.inject({ url: '/api/v1/bookings', headers: { authorization: scene.bearers.admin } })
    ).json() as { items: Parameters<typeof earningsOf>[0][] }
    const earned = items.map(earningsOf).reduce(addEarnings)
    const { sums } = await sumsOf('status=open,ended')
    expect(items.some((item) => item.trip_cost > earningsOf(item).trip_cost)).toBe(true)
    expect(sums.trip_cost).toBe(earned.trip_cost + earned.cancellation_fees)
    expect(sums.convenience_fees).toBe(earned.convenience_fees)
  })

  test('search: driver assigned, then deleted -> found, then not found', async () => {
    const { pool } = app.database
    await pool.query(
      `update bookings set driver_name = 'Zenaida', vehicle_number = 'ABC 9' where booking_id = 'EARLY1'`,
    )
    expect((await ask('admin', 'q=zenaida+abc')).codes).toEqual(['EARLY1'])
    await pool.query(
      `update bookings set driver_name = 'Deleted user', vehicle_number = null where booking_id = 'EARLY1'`,
    )
    expect((await ask('admin', 'q=zenaida')).codes).toEqual([])
    await pool.query(`update bookings set trip_cost = 501, driver_share = 501 where booking_id = 'EARLY1'`)
    expect((await ask('admin', 'q=early')).codes).toEqual(['EARLY1'])
  })
})
