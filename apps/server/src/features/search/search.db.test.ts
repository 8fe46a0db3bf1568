import type { FoundBooking, FoundUser } from '@hansom/contract/search'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCarType, createScene, type Scene, type SceneUser } from '../../access-scene.fixture.ts'
import { createTestApp, type TestApp } from '../../test-app.ts'
import { straightMaps } from '../bookings/straight-city.fixture.ts'

const secret = 'the secret of the tests of searching'
let app: TestApp
let scene: Scene
beforeAll(async () => {
  app = await createTestApp({ maps: straightMaps(), authSecret: secret, limits: { all: 1e6 } })
  await app.start()
  scene = await createScene(app.database, secret, {
    carType: await createCarType(app.database),
    isAssigned: true,
  })
  const { pool } = app.database
  await pool.query(
    `update bookings set booking_id = 'KX7Q2Z', pickup = pickup || '{"add":"Plaza Zabala 12"}',
      drop = drop || '{"add":"Rambla República"}' where id = $1`,
    [scene.booking],
  )
  const name = (member: SceneUser, first: string, plate: string | null) =>
    pool.query('update users set first_name = $2, vehicle_number = $3 where id = $1', [
      scene.ids[member],
      first,
      plate,
    ])
  await name('rider', 'Zulema', null)
  await name('otherRider', 'Zulma', null)
  await name('driver', 'Zenón', 'SBX 4471')
  await name('otherDriver', 'Zoilo', 'SBX 4472')
})
afterAll(() => app.close())

interface Found {
  riders: FoundUser[]
  drivers: FoundUser[]
  bookings: FoundBooking[]
}

async function find(member: SceneUser, q: string) {
  const answer = await app.server.inject({
    method: 'GET',
    url: `/api/v1/search?${new URLSearchParams({ q })}`,
    headers: { authorization: scene.bearers[member] },
  })
  expect(answer.statusCode).toBe(200)
  const { riders, drivers, bookings } = answer.json<Found>()
  const first = ({ name }: FoundUser) => name.split(' ')[0]
  return {
    riders: riders.map(first).sort(),
    drivers: drivers.map(first).sort(),
    bookings: bookings.map(({ booking_id }) => booking_id),
  }
}
const nothing = { riders: [], drivers: [], bookings: [] }

describe('search', () => {
  test('admin -> riders, drivers, plates, and bookings by code and place', async () => {
    expect(await find('admin', 'zul')).toEqual({ ...nothing, riders: ['Zulema', 'Zulma'] })
    expect(await find('admin', 'sbx 447')).toEqual({ ...nothing, drivers: ['Zenón', 'Zoilo'] })
    expect(await find('admin', '4471')).toEqual({ ...nothing, drivers: ['Zenón'] })
    expect((await find('admin', 'kx7')).bookings).toEqual(['KX7Q2Z'])
    expect((await find('admin', 'KX7Q2Z')).bookings).toEqual(['KX7Q2Z'])
    expect(await find('admin', 'zabala')).toEqual({ ...nothing, bookings: ['KX7Q2Z'] })
  })

  test("fleet admin -> their drivers and those drivers' bookings", async () => {
    expect(await find('fleetadmin', 'sbx')).toEqual({ ...nothing, drivers: ['Zenón'] })
    expect((await find('fleetadmin', 'kx7q')).bookings).toEqual(['KX7Q2Z'])
    expect(await find('fleetadmin', 'zul')).toEqual(nothing)
    expect(await find('otherFleetadmin', 'sbx')).toEqual(nothing)
    expect(await find('otherFleetadmin', 'kx7q')).toEqual(nothing)
  })

  test.each(['rider', 'driver'] as const)('%s -> own trips by code and place', async (member) => {
    expect(await find(member, 'kx7')).toEqual({ ...nothing, bookings: ['KX7Q2Z'] })
    expect(await find(member, 'zabala')).toEqual({ ...nothing, bookings: ['KX7Q2Z'] })
    expect(await find(member, 'republica rambla')).toEqual({ ...nothing, bookings: ['KX7Q2Z'] })
    expect(await find(member, 'zabala colonia')).toEqual(nothing)
    expect(await find(member, 'zul')).toEqual(nothing)
  })

  test.each(['otherRider', 'otherDriver'] as const)('%s -> nothing of other users', async (member) => {
    expect(await find(member, 'kx7')).toEqual(nothing)
    expect(await find(member, 'zabala')).toEqual(nothing)
  })

  test('one letter -> nothing; LIKE wildcards -> literal', async () => {
    expect(await find('admin', 'z')).toEqual(nothing)
    expect(await find('rider', '%%')).toEqual(nothing)
    expect(await find('rider', '__')).toEqual(nothing)
  })
})
